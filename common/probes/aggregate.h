/* Cells of aggregations: what is kept of many values. */
#ifndef HIERA_PROBES_AGGREGATE_H
#define HIERA_PROBES_AGGREGATE_H

#include "script.h"

/* What is kept of all functions but distributions. */
typedef struct HieraTally {
    uint64_t count;
    int64_t whole; /* the sum, or the smallest or largest, of integers and durations */
    double number; /* the same of numbers */
} HieraTally;

/* A bin of a distribution: values from `from` on, up to the next bin. */
typedef struct HieraAggregateBin {
    HieraValue from; /* MISSING: all below the first bin that has a begin */
    uint64_t count;
} HieraAggregateBin;

enum { HIERA_AGGREGATE_MOST_STEPS = 1000, HIERA_AGGREGATE_LARGEST = (HIERA_AGGREGATE_MOST_STEPS + 2) * 8 };

/* Can lquantize() have these bounds? */
bool hiera_aggregate_has_bins(double lower, double upper, double step);
/* Bytes of a cell, a multiple of 8; at most HIERA_AGGREGATE_LARGEST. */
size_t hiera_aggregate_size(const HieraScriptName *name);
/* Add a value (of the type of the name, not missing) to a cell; for count() any. */
void hiera_aggregate_add(const HieraScriptName *name, void *cell, HieraValue value);
/* Add what one cell has kept to another one. The thread that owns `other` may add to it meanwhile. */
void hiera_aggregate_merge(const HieraScriptName *name, void *cell, const void *other);

/* Has nothing been added yet? */
bool hiera_aggregate_is_empty(const HieraScriptName *name, const void *cell);

bool hiera_aggregate_is_distribution(const HieraScriptName *name);
/* The result, if it is no distribution. */
HieraValue hiera_aggregate_result(const HieraScriptName *name, const void *cell);
/* The bins of a distribution. */
unsigned hiera_aggregate_count_bins(const HieraScriptName *name);
HieraAggregateBin hiera_aggregate_bin(const HieraScriptName *name, const void *cell, unsigned bin);

#endif
