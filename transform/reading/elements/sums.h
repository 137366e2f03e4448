/* Reads operations that stand for several calls: their attributes, and the elements inside them. */
#pragma once

#include "hiera_summed.h"
#include "reading/context/read_context.h"

/* Make and free the arrays of `summed`, which is used again for each operation. */
void hiera_sums_init(HieraSummed *summed);
void hiera_summed_clear(HieraSummed *summed);
/* Read an operation with attribute `calls` into `summed`; `operation` has been read from the same attributes. */
void hiera_sums_read(HieraReadContext *context, const HieraAttributes *attributes, const HieraOperation *operation,
                     HieraSummed *summed);
/* Make a sum over one call of a single operation, because no single operation may be inside of sums. */
void hiera_sums_of_one(const HieraOperation *operation, HieraSummed *summed);
/* Read a `hieraSpread` (histogram), `hieraPart` or `hieraWait` inside the operation into `summed`. */
void hiera_sums_read_spread(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed);
void hiera_sums_read_part(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed);
void hiera_sums_read_wait(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed);
/* Read a `hieraTurns`: calls of loops as sums, behind which the number of earlier calls on a channel is unknown. */
void hiera_sums_read_repeats(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraSeam`: the time from which on the trace has only sums, and why. */
void hiera_sums_read_switch_over(HieraReadContext *context, const HieraAttributes *attributes);
