/* What each rank does over the run, in equal parts of it, and who sends how much to whom. */
#ifndef HIERA_HEAT_H
#define HIERA_HEAT_H

#include "lanes.h"
#include <stdio.h>

/* Write the block `heat`. @param waits  HieraWait of the whole run, by row */
void hiera_heat_write(const HieraScene *scene, const GArray *waits, FILE *stream);

/* Write the block `matrix`. @param table  of the measure `matrix`; NULL: no rows */
void hiera_matrix_write(const HieraTable *table, FILE *stream);

#endif
