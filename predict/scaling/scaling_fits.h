/* The quantities of a part as laws over the number of ranks, and the time of the part on a network. */
#pragma once

#include "scaling_assumed.h"
#include "scaling_places.h"

/* Greatest number of ranks for which a prediction is made. */
#define SCALING_MOST_RANKS 10000000

/* Which value of a range: the predicted one, the lowest, or the highest. */
typedef enum { PREDICTED, LOW, HIGH, N_ENDS } RangeEnd;

typedef struct {
    const Part *part;
    LawFit fits[PART_QUANTITIES][N_OF];
    LawFit distances[REACH_QUANTILES]; /* quantiles of the distances between ranks that exchange messages */
    gdouble ns[N_ENDS];                /* the part's time on the number of ranks that tables show, by RangeEnd */
} FittedPart;

/* Fit laws to all quantities of a part. @param parts  parts of all runs, with `part` among them */
void fitted_part_init(FittedPart *fitted, const ScalingParts *parts, const Part *part, const ScalingAssumed *assumed);
void fitted_part_clear(FittedPart *fitted);
/* Both networks. Which one messages take follows from `places`; NULL: from the recorded run with index `run`. */
typedef struct {
    const HieraNetwork *between, *inside;
    ScalingPlaces *places;
    guint run;
} ScalingMachine;

/* Return the time of a part on the slowest rank, in nanoseconds: for messages and collectives, on the networks. All
 * quantities are at the same end of their ranges. @param shares  as in PartRun */
gdouble fitted_part_ns(const FittedPart *fitted, const ScalingMachine *machine, gdouble ranks, gdouble shares,
                       RangeEnd end);
