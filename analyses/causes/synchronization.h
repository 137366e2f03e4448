/** The last common synchronization of two ranks before a wait: the last message between them, in either direction, or
 * the last collective in which both took part. Making the request of a persistent collective is none, and one that does
 * not block is none before the waiting rank has completed it. */
#pragma once

#include "waiting/waiting.h"

/** The ends of a synchronization on both ranks, of a collective that does not block those of the calls that start it;
 * where there is none, the first times of both. */
typedef struct {
    gint64 waiter_ns, causer_ns;
} HieraSynchronization;

/** Find the synchronization before each wait. Amortized O(1) for a wait where ranks have few partners.
 *
 * @param waits  of hiera_waits_find()
 * @return by index of the wait, to be freed with g_free; of one without a causer both times are 0 */
HieraSynchronization *hiera_synchronizations_find(const HieraMatch *match, const GArray *waits);
