/* Segments of a rank's time; see rank_times.h. */
#include "rank_times.h"
#include "calls/timeline.h"
#include <string.h>

typedef struct {
    HieraCallPaths *paths;
    const GArray *waits;
    guint *at;
    GArray *segments; /* HieraSegment */
    gint64 end_ns;    /* of the last one */
} Walk;

static void add_part(const HieraSpan *part, const HieraWait *wait, gpointer data)
{
    Walk *walk = data;
    HieraSegment segment = {part->begin_ns, wait ? HIERA_NONE : hiera_call_paths_of_span(walk->paths, part)};
    const HieraSegment *last =
        walk->segments->len == 0 ? NULL : &g_array_index(walk->segments, HieraSegment, walk->segments->len - 1);
    if (!last || last->node != segment.node)
        g_array_append_val(walk->segments, segment);
    walk->end_ns = part->end_ns;
}

static void add_span(const HieraSpan *span, gpointer data)
{
    Walk *walk = data;
    hiera_waits_cut(walk->waits, walk->at, span, add_part, walk);
}

static gint compare_nodes(gconstpointer left, gconstpointer right)
{
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    return (a > b) - (a < b);
}

/* Find the nodes that occur. @param place  by node, 0: becomes its place among them and 1 */
static void gather_nodes(HieraRankTimes *times, guint32 *place)
{
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < times->segments->len; i++) {
        guint32 node = g_array_index(times->segments, HieraSegment, i).node;
        if (node == HIERA_NONE || place[node] != 0)
            continue;
        place[node] = 1;
        g_array_append_val(nodes, node);
    }
    g_array_sort(nodes, compare_nodes);
    for (guint32 i = 0; i < nodes->len; i++)
        place[g_array_index(nodes, guint32, i)] = i + 1;
    times->n_nodes = nodes->len;
    times->nodes = (guint32 *)(void *)g_array_free(g_steal_pointer(&nodes), FALSE);
}

static guint32 find_local(const HieraRankTimes *times, guint32 node)
{
    const guint32 *at = bsearch(&node, times->nodes, times->n_nodes, sizeof node, compare_nodes);
    return at ? (guint32)(at - times->nodes) : HIERA_NONE;
}

/* Sort the segments by node, and add them up. */
static void sum_nodes(HieraRankTimes *times, const guint32 *place)
{
    guint n = times->segments->len;
    const HieraSegment *segments = (const HieraSegment *)(void *)times->segments->data;
    g_autofree guint32 *local = g_new(guint32, (gsize)n + 1);
    times->first = g_new0(guint32, (gsize)times->n_nodes + 2);
    for (guint i = 0; i + 1 < n; i++) {
        local[i] = segments[i].node == HIERA_NONE ? HIERA_NONE : place[segments[i].node] - 1;
        if (local[i] != HIERA_NONE)
            times->first[local[i] + 1]++;
    }
    for (guint32 i = 0; i < times->n_nodes; i++)
        times->first[i + 1] += times->first[i];
    times->times = g_new(HieraNodeTime, (gsize)n + 1);
    g_autofree guint32 *next = g_memdup2(times->first, ((gsize)times->n_nodes + 1) * sizeof *next);
    for (guint i = 0; i + 1 < n; i++) {
        if (local[i] == HIERA_NONE)
            continue;
        guint32 at = next[local[i]]++;
        gint64 before = at > times->first[local[i]] ? times->times[at - 1].sum_ns : 0;
        times->times[at] =
            (HieraNodeTime){segments[i].start_ns, before + segments[i + 1].start_ns - segments[i].start_ns};
    }
}

void hiera_rank_times_init(HieraRankTimes *times, HieraCallPaths *paths, guint32 processor, const GArray *waits,
                           guint *at)
{
    const HieraProcessor *of = &paths->trace->processors[processor];
    *times = (HieraRankTimes){.segments = g_array_new(FALSE, FALSE, sizeof(HieraSegment))};
    Walk walk = {paths, waits, at, times->segments, of->init_ns};
    hiera_timeline_visit(paths->trace, processor, add_span, &walk);
    HieraSegment end = {walk.end_ns, HIERA_NONE};
    g_array_append_val(times->segments, end);
    guint64 behind = of->first + of->n_operations;
    while (*at < waits->len && g_array_index(waits, HieraWait, *at).row < behind)
        (*at)++;
    g_autofree guint32 *place = g_new0(guint32, (gsize)paths->tree->nodes->len + 1);
    gather_nodes(times, place);
    sum_nodes(times, place);
}

void hiera_rank_times_clear(HieraRankTimes *times)
{
    g_array_unref(times->segments);
    g_free(times->nodes);
    g_free(times->first);
    g_free(times->times);
}

/* --- questions --- */

/* Return the index of the last segment that begins at or before a time; 0 if there is none. */
static guint find_segment(const GArray *segments, gint64 at_ns)
{
    guint low = 0, high = segments->len;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(segments, HieraSegment, middle).start_ns <= at_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

gint64 hiera_rank_times_of(const HieraRankTimes *times, guint32 node)
{
    guint32 local = find_local(times, node);
    if (local == HIERA_NONE || times->first[local + 1] == times->first[local])
        return 0;
    return times->times[times->first[local + 1] - 1].sum_ns;
}

/* Return the time of a node before a time. */
static gint64 sum_before(const HieraRankTimes *times, guint32 local, gint64 at_ns)
{
    guint32 first = times->first[local], low = first, high = times->first[local + 1];
    while (low < high) { /* `low` becomes the number of segments that begin before the time */
        guint32 middle = low + (high - low) / 2;
        if (times->times[middle].start_ns < at_ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == first)
        return 0;
    gint64 earlier = low - 1 > first ? times->times[low - 2].sum_ns : 0;
    return MIN(times->times[low - 1].sum_ns, earlier + at_ns - times->times[low - 1].start_ns);
}

void hiera_rank_times_visit(const HieraRankTimes *times, gint64 from_ns, gint64 to_ns, HieraNodeVisit visit,
                            gpointer user)
{
    const HieraSegment *segments = (const HieraSegment *)(void *)times->segments->data;
    guint first = find_segment(times->segments, from_ns), last = find_segment(times->segments, to_ns);
    if (to_ns <= from_ns)
        return;
    if (last - first > 16 + times->n_nodes * 4) {
        for (guint32 i = 0; i < times->n_nodes; i++) {
            gint64 time_ns = sum_before(times, i, to_ns) - sum_before(times, i, from_ns);
            if (time_ns > 0)
                visit(times->nodes[i], time_ns, user);
        }
        return;
    }
    for (guint i = first; i <= last && i + 1 < times->segments->len; i++) {
        gint64 begin_ns = MAX(segments[i].start_ns, from_ns), end_ns = MIN(segments[i + 1].start_ns, to_ns);
        if (segments[i].node != HIERA_NONE && begin_ns < end_ns)
            visit(segments[i].node, end_ns - begin_ns, user);
    }
}
