/** Rows of a histogram: the number of values in each bin. */
#pragma once

#include "hiera_measure.h"
#include "value_sums.h"

/** Columns of a histogram behind its key columns; `type` is the type of the values. */
#define HIERA_BIN_COLUMNS(type)                                                                                        \
    {"from", type, HIERA_ROLE_KEY}, {"to", type, HIERA_ROLE_SUM}, {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},       \
        {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM}, {"bar", HIERA_CELL_BAR, HIERA_ROLE_TELLING},
#define HIERA_BIN_N_COLUMNS 5

/** Add a row for each bin that has values; a bin holds `from` ≤ value < `to`.
 *
 * @param keys    n_keys cells of the first columns
 * @param values  n values, none of them negative
 * @param bins    number of bins of equal width; 0: bins between powers of two */
void hiera_bins_add(HieraTable *table, const HieraCell *keys, guint n_keys, const gint64 *values, gsize n, guint bins);

/** As hiera_bins_add, for values of which only sums are known: bins between powers of two. */
void hiera_bins_add_sums(HieraTable *table, const HieraCell *keys, guint n_keys, const HieraValueSums *sums);
