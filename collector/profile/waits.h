/* How long the calls of a node waited for other members of their communicator (HIERA_SYNC). With the lock held. */
#pragma once

#include "spread.h"

/* Sum over the calls that had one kind of waiting. */
typedef struct HieraWaitSum {
    uint64_t calls; /* number of calls for which it is known */
    uint64_t count; /* number of those calls that waited at all */
    uint64_t time_ns, min_ns, max_ns;
    HieraSpread times;
} HieraWaitSum;

typedef struct HieraProfileWaits {
    HieraWaitSum members;    /* wait until the last member came */
    HieraWaitSum completion; /* wait at the end of the call, after the first member had left */
    uint64_t exchange_ns;    /* time after the calls that it took to find this out */
} HieraProfileWaits;

/* Add the times of a call. *waits may be NULL (none yet), and stays NULL if there is no memory. */
void hiera_waits_add(HieraProfileWaits **waits, uint64_t members_ns, uint64_t completion_ns, uint64_t exchange_ns);

/* Add the times of another node. */
void hiera_waits_merge(HieraProfileWaits **to, const HieraProfileWaits *from);

void hiera_waits_free(HieraProfileWaits *waits);
