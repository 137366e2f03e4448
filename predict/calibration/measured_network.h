/* Measurements of hiera-predict calibrate between process 0 and the last one: the same result in all processes. */
#pragma once

#include "network_fit.h"
#include "parallel/pings.h"

typedef struct {
    GArray *half_round_trips, *sends, *receives; /* TimedSize: times by message size */
    gdouble message_seconds;
    gint64 eager_bytes;
    GArray *exchanges; /* TimedSize: time of one of EXCHANGES_IN_A_ROW exchanges */
    gdouble transfer_seconds,
        overlapped_seconds; /* seconds of a long message: alone, and if both ranks compute meanwhile */
} MeasuredNetwork;

/* Number of consecutive exchanges that are measured and predicted: in the mean of several, both ranks begin alike. */
enum { EXCHANGES_IN_A_ROW = 4 };

void measured_network_take(const HieraPings *pings, MeasuredNetwork *network);
void measured_network_clear(MeasuredNetwork *network);

/* A measured collective: time of each of several consecutive ones. */
typedef struct {
    HieraPingCollective collective;
    gint64 bytes;
    guint count; /* number of consecutive collectives */
    gdouble seconds;
} MeasuredCollective;

/* Measure the collectives. @return MeasuredCollective */
GArray *measured_collectives_take(const HieraPings *pings);
