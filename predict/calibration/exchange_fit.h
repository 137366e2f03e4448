/* What requests take, and how far messages in both directions disturb each other, from exchanges that were measured. */
#ifndef HIERA_PREDICT_EXCHANGE_FIT_H
#define HIERA_PREDICT_EXCHANGE_FIT_H

#include "simulator/machine.h"
#include "size_fit.h"

/* How long each of `count` exchanges after each other takes: two ranks post a receive, send without blocking, and wait
 * for both. The one that is timed begins when it has received an empty message of the other one. @return seconds */
gdouble exchange_predict(const HieraNetwork *network, gint64 bytes, guint count);

/* Find request_overhead_ps, and `duplex` of the network and of its steps. Where sizes of one step disturb each other
 * differently, it is cut, as long as there is room.
 *
 * @param measured  by rising size
 * @param count     so many were measured after each other */
void exchange_fit(HieraNetwork *network, const TimedSize *measured, guint n, guint count);

#endif
