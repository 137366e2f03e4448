/* The quantities of a part over the number of ranks, and what the part takes on a network. */
#ifndef HIERA_PREDICT_SCALING_FITS_H
#define HIERA_PREDICT_SCALING_FITS_H

#include "scaling_assumed.h"

/* The most ranks that are predicted. */
#define SCALING_MOST_RANKS 10000000

/* Of a range. */
typedef enum { PREDICTED, LOW, HIGH, N_ENDS } RangeEnd;

typedef struct {
    const Part *part;
    LawFit fits[PART_QUANTITIES][N_OF];
    gdouble ns[N_ENDS]; /* room for what it takes on some number of ranks */
} FittedPart;

/* @param parts  those of which it is one; all runs were added */
void fitted_part_init(FittedPart *fitted, const ScalingParts *parts, const Part *part, const ScalingAssumed *assumed);
void fitted_part_clear(FittedPart *fitted);
/* What a part takes the slowest rank, in nanoseconds: of messages and collectives on the network. All quantities are at
 * the same end of their ranges. @param shares  as in PartRun */
gdouble fitted_part_ns(const FittedPart *fitted, const HieraNetwork *network, gdouble ranks, gdouble shares,
                       RangeEnd end);

#endif
