/** The forms of the measure imbalance that have a file of their own. */
#ifndef HIERA_IMBALANCE_H
#define HIERA_IMBALANCE_H

#include "hiera_measure.h"

extern const HieraMeasure hiera_imbalance_by_rank, hiera_imbalance_by_group;

/** Return the median of n values, by nearest rank, of which those in the array are the only ones above 0.
 *
 * @param values  n_values of them, at most n; their order is changed */
gint64 hiera_median_with_zeros(gint64 *values, guint n_values, guint n);

#endif
