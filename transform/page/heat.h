/* What each rank does over time, in equal parts of the run; data volume between ranks; iterations. */
#pragma once

#include "timeline/lanes.h"
#include <stdio.h>

/* Make the block `heat`, to be freed with g_byte_array_unref. With several processes, all must call it; process 0 gets
 * the whole block. @param waits  HieraWait of the whole run, by row */
GByteArray *hiera_heat_make(const HieraScene *scene, const HieraMatch *match, const GArray *waits);

/* Write the block `matrix`: who sends how much to whom. @param table  of the measure `matrix`; NULL: no rows */
void hiera_matrix_write(const HieraTable *table, FILE *stream);

/* Write the block `iterations`. @param table  of the measure `phases --by iteration`; NULL: no rows */
void hiera_iterations_write(const HieraTable *table, FILE *stream);
