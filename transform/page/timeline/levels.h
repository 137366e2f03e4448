/* The plan of the levels of detail: the resolution of each, and its division into tiles. README.md describes the
 * contents of a level. */
#pragma once

#include "lanes.h"

/* A level of detail of the timeline. */
typedef struct {
    gint64 width_ns; /* width of a pixel: operations in this level have at least this length */
    gint64 above_ns; /* operations of at least this length are in a coarser level instead */
    gint64 tile_ns;  /* time that one tile of the level covers */
    guint32 n_tiles;
    guint64 n_merged; /* number of operations that this level has only merged with neighbours */
} HieraDetail;

/* Plan all levels, coarsest first, down to one without merged operations. O(operations). With several processes, all
 * must call it, and all get the same plan.
 * @param on_demand  tiles are made on request: empty ones cost nothing, so tiles are as short as a screen
 * @return HieraDetail by level, to be freed with g_array_unref */
GArray *hiera_levels_plan(const HieraScene *scene, gboolean on_demand);

/* Return the index of the tile of a level that contains a time, counted from the begin of the run. */
guint32 hiera_level_tile(const HieraDetail *detail, gint64 time_ns);
