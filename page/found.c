/* Of many operations the first ones are given, level of detail by level, so that the longest of them are there. */
#include "found.h"
#include "block.h"

#define MAX_FOUND 5000

static guint level_of(const GArray *details, gint64 length_ns)
{
    guint level = 0;
    while (level + 1 < details->len && length_ns < g_array_index(details, HieraDetail, level).width_ns)
        level++;
    return level;
}

static gint64 length_of(const HieraScene *scene, guint32 row)
{
    return hiera_scene_finish(scene, row) - hiera_scene_start(scene, row);
}

/* Whether an operation is chosen, and the page shows it. */
static gboolean is_found(const HieraScene *scene, const guint8 *chosen, guint32 row)
{
    return chosen[row] && hiera_scene_shows(scene, row);
}

/* Take the found operations off the room, level by level: how many of each level are given. */
static guint64 share_room(const HieraScene *scene, const GArray *details, const guint8 *chosen, guint64 *room)
{
    guint64 total = 0, left = MAX_FOUND;
    for (guint32 row = 0; row < scene->trace->n_operations; row++) {
        if (!is_found(scene, chosen, row))
            continue;
        room[level_of(details, length_of(scene, row))]++;
        total++;
    }
    for (guint i = 0; i < details->len; i++) {
        room[i] = MIN(room[i], left);
        left -= room[i];
    }
    return total;
}

static void add_row(GByteArray *block, const HieraScene *scene, guint32 row)
{
    hiera_block_add(block, hiera_scene_lane(scene, row));
    hiera_block_add(block, scene->trace->depth[row]);
    hiera_block_add(block, hiera_scene_start(scene, row));
    hiera_block_add(block, length_of(scene, row));
    hiera_block_add(block, scene->order.position[scene->trace->site[row]]);
    hiera_block_add(block, row);
    hiera_block_add(block, scene->waiting[row]);
}

GByteArray *hiera_found_make(const HieraScene *scene, const GArray *details, const guint8 *chosen)
{
    g_autofree guint64 *room = g_new0(guint64, details->len);
    guint64 total = share_room(scene, details, chosen, room), n = 0;
    for (guint i = 0; i < details->len; i++)
        n += room[i];
    GByteArray *block = g_byte_array_new();
    hiera_block_add(block, (gint64)total);
    hiera_block_add(block, (gint64)n);
    for (guint32 row = 0; n > 0; row++) {
        gboolean found = is_found(scene, chosen, row);
        guint level = found ? level_of(details, length_of(scene, row)) : 0;
        if (!found || room[level] == 0)
            continue;
        room[level]--;
        n--;
        add_row(block, scene, row);
    }
    return block;
}

guint8 *hiera_found_by_site(const HieraScene *scene, const guint32 *sites, guint n)
{
    g_autofree guint8 *wanted = g_new0(guint8, scene->order.n + 1);
    guint8 *chosen = g_new(guint8, scene->trace->n_operations + 1);
    for (guint i = 0; i < n; i++)
        wanted[MIN(sites[i], scene->order.n)] = 1;
    wanted[scene->order.n] = 0;
    for (guint32 row = 0; row < scene->trace->n_operations; row++)
        chosen[row] = wanted[scene->order.position[scene->trace->site[row]]];
    return chosen;
}
