/* Cells of aggregations: summaries of many values. */
#pragma once

#include "script.h"

/* Cell of all functions except distributions. */
typedef struct HieraTally {
    uint64_t count;
    int64_t whole; /* sum, minimum or maximum of integers or durations */
    double number; /* sum, minimum or maximum of numbers */
} HieraTally;

/* A bin of a distribution: values from `from` to the begin of the next bin. */
typedef struct HieraAggregateBin {
    HieraValue from; /* begin of the bin; MISSING: the first bin, which has none */
    uint64_t count;
} HieraAggregateBin;

enum { HIERA_AGGREGATE_MOST_STEPS = 1000, HIERA_AGGREGATE_LARGEST = (HIERA_AGGREGATE_MOST_STEPS + 2) * 8 };

/* Whether lquantize() can have these bounds. */
bool hiera_aggregate_has_bins(double lower, double upper, double step);
/* Size of a cell in bytes, a multiple of 8; at most HIERA_AGGREGATE_LARGEST. */
size_t hiera_aggregate_size(const HieraScriptName *name);
/* Add a value to a cell. It must have the type of the name, and not be missing; for count() any value. */
void hiera_aggregate_add(const HieraScriptName *name, void *cell, HieraValue value);
/* Merge `other` into a cell. The thread that owns `other` may add to it meanwhile. */
void hiera_aggregate_merge(const HieraScriptName *name, void *cell, const void *other);

/* Whether nothing has been added yet. */
bool hiera_aggregate_is_empty(const HieraScriptName *name, const void *cell);

bool hiera_aggregate_is_distribution(const HieraScriptName *name);
/* The result of a function other than a distribution. */
HieraValue hiera_aggregate_result(const HieraScriptName *name, const void *cell);
/* The bins of a distribution. */
unsigned hiera_aggregate_count_bins(const HieraScriptName *name);
HieraAggregateBin hiera_aggregate_bin(const HieraScriptName *name, const void *cell, unsigned bin);
