/* Fits network parameters to times measured between two ranks.
 *
 * Half a round trip of k bytes takes o + O k + L + G k + O' k + o' if the message is eager (o: overheads of sender and
 * receiver, O: copying, G: per byte), and o + 3 L + extra + G k + o' if it is not; then a send alone, whose receive is
 * posted, takes o + 2 L + extra + G k and the acknowledgement. Overheads and copying are measured alone; the rest
 * follows from piecewise lines through the half round trips (size_fit.h), which are always cut at the eager limit. */
#pragma once

#include "simulator/machine.h"
#include "size_fit.h"

typedef struct {
    const TimedSize *half_round_trips, *sends, *receives; /* times by rising size; `receives`: eager ones only */
    guint n_half_round_trips, n_sends, n_receives;        /* number of elements of each array above, at least 1 */
    gdouble message_seconds;                              /* seconds between two of many consecutive empty messages */
    gint64 eager_bytes; /* longest eager message; G_MAXINT64: all messages are eager */
} NetworkTimes;

/* Find the parameters of the network, except reduce_ps_per_byte, which is set to 0. */
void network_fit(const NetworkTimes *times, HieraNetwork *network);

/* Return half a round trip of blocking messages as the network's parameters predict it, in seconds. */
gdouble network_half_round_trip(const HieraNetwork *network, gint64 bytes);
