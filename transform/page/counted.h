/* The page's block `counted`: values of counters in each call path, by rank. */
#pragma once

#include "calls/call_paths.h"
#include "sums.h"

/* Write the block `counted`, which refers to call paths by their node in the block `tree`. */
void hiera_counted_write(const HieraScene *scene, FILE *stream);
