/* The plan of the levels of detail: how fine each is, and how it is cut into tiles. README.md says what a level holds.
 */
#ifndef HIERA_PAGE_LEVELS_H
#define HIERA_PAGE_LEVELS_H

#include "lanes.h"

/* A level. */
typedef struct {
    gint64 width_ns; /* operations that take at least so long are there */
    gint64 above_ns; /* unless they take so long or longer: then they are in a coarser level */
    gint64 tile_ns;  /* time of a tile */
    guint32 n_tiles;
    guint64 n_merged; /* operations that stand in it only merged with others */
} HieraDetail;

/* Plan all levels, the coarsest first, down to one that has no merged operations. O(operations). Of several processes
 * all call it, and all get the same.
 * @param on_demand  tiles are made when they are asked for: empty ones cost nothing, so they are as short as a screen
 * @return HieraDetail by level, to be freed with g_array_unref */
GArray *hiera_levels_plan(const HieraScene *scene, gboolean on_demand);

/* The tile of a level in which a time from the begin of the run lies. */
guint32 hiera_level_tile(const HieraDetail *detail, gint64 time_ns);

#endif
