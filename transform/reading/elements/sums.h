/* Operations that stand for several calls: reads their attributes, and the elements inside them. */
#pragma once

#include "hiera_summed.h"
#include "reading/context/read_context.h"

/* Make and free the arrays of `summed`, which serves for one operation after the other. */
void hiera_sums_init(HieraSummed *summed);
void hiera_summed_clear(HieraSummed *summed);
/* Read the sums of an element with the attribute `calls`. `operation` has been read from the same attributes. */
void hiera_sums_read(HieraReadContext *context, const HieraAttributes *attributes, const HieraOperation *operation,
                     HieraSummed *summed);
/* Make a single operation a sum over one call, because sums contain no single operations. */
void hiera_sums_of_one(const HieraOperation *operation, HieraSummed *summed);
/* Read a `hieraSpread`, a `hieraPart` and a `hieraWait` of the operation. */
void hiera_sums_read_spread(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed);
void hiera_sums_read_part(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed);
void hiera_sums_read_wait(HieraReadContext *context, const HieraAttributes *attributes, HieraSummed *summed);
/* Read a `hieraTurns`: single operations may follow, but the number of earlier calls on their channels is not known. */
void hiera_sums_read_turns(HieraReadContext *context, const HieraAttributes *attributes);
/* Read a `hieraSeam`. */
void hiera_sums_read_seam(HieraReadContext *context, const HieraAttributes *attributes);
