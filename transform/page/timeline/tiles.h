/* Operations by level of detail; README.md says what a level holds. */
#ifndef HIERA_TILES_H
#define HIERA_TILES_H

#include "base/rank_parts.h"
#include "levels.h"
#include <stdio.h>

/* Make one tile, to be freed with g_byte_array_unref. O(its operations + lanes × log operations).
 * @param tile  its number, below `n_tiles` */
GByteArray *hiera_tile_make(const HieraScene *scene, const HieraDetail *detail, guint32 tile);

/* The same of the lanes of this process alone; to be freed with g_ptr_array_unref. */
HieraRankParts *hiera_tile_make_parts(const HieraScene *scene, const HieraDetail *detail, guint32 tile);

/* Room for the levels in the file, so that the page of a run with many operations stays below 30 MB, that of a shorter
 * one below 10 MB. */
gsize hiera_tiles_room(guint32 n_operations);

/* Write the levels, the coarsest first, until all operations are there or the next one has no room.
 * @param max_bytes  room in the file
 * @return HieraDetail by level, to be freed with g_array_unref */
GArray *hiera_tiles_write(const HieraScene *scene, gsize max_bytes, FILE *stream);
/* The same of several processes, which all call it, and all get the levels; the one that leads writes them.
 * @param stream  NULL in the others */
GArray *hiera_tiles_write_together(const HieraScene *scene, FILE *stream);

#endif
