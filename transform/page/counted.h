/* The block `counted`: what counters counted in each call path, by rank. */
#ifndef HIERA_PAGE_COUNTED_H
#define HIERA_PAGE_COUNTED_H

#include "calls/call_paths.h"
#include "sums.h"

/* @param paths  of the block `tree`, whose nodes it names */
void hiera_counted_write(const HieraScene *scene, FILE *stream);

#endif
