/** Waiting: the part of each MPI call in which it could not end yet, whatever the machine.
 *
 * A call that depends on others cannot end before the last of them has begun:
 *
 *     waiting(o) = clip(max over p of start(p) − start(o), 0, finish(o) − start(o))
 *
 * p being the send of what o receives (*late sender* of Scalasca), the members of a collective that o needs data from
 * (*wait at barrier*, *wait at N × N*, *late broadcast*, *early reduce*), the post of what starts an epoch (*late
 * post*); and the receive of what o sends if that begins while o lasts (*late receiver*: a send that had not needed it
 * would be over). Non-blocking operations wait in the call that completes them. */
#ifndef HIERA_WAITING_H
#define HIERA_WAITING_H

#include "hiera_graph.h"

/** Nanoseconds of waiting of each row, 0 where there is none. O(edges). To be freed with g_free. */
gint64 *hiera_waiting_compute(const HieraGraph *graph);

#endif
