/** The last common synchronization of two ranks before a wait: the last message between them, in either direction, or
 * the last collective in which both took part, unless the rank that is waited for came out of it when more than half of
 * the wait was over: then the one before. (All leave an exchange of all together.) Creating the request of a persistent
 * collective does not count, and a non-blocking collective counts only when the waiting rank has completed it. */
#pragma once

#include "waiting/waiting.h"

/** The end of a synchronization on each of both ranks; for a non-blocking collective the end of the call that starts
 * it; without a synchronization the first time of each rank. */
typedef struct {
    gint64 waiter_ns, causer_ns;
} HieraSynchronization;

/** Find the synchronization before each wait. Amortized O(1) for a wait where ranks have few partners.
 *
 * @param waits  of hiera_waits_find()
 * @return by index of the wait, to be freed with g_free; of one without a causer both times are 0 */
HieraSynchronization *hiera_synchronizations_find(const HieraMatch *match, const GArray *waits);
