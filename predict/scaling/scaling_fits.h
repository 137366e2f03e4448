/* The quantities of a part over the number of ranks, and what the part takes on a network. */
#ifndef HIERA_PREDICT_SCALING_FITS_H
#define HIERA_PREDICT_SCALING_FITS_H

#include "scaling_assumed.h"
#include "scaling_places.h"

/* The most ranks that are predicted. */
#define SCALING_MOST_RANKS 10000000

/* Of a range. */
typedef enum { PREDICTED, LOW, HIGH, N_ENDS } RangeEnd;

typedef struct {
    const Part *part;
    LawFit fits[PART_QUANTITIES][N_OF];
    LawFit distances[REACH_QUANTILES]; /* of messages, in ranks */
    gdouble ns[N_ENDS];                /* room for what it takes on some number of ranks */
} FittedPart;

/* @param parts  those of which it is one; all runs were added */
void fitted_part_init(FittedPart *fitted, const ScalingParts *parts, const Part *part, const ScalingAssumed *assumed);
void fitted_part_clear(FittedPart *fitted);
/* The networks, and which messages take which: where the ranks of `places` are; without them those of a recorded run.
 */
typedef struct {
    const HieraNetwork *between, *inside;
    ScalingPlaces *places;
    guint run;
} ScalingMachine;

/* What a part takes the slowest rank, in nanoseconds: of messages and collectives on the networks. All quantities are
 * at the same end of their ranges. @param shares  as in PartRun */
gdouble fitted_part_ns(const FittedPart *fitted, const ScalingMachine *machine, gdouble ranks, gdouble shares,
                       RangeEnd end);

#endif
