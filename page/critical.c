/* The block `critical`: segments of the critical path, the latest first; those that are shorter than a pixel of the
 * whole run only together, so that the block stays small. */
#include "block.h"
#include "paths/critical_walk.h"
#include "sums.h"

#define MAX_SEGMENTS 20000

/* The shortest segments that are written. */
static gint64 find_least(const GArray *segments)
{
    gint64 least_ns = 0;
    for (guint n = segments->len; n > MAX_SEGMENTS;) {
        least_ns = MAX(1, least_ns * 4);
        n = 0;
        for (guint i = 0; i < segments->len; i++) {
            const HieraPathSegment *segment = &g_array_index(segments, HieraPathSegment, i);
            n += segment->end_ns - segment->begin_ns >= least_ns;
        }
    }
    return least_ns;
}

void hiera_critical_write(const HieraScene *scene, const GArray *waits, FILE *stream)
{
    HieraCriticalPath path;
    hiera_critical_path_init(&path, scene->trace, waits);
    g_autoptr(GByteArray) block = g_byte_array_new(), list = g_byte_array_new();
    gint64 least_ns = find_least(path.segments), last_ns = 0;
    guint n = 0;
    for (guint i = 0; i < path.segments->len; i++) {
        const HieraPathSegment *segment = &g_array_index(path.segments, HieraPathSegment, i);
        gint64 length_ns = hiera_scope_clip(scene->scope, segment->begin_ns, segment->end_ns);
        guint32 rank = scene->trace->processors[segment->processor].rank;
        if (length_ns < MAX(1, least_ns) || !hiera_scope_accepts_rank(scene->scope, rank))
            continue;
        gint64 begin_ns = hiera_minus(MAX(segment->begin_ns, scene->begin_ns), scene->begin_ns);
        hiera_block_add(list, hiera_scene_main_lane(scene, segment->processor));
        hiera_block_add_signed(list, begin_ns - last_ns);
        hiera_block_add(list, length_ns);
        last_ns = begin_ns;
        n++;
    }
    hiera_block_add(block, path.segments->len);
    hiera_block_add(block, n);
    g_byte_array_append(block, list->data, list->len);
    hiera_block_write(block->data, block->len, stream, "critical");
    hiera_critical_path_clear(&path);
}
