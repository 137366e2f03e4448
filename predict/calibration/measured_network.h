/* What hiera-predict calibrate measures, process 0 and the last one of a launcher: the same in all processes. */
#ifndef HIERA_PREDICT_MEASURED_NETWORK_H
#define HIERA_PREDICT_MEASURED_NETWORK_H

#include "network_fit.h"
#include "parallel/pings.h"

typedef struct {
    GArray *half_round_trips, *sends, *receives; /* TimedSize */
    gdouble message_seconds;
    gint64 eager_bytes;
    GArray *exchanges;                            /* TimedSize: each of EXCHANGES_IN_A_ROW */
    gdouble transfer_seconds, overlapped_seconds; /* of a long message: alone, and if both
                                                     compute while it could go on */
} MeasuredNetwork;

/* How many exchanges after each other are measured, and predicted: in the mean of several both ranks begin alike. */
enum { EXCHANGES_IN_A_ROW = 4 };

void measured_network_take(const HieraPings *pings, MeasuredNetwork *network);
void measured_network_clear(MeasuredNetwork *network);

/* A collective: how long each of several after each other takes. */
typedef struct {
    HieraPingCollective collective;
    gint64 bytes;
    guint count; /* so many after each other were measured */
    gdouble seconds;
} MeasuredCollective;

/* @return MeasuredCollective */
GArray *measured_collectives_take(const HieraPings *pings);

#endif
