/** The distribution of values: how they spread around their mean.
 *
 * Integers throughout, with sums of 128 bits, so the result does not depend on the order of the values. */
#pragma once

#include "hiera_trace.h"

typedef struct {
    gint64 count;
    gint64 sum;                      /* a sum that does not fit is HIERA_TOO_LARGE; so is such a deviation */
    gint64 mean, deviation;          /* mean, rounded down; standard deviation of the population (divided by `count`) */
    gint64 min, q1, median, q3, max; /* minimum, quartiles, maximum: each is one of the values (nearest rank) */
} HieraDistribution;

/** Return the distribution of values; all zeros if there are none. O(n).
 *
 * @param values  are reordered */
HieraDistribution hiera_distribution_of(gint64 *values, gsize n);
