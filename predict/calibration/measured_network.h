/* Measures the network between process 0 and the last one; all processes get the same result. */
#pragma once

#include "network_fit.h"
#include "parallel/pings.h"

typedef struct {
    GArray *half_round_trips, *sends, *receives; /* TimedSize: measured times by message size */
    gdouble message_seconds;
    gint64 eager_bytes;
    GArray *exchanges; /* TimedSize, by message size: time of each of EXCHANGES_IN_A_ROW exchanges */
    gdouble transfer_seconds, overlapped_seconds; /* seconds of a long message: alone, and while both ranks compute */
} MeasuredNetwork;

/* Number of consecutive exchanges, measured and simulated: their mean depends little on which rank begins first. */
enum { EXCHANGES_IN_A_ROW = 4 };

/* @param turns  how often all sizes are measured */
void measured_network_take(const HieraPings *pings, guint turns, MeasuredNetwork *network);
void measured_network_clear(MeasuredNetwork *network);

/* Measured time of a collective, the mean of several consecutive ones. */
typedef struct {
    HieraPingCollective collective;
    gint64 bytes;
    guint count; /* number of consecutive collectives that were measured */
    gdouble seconds;
} MeasuredCollective;

/* Measure all kinds of collectives, in several sizes. @return GArray of MeasuredCollective */
GArray *measured_collectives_take(const HieraPings *pings);
