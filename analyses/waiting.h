/** Waiting: the part of an MPI call during which it could not end, however fast the machine, because another call had
 * not begun.
 *
 * A call that depends on others cannot end before the last of them has begun:
 *
 *     waiting(o) = clip(max over p of start(p) − start(o), 0, finish(o) − start(o))
 *
 * The operations p, with Scalasca's names in parentheses:
 * - the send of the message that o receives (*late sender*),
 * - the members of a collective from which o needs data (*wait at barrier*, *wait at N × N*, *late broadcast*, *early
 *   reduce*),
 * - the post of an epoch that o starts (*late post*),
 * - the completion of an epoch for which o waits (*late complete*),
 * - the receive of the message that o sends, if it begins before o ends (*late receiver*): a send that did not need
 *   the receive would have ended before.
 *
 * The waiting of a non-blocking operation is part of the call that completes it. */
#ifndef HIERA_WAITING_H
#define HIERA_WAITING_H

#include "hiera_graph.h"

/** Return the waiting of each row in nanoseconds, 0 if it did not wait; to be freed with g_free. O(edges). */
gint64 *hiera_waiting_compute(const HieraGraph *graph);

#endif
