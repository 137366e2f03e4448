/* Operations by level of detail; README.md says what a level holds. */
#ifndef HIERA_TILES_H
#define HIERA_TILES_H

#include "lanes.h"
#include <stdio.h>

/* A level. */
typedef struct {
    gint64 width_ns; /* operations that take at least so long are there */
    gint64 tile_ns;  /* time of a tile */
    guint32 n_tiles;
    guint64 n_merged; /* operations that stand in it only merged with others */
} HieraDetail;

/* Write the levels, the coarsest first, until all operations are there or the room is used up.
 * @param max_bytes  room in the file
 * @return HieraDetail by level, to be freed with g_array_unref */
GArray *hiera_tiles_write(const HieraScene *scene, gsize max_bytes, FILE *stream);

#endif
