/* How long the calls of a node waited for other members of their communicator (HIERA_SYNC), as sums. */
#pragma once

#include "spread.h"

/* Sums of one kind of waiting over the calls of a node. */
typedef struct HieraWaitSum {
    uint64_t calls; /* number of calls of which it is known how long they waited */
    uint64_t count; /* number of calls that waited longer than 0 ns */
    uint64_t time_ns, min_ns, max_ns;
    HieraSpread times;
} HieraWaitSum;

typedef struct HieraProfileWaits {
    HieraWaitSum members;    /* waits until the last member entered the call */
    HieraWaitSum completion; /* waits at the end of the call, after the first member had left the call */
    uint64_t exchange_ns;    /* sum of the times, after the calls, of the messages that found this out */
} HieraProfileWaits;

/* Add the waits of one call, in ns. *waits is NULL before the first call, and if there is no memory. */
void hiera_waits_add(HieraProfileWaits **waits, uint64_t members_ns, uint64_t completion_ns, uint64_t exchange_ns);

/* Add the waits of another node. */
void hiera_waits_merge(HieraProfileWaits **to, const HieraProfileWaits *from);

void hiera_waits_free(HieraProfileWaits *waits);
