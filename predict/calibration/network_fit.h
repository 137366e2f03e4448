/* Parameters of a network from times that were measured between two ranks.
 *
 * Half a round trip of k bytes takes o + O k + L + G k + O' k + o' if the message is eager (o: overheads of sender and
 * receiver, O: copying, G: of its size), and o + 3 L + extra + G k + o' if it is not; then a send alone, whose receive
 * is posted, takes o + 2 L + extra + G k and the acknowledgement. Overheads and copying are measured alone, so the rest
 * is what pieces of lines through the half round trips say (size_fit.h), cut at the eager limit in any case. */
#ifndef HIERA_PREDICT_NETWORK_FIT_H
#define HIERA_PREDICT_NETWORK_FIT_H

#include "simulator/machine.h"
#include "size_fit.h"

typedef struct {
    const TimedSize *half_round_trips, *sends, *receives; /* by rising size; the last ones of eager messages alone */
    guint n_half_round_trips, n_sends, n_receives;        /* none is 0 */
    gdouble message_seconds; /* for each of many messages without bytes one after the other */
    gint64 eager_bytes;      /* G_MAXINT64: all are eager */
} NetworkTimes;

/* Find the parameters, but for what reductions compute, which is 0. */
void network_fit(const NetworkTimes *times, HieraNetwork *network);

/* Half a round trip of blocking messages by these parameters, in seconds. */
gdouble network_half_round_trip(const HieraNetwork *network, gint64 bytes);

#endif
