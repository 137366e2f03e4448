/* What each rank does over the run, in equal parts of it; who sends how much to whom; iterations. */
#ifndef HIERA_HEAT_H
#define HIERA_HEAT_H

#include "timeline/lanes.h"
#include <stdio.h>

/* Make the block `heat`, to be freed with g_byte_array_unref. Of several processes all call it; it is that of the one
 * that leads. @param waits  HieraWait of the whole run, by row */
GByteArray *hiera_heat_make(const HieraScene *scene, const GArray *waits);

/* Write the block `matrix`. @param table  of the measure `matrix`; NULL: no rows */
void hiera_matrix_write(const HieraTable *table, FILE *stream);

/* Write the block `iterations`. @param table  of the measure `phases --by iteration`; NULL: no rows */
void hiera_iterations_write(const HieraTable *table, FILE *stream);

#endif
