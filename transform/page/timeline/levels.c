/* See levels.h. An operation belongs to the first level whose width is at most its length. One pass counts the
 * operations of each level. */
#include "levels.h"

#define PIXELS        2048 /* width of the whole run in pixels at the coarsest level of detail */
#define FACTOR        8    /* ratio of the pixel widths of consecutive levels */
#define MAX_LEVELS    18   /* most levels; the last level's width is 0, so that it has all remaining operations */
#define ROWS_PER_TILE 20000
#define MAX_TILES     4096

static gint64 length_of(const HieraScene *scene, guint32 row)
{
    return hiera_scene_finish(scene, row) - hiera_scene_start(scene, row);
}

/* Set the width of a pixel in ns for all levels, the coarsest first. Return the number of levels. */
static guint find_widths(const HieraScene *scene, gint64 *widths)
{
    gint64 width_ns = MAX(1, hiera_minus(scene->end_ns, scene->begin_ns)) / PIXELS;
    guint n = 0;
    for (; n < MAX_LEVELS - 1 && width_ns > 0; width_ns /= FACTOR)
        widths[n++] = width_ns;
    widths[n++] = 0;
    return n;
}

/* Add the number of a lane's rows in each level to `rows`. */
static void count_rows(const HieraScene *scene, const HieraLane *lane, const gint64 *widths, gint64 *rows)
{
    for (guint32 row = lane->first; row < lane->first + lane->n_rows; row++) {
        gint64 length_ns = length_of(scene, row);
        guint level = 0;
        if (!hiera_scene_has(scene, row))
            continue;
        while (length_ns < widths[level])
            level++;
        rows[level]++;
    }
}

/* Return the number of rows in each level over all processes: GArray of gint64, to be freed with g_array_unref. */
static GArray *count_all(const HieraScene *scene, const gint64 *widths)
{
    GArray *rows = g_array_new(FALSE, TRUE, sizeof(gint64));
    g_array_set_size(rows, MAX_LEVELS);
    gint64 *first = &g_array_index(rows, gint64, 0);
    for (guint i = 0; i < scene->lanes->len; i++)
        count_rows(scene, &g_array_index(scene->lanes, HieraLane, i), widths, first);
    hiera_scope_add_up(scene->scope, scene->trace, first, MAX_LEVELS);
    hiera_scope_tell_array(scene->scope, scene->trace, rows);
    return rows;
}

GArray *hiera_levels_plan(const HieraScene *scene, gboolean on_demand)
{
    GArray *details = g_array_new(FALSE, FALSE, sizeof(HieraDetail));
    gint64 run_ns = MAX(1, hiera_minus(scene->end_ns, scene->begin_ns)), widths[MAX_LEVELS];
    guint64 left = 0, max_tiles = 1;
    guint n = find_widths(scene, widths);
    g_autoptr(GArray) rows = count_all(scene, widths);
    for (guint i = 0; i < n; i++)
        left += (guint64)g_array_index(rows, gint64, i);
    for (guint i = 0; i < n && (i == 0 || left > 0); i++, max_tiles = MIN(max_tiles * FACTOR, MAX_TILES)) {
        HieraDetail detail = {.width_ns = widths[i], .above_ns = i ? widths[i - 1] : G_MAXINT64};
        detail.n_tiles = (guint32)(on_demand ? max_tiles : CLAMP(left / ROWS_PER_TILE, 1, max_tiles));
        detail.tile_ns = run_ns / detail.n_tiles + 1;
        left -= (guint64)g_array_index(rows, gint64, i);
        detail.n_merged = left;
        g_array_append_val(details, detail);
    }
    return details;
}

guint32 hiera_level_tile(const HieraDetail *detail, gint64 time_ns)
{
    return (guint32)CLAMP(time_ns / detail->tile_ns, 0, (gint64)detail->n_tiles - 1);
}
