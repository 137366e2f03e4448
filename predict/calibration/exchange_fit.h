/* Fits the request overhead, and the contention of messages in opposite directions (duplex), to measured exchanges. */
#pragma once

#include "simulator/machine.h"
#include "size_fit.h"

/* Return the time of each of `count` consecutive exchanges: two ranks post a receive, send without blocking, and wait
 * for both. The rank that is timed begins when it has received an empty message of the other one. @return seconds */
gdouble exchange_predict(const HieraNetwork *network, gint64 bytes, guint count);

/* Find request_overhead_ps, and `duplex` of the network and of its steps. If sizes of one step differ in their
 * contention, the step is cut, as long as there is room.
 *
 * @param measured  by rising size
 * @param count     number of consecutive exchanges that were measured */
void exchange_fit(HieraNetwork *network, const TimedSize *measured, guint n, guint count);
