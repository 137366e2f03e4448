/* Operations in the timeline by level of detail; README.md describes what a level contains. */
#pragma once

#include "base/rank_parts.h"
#include "levels.h"
#include <stdio.h>

/* Make a tile, to be freed with g_byte_array_unref. O(its operations + lanes × log operations).
 * @param tile  its index, below `n_tiles` */
GByteArray *hiera_tile_make(const HieraScene *scene, const HieraDetail *detail, guint32 tile);

/* Make a tile with this process's lanes only: the bytes of each rank; to be freed with g_ptr_array_unref. */
HieraRankParts *hiera_tile_make_parts(const HieraScene *scene, const HieraDetail *detail, guint32 tile);

/* Return the space for levels in the file: the page of a run with many operations stays below 30 MB, that of a shorter
 * one below 10 MB. */
gsize hiera_tiles_room(guint32 n_operations);

/* Write the levels, coarsest first, until all operations are there or the next level does not fit.
 * @param max_bytes  space in the file
 * @return HieraDetail by level, to be freed with g_array_unref */
GArray *hiera_tiles_write(const HieraScene *scene, gsize max_bytes, FILE *stream);
/* Like hiera_tiles_write, with several processes: all must call it, and all get the levels; process 0 writes them.
 * @param stream  NULL in the other processes */
GArray *hiera_tiles_write_together(const HieraScene *scene, FILE *stream);
