/* Operations by level of detail; README.md says what a level holds. */
#ifndef HIERA_TILES_H
#define HIERA_TILES_H

#include "levels.h"
#include <stdio.h>

/* Make one tile, to be freed with g_byte_array_unref. O(its operations + lanes × log operations).
 * @param tile  its number, below `n_tiles` */
GByteArray *hiera_tile_make(const HieraScene *scene, const HieraDetail *detail, guint32 tile);

/* Write the levels, the coarsest first, until all operations are there or the next one has no room.
 * @param max_bytes  room in the file
 * @return HieraDetail by level, to be freed with g_array_unref */
GArray *hiera_tiles_write(const HieraScene *scene, gsize max_bytes, FILE *stream);

#endif
