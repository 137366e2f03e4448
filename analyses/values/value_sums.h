/** Values of which only sums are known: number, total, extremes, and how many have how many binary digits. */
#pragma once

#include "distribution.h"
#include "hiera_summed.h"

enum { HIERA_VALUE_BITS = 64 };

typedef struct {
    gint64 count, sum;
    gint64 min, max;               /* smallest and greatest value; if not recorded, limits of their bins */
    gint64 bins[HIERA_VALUE_BITS]; /* by number of binary digits: number of values */
} HieraValueSums;

/** Return the number of binary digits of a value; 0 for the value 0. */
guint hiera_value_bits(gint64 value);

/** Add one value, which must not be negative. */
void hiera_value_sums_add_value(HieraValueSums *sums, gint64 value);

/** Add values that are known by their bins, if these are recorded.
 *
 * @param bins      HieraBin
 * @param count     number of values; -1: as many as in the bins
 * @param min, max  -1: unknown */
void hiera_value_sums_add_bins(HieraValueSums *sums, const GArray *bins, gint64 count, gint64 sum, gint64 min,
                               gint64 max);

void hiera_value_sums_merge(HieraValueSums *all, const HieraValueSums *one);

/** Return the distribution as far as it is known: quartiles are upper bounds, less than twice the true value, and there
 * is no deviation (0). */
HieraDistribution hiera_value_sums_distribution(const HieraValueSums *sums);
