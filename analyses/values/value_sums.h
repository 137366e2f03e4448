/** Values of which only sums are known: how many, their sum, extremes, and how many have how many binary digits. */
#pragma once

#include "distribution.h"
#include "hiera_summed.h"

enum { HIERA_VALUE_BITS = 64 };

typedef struct {
    gint64 count, sum;
    gint64 min, max;               /* of values without extremes of their own, those of their bins */
    gint64 bins[HIERA_VALUE_BITS]; /* by number of binary digits */
} HieraValueSums;

/** Number of binary digits of a value; 0 has none. */
guint hiera_value_bits(gint64 value);

/** Add one value, not negative. */
void hiera_value_sums_add_value(HieraValueSums *sums, gint64 value);

/** Add values of which the bins are known, or none.
 *
 * @param bins      HieraBin
 * @param count     how many values; -1: those of the bins
 * @param min, max  -1: not known */
void hiera_value_sums_add_bins(HieraValueSums *sums, const GArray *bins, gint64 count, gint64 sum, gint64 min,
                               gint64 max);

void hiera_value_sums_merge(HieraValueSums *all, const HieraValueSums *one);

/** Their distribution, as far as it is known: quartiles are upper bounds, less than twice the value, and there is no
 * deviation (0). */
HieraDistribution hiera_value_sums_distribution(const HieraValueSums *sums);
