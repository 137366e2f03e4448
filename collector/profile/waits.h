/* How long the calls of a node waited for other members of their communicator (HIERA_SYNC). With the lock held. */
#ifndef HIERA_PROFILE_WAITS_H
#define HIERA_PROFILE_WAITS_H

#include "spread.h"

/* One kind of waiting. */
typedef struct HieraWaitSum {
    uint64_t calls; /* for which it is known */
    uint64_t count; /* … and is more than nothing */
    uint64_t time_ns, min_ns, max_ns;
    HieraSpread times;
} HieraWaitSum;

typedef struct HieraProfileWaits {
    HieraWaitSum members;    /* until the last one came */
    HieraWaitSum completion; /* at the end of the call, after the first one had left */
    uint64_t exchange_ns;    /* after the calls, to find that out */
} HieraProfileWaits;

/* Add those of a call. *waits: NULL: there were none yet; it stays so if there is no memory. */
void hiera_waits_add(HieraProfileWaits **waits, uint64_t members_ns, uint64_t completion_ns, uint64_t exchange_ns);

/* Add those of another node. */
void hiera_waits_merge(HieraProfileWaits **to, const HieraProfileWaits *from);

void hiera_waits_free(HieraProfileWaits *waits);

#endif
