/* Cells of aggregations: summaries of many values. */
#pragma once

#include "script.h"

/* Cell of an aggregation that is no distribution. */
typedef struct HieraTally {
    uint64_t count;
    int64_t whole; /* sum, minimum or maximum of integers or durations */
    double number; /* sum, minimum or maximum of numbers */
} HieraTally;

/* A bin of a distribution: values from `from` to the begin of the next bin. */
typedef struct HieraAggregateBin {
    HieraValue from; /* least value of the bin; MISSING: the first bin, which has no lower bound */
    uint64_t count;
} HieraAggregateBin;

enum { HIERA_AGGREGATE_MOST_STEPS = 1000, HIERA_AGGREGATE_LARGEST = (HIERA_AGGREGATE_MOST_STEPS + 2) * 8 };

/* Whether lquantize() accepts these bounds and this step. */
bool hiera_aggregate_has_bins(double lower, double upper, double step);
/* Size of a cell in bytes, a multiple of 8; at most HIERA_AGGREGATE_LARGEST. */
size_t hiera_aggregate_size(const HieraScriptName *name);
/* Add a value to a cell. The value has the type of `name`, and is not missing; for count() any value is allowed. */
void hiera_aggregate_add(const HieraScriptName *name, void *cell, HieraValue value);
/* Merge `other` into a cell. The thread that adds values to `other` may do so meanwhile. */
void hiera_aggregate_merge(const HieraScriptName *name, void *cell, const void *other);

/* Whether no value has been added to a cell yet; always false for a distribution. */
bool hiera_aggregate_is_empty(const HieraScriptName *name, const void *cell);

bool hiera_aggregate_is_distribution(const HieraScriptName *name);
/* Return the result of an aggregation that is no distribution. */
HieraValue hiera_aggregate_result(const HieraScriptName *name, const void *cell);
/* Return the number of bins of a distribution; return one bin, counted from 0. */
unsigned hiera_aggregate_count_bins(const HieraScriptName *name);
HieraAggregateBin hiera_aggregate_bin(const HieraScriptName *name, const void *cell, unsigned bin);
