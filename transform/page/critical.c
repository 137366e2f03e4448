/* The block `critical`: segments of the critical path, latest first. If there are many, only the longest are written,
 * so that the block stays small. */
#include "base/block.h"
#include "base/together.h"
#include "sums.h"

#define MAX_SEGMENTS 20000

/* Return the length of a segment in ns, as far as it lies in the part of the run that the page shows. */
static gint64 shown_ns(const HieraScene *scene, const HieraPathSegment *segment)
{
    guint32 rank = scene->trace->processors[segment->processor].rank;
    return hiera_scope_accepts_rank(scene->scope, rank)
               ? hiera_scope_clip(scene->scope, segment->begin_ns, segment->end_ns)
               : 0;
}

/* Compare two lengths; the longer one comes first. */
static gint compare_lengths(gconstpointer a, gconstpointer b)
{
    gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return (x < y) - (x > y);
}

/* Return the least length of the segments that are written.
 * @param n  becomes the number of all segments */
static gint64 find_least(const HieraScene *scene, const GArray *segments, guint *n)
{
    g_autoptr(GArray) lengths = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < segments->len; i++) {
        gint64 length_ns = shown_ns(scene, &g_array_index(segments, HieraPathSegment, i));
        if (length_ns > 0)
            g_array_append_val(lengths, length_ns);
    }
    *n = lengths->len;
    g_array_sort(lengths, compare_lengths);
    return lengths->len <= MAX_SEGMENTS ? 1 : g_array_index(lengths, gint64, MAX_SEGMENTS - 1);
}

/* Append a segment to the block. @param last_ns  begin of the segment that was appended before */
static void add_segment(GByteArray *list, const HieraScene *scene, const HieraPathSegment *segment, gint64 *last_ns)
{
    gint64 begin_ns = hiera_minus(MAX(segment->begin_ns, scene->begin_ns), scene->begin_ns);
    hiera_block_add(list, hiera_scene_main_lane(scene, segment->processor));
    hiera_block_add_signed(list, begin_ns - *last_ns);
    hiera_block_add(list, shown_ns(scene, segment));
    *last_ns = begin_ns;
}

/* A segment as process 0 sends it to the other processes. */
typedef struct {
    gint64 processor, begin_ns, end_ns;
} SentSegment;

void hiera_page_path_find(HieraCriticalPath *path, const HieraScene *scene, const GArray *waits)
{
    HieraCriticalPath found;
    g_autoptr(GArray) steps = hiera_path_steps_find(scene->match, waits, scene->scope),
                      sent = g_array_new(FALSE, FALSE, sizeof(SentSegment));
    hiera_scope_gather_array(scene->scope, scene->trace, steps);
    hiera_critical_path_follow(&found, scene->trace, steps);
    for (guint i = 0; i < found.segments->len; i++) {
        const HieraPathSegment *of = &g_array_index(found.segments, HieraPathSegment, i);
        const SentSegment segment = {of->processor, of->begin_ns, of->end_ns};
        g_array_append_val(sent, segment);
    }
    hiera_critical_path_clear(&found);
    hiera_scope_tell_array(scene->scope, scene->trace, sent);
    hiera_critical_path_begin(path, scene->trace);
    for (guint i = 0; i < sent->len; i++) {
        const SentSegment *segment = &g_array_index(sent, SentSegment, i);
        hiera_critical_path_add(path, (guint32)segment->processor, segment->begin_ns, segment->end_ns);
    }
}

void hiera_critical_write(const HieraScene *scene, const HieraCriticalPath *path, FILE *stream)
{
    g_autoptr(GByteArray) block = g_byte_array_new(), list = g_byte_array_new();
    guint total, n = 0;
    gint64 least_ns = find_least(scene, path->segments, &total), last_ns = 0;
    for (guint i = 0; i < path->segments->len && n < MAX_SEGMENTS; i++) {
        const HieraPathSegment *segment = &g_array_index(path->segments, HieraPathSegment, i);
        if (shown_ns(scene, segment) < least_ns)
            continue;
        add_segment(list, scene, segment, &last_ns);
        n++;
    }
    hiera_block_add(block, total);
    hiera_block_add(block, n);
    g_byte_array_append(block, list->data, list->len);
    hiera_block_write(block->data, block->len, stream, "critical");
}
