/* Time and counts of ranks on each stack (export_stacks.h), added up. Several processes do it together, each for its
 * own processors. */
#pragma once

#include "export_stacks.h"

typedef struct {
    gint64 time_ns, visits, bytes;
} HieraStackSum;

/* All processes call this; process 0 gets the sums and stacks of all.
 *
 * @param stacks        empty; gets the stacks, in the order in which a single process meets them
 * @param by_processor  TRUE: a row for each processor; FALSE: one row for all
 * @return GArray of HieraStackSum by stack for each row, shorter if the row has none of the later stacks; to be freed
 * with g_ptr_array_unref */
GPtrArray *hiera_stack_sums_find(HieraStacks *stacks, const HieraScope *scope, gboolean by_processor);
