/* What ranks do on each stack (export_stacks.h), added up. Several processes do it together, each for its processors.
 */
#ifndef HIERA_EXPORT_STACK_SUMS_H
#define HIERA_EXPORT_STACK_SUMS_H

#include "export_stacks.h"

typedef struct {
    gint64 time_ns, visits, bytes;
} HieraStackSum;

/* All processes call this; the one that leads gets the sums and stacks of all.
 *
 * @param stacks        empty; gets those that are met, in the order in which one process meets them
 * @param by_processor  else there is one row, of all processors
 * @return GArray of HieraStackSum by stack for each row, short if it never met the later stacks; to be freed with
 * g_ptr_array_unref */
GPtrArray *hiera_stack_sums_find(HieraStacks *stacks, const HieraScope *scope, gboolean by_processor);

#endif
