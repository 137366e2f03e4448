/* Exact sums of the whole run: by call path and rank, by time and rank, and the critical path. */
#ifndef HIERA_SUMS_H
#define HIERA_SUMS_H

#include "lanes.h"
#include "worst.h"

/* Write the block `tree`.
 * @param waits  of the whole run, by row
 * @param known  gets the worst operations of the paths */
void hiera_tree_write(const HieraScene *scene, const GArray *waits, HieraWorst *known, FILE *stream);
/* Write the block `critical`. @param waits  of the whole run */
void hiera_critical_write(const HieraScene *scene, const GArray *waits, FILE *stream);

#endif
