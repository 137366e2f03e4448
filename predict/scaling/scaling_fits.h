/* Quantities of a part as functions of the number of ranks, and the time of the part on a network. */
#pragma once

#include "scaling_assumed.h"
#include "scaling_places.h"

/* Greatest number of ranks that is predicted. */
#define SCALING_MOST_RANKS 10000000

/* The predicted value, and the ends of its range. */
typedef enum { PREDICTED, LOW, HIGH, N_ENDS } RangeEnd;

typedef struct {
    const Part *part;
    LawFit fits[PART_QUANTITIES][N_OF];
    LawFit distances[REACH_QUANTILES]; /* distances of messages, in ranks */
    gdouble ns[N_ENDS];                /* buffer for its time on some number of ranks */
} FittedPart;

/* @param parts  the set that contains `part`; all runs were added */
void fitted_part_init(FittedPart *fitted, const ScalingParts *parts, const Part *part, const ScalingAssumed *assumed);
void fitted_part_clear(FittedPart *fitted);
/* The networks, and the use of each by messages: from `places`; without them, as in a recorded run. */
typedef struct {
    const HieraNetwork *between, *inside;
    ScalingPlaces *places;
    guint run;
} ScalingMachine;

/* Return the time of a part on the slowest rank, in nanoseconds: for messages and collectives, on the networks. All
 * quantities are at the same end of their ranges. @param shares  as in PartRun */
gdouble fitted_part_ns(const FittedPart *fitted, const ScalingMachine *machine, gdouble ranks, gdouble shares,
                       RangeEnd end);
