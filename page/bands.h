/* Collectives by level of detail: the page draws those that take longest, as bands over the lanes of their members. */
#ifndef HIERA_BANDS_H
#define HIERA_BANDS_H

#include "tiles.h"

/* Write the collectives of each level, with its tiles. @param details  of hiera_tiles_write() */
void hiera_bands_write(const HieraScene *scene, const GArray *details, FILE *stream);

#endif
