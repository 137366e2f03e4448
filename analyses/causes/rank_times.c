/* Sums of time by node before each block of segments make queries fast; see rank_times.h. */
#include "rank_times.h"
#include "calls/timeline.h"
#include "threads/thread_path.h"
#include <stdlib.h>
#include <string.h>

/* State while the segments of a rank are found; until sum_blocks, `place` has nodes instead of indices. */
typedef struct {
    HieraCallPaths *paths;
    const GArray *waits;
    guint *at;
    HieraRankTimes *times;
    gint64 end_ns; /* end of the last segment so far */
} Walk;

static void set_room(HieraRankTimes *times, guint n)
{
    times->n_room = n;
    times->start_ns = g_renew(gint64, times->start_ns, n);
    times->place = g_renew(guint32, times->place, n);
}

static void append(HieraRankTimes *times, gint64 start_ns, guint32 node)
{
    if (times->n_segments == times->n_room)
        set_room(times, MAX(2 * times->n_room, 16));
    times->start_ns[times->n_segments] = start_ns;
    times->place[times->n_segments++] = node;
}

static void add_part(const HieraTimeSpan *part, const HieraWait *wait, gpointer data)
{
    Walk *walk = data;
    HieraRankTimes *times = walk->times;
    guint32 node = wait ? HIERA_NONE : hiera_call_paths_of_span(walk->paths, part);
    if (times->n_segments == 0 || times->place[times->n_segments - 1] != node)
        append(times, part->begin_ns, node);
    walk->end_ns = part->end_ns;
}

static void add_span(const HieraTimeSpan *span, gpointer data)
{
    Walk *walk = data;
    hiera_waits_cut(walk->waits, walk->at, span, add_part, walk);
}

static gint compare_nodes(gconstpointer left, gconstpointer right)
{
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    return (a > b) - (a < b);
}

/* Set `nodes` to the nodes in `place`. @param place  by node, all 0: becomes 1 + the node's index in `nodes` */
static void gather_nodes(HieraRankTimes *times, guint32 *place)
{
    g_autoptr(GArray) nodes = g_array_new(FALSE, FALSE, sizeof(guint32));
    for (guint i = 0; i < times->n_segments; i++) {
        guint32 node = times->place[i];
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

static guint block_of(const HieraRankTimes *times)
{
    return 16 + 4 * times->n_nodes;
}

/* Replace the nodes in `place` by their indices, and set `sums`. @param place  by node: 1 + its index */
static void sum_blocks(HieraRankTimes *times, const guint32 *place)
{
    gsize n = times->n_segments - 1, block = block_of(times);
    times->n_blocks = (guint32)((n + block - 1) / block);
    gint64 *sums = times->sums = g_new0(gint64, ((gsize)times->n_blocks + 1) * times->n_nodes);
    for (gsize first = 0; first < n && times->n_nodes > 0; first += block) {
        memcpy(sums + times->n_nodes, sums, times->n_nodes * sizeof *sums);
        sums += times->n_nodes;
        for (gsize i = first; i < MIN(first + block, n); i++) {
            if (times->place[i] == HIERA_NONE)
                continue;
            times->place[i] = place[times->place[i]] - 1;
            sums[times->place[i]] += times->start_ns[i + 1] - times->start_ns[i];
        }
    }
}

void hiera_rank_times_init(HieraRankTimes *times, const HieraMatch *match, HieraCallPaths *paths, guint32 processor,
                           const GArray *waits, guint *at)
{
    const HieraProcessor *of = &paths->trace->processors[processor];
    *times = (HieraRankTimes){0};
    Walk walk = {paths, waits, at, times, of->init_ns};
    if (paths->units)
        hiera_timeline_visit(paths->trace, processor, add_span, &walk);
    else
        hiera_leading_timeline_visit(match, processor, add_span, &walk);
    append(times, walk.end_ns, HIERA_NONE);
    set_room(times, times->n_segments);
    guint64 behind = of->first + of->n_operations;
    while (*at < waits->len && g_array_index(waits, HieraWait, *at).row < behind)
        (*at)++;
    g_autofree guint32 *place = g_new0(guint32, (gsize)paths->tree->nodes->len + 1);
    gather_nodes(times, place);
    sum_blocks(times, place);
}

/* --- new node numbers --- */

typedef struct {
    guint32 node, place; /* new number of a node; its old index in `nodes` */
} Moved;

static int compare_moved(const void *left, const void *right)
{
    const Moved *a = left, *b = right;
    return (a->node > b->node) - (a->node < b->node);
}

/* Change the indices of nodes in segments and sums. @param moved  by new index */
static void move_places(HieraRankTimes *times, const Moved *moved)
{
    guint32 n = times->n_nodes;
    g_autofree guint32 *to = g_new(guint32, (gsize)n + 1);
    g_autofree gint64 *row = g_new(gint64, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++)
        to[moved[i].place] = i;
    for (guint i = 0; i < times->n_segments; i++)
        times->place[i] = times->place[i] == HIERA_NONE ? HIERA_NONE : to[times->place[i]];
    for (gsize block = 0; block <= times->n_blocks; block++) {
        gint64 *sums = times->sums + block * n;
        memcpy(row, sums, n * sizeof *row);
        for (guint32 i = 0; i < n; i++)
            sums[i] = row[moved[i].place];
    }
}

void hiera_rank_times_move(HieraRankTimes *times, const guint32 *to)
{
    gboolean rises = TRUE;
    g_autofree Moved *moved = g_new(Moved, (gsize)times->n_nodes + 1);
    for (guint32 i = 0; i < times->n_nodes; i++) {
        moved[i] = (Moved){to[times->nodes[i]], i};
        rises = rises && (i == 0 || moved[i - 1].node < moved[i].node);
    }
    if (!rises) {
        qsort(moved, times->n_nodes, sizeof *moved, compare_moved);
        move_places(times, moved);
    }
    for (guint32 i = 0; i < times->n_nodes; i++)
        times->nodes[i] = moved[i].node;
}

void hiera_rank_times_clear(HieraRankTimes *times)
{
    g_free(times->start_ns);
    g_free(times->place);
    g_free(times->nodes);
    g_free(times->sums);
}

/* --- queries: time of a rank in a node --- */

/* Return the index of the last segment that begins at or before at_ns; 0 if there is none. */
static guint find_segment(const HieraRankTimes *times, gint64 at_ns)
{
    guint low = 0, high = times->n_segments;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (times->start_ns[middle] <= at_ns)
            low = middle;
        else
            high = middle;
    }
    return low;
}

gint64 hiera_rank_times_of(const HieraRankTimes *times, guint32 node)
{
    const guint32 *at =
        times->n_nodes > 0 ? bsearch(&node, times->nodes, times->n_nodes, sizeof node, compare_nodes) : NULL;
    return at ? times->sums[(gsize)times->n_blocks * times->n_nodes + (gsize)(at - times->nodes)] : 0;
}

/* Add the times before a time: sums of complete blocks, then segment by segment.
 * @param sign     1 or -1
 * @param segment  the segment in which the time lies */
static void add_before(const HieraRankTimes *times, guint segment, gint64 at_ns, gint64 sign, gint64 *sums)
{
    const gint64 *start_ns = times->start_ns;
    guint block = segment / block_of(times);
    const gint64 *before = times->sums + (gsize)block * times->n_nodes;
    for (guint32 i = 0; i < times->n_nodes; i++)
        sums[i] += sign * before[i];
    for (guint i = block * block_of(times); i <= segment && start_ns[i] < at_ns; i++) {
        gint64 end_ns = i < segment ? start_ns[i + 1] : at_ns;
        if (times->place[i] != HIERA_NONE)
            sums[times->place[i]] += sign * (end_ns - start_ns[i]);
    }
}

static void visit_sums(const HieraRankTimes *times, guint first, gint64 from_ns, guint last, gint64 to_ns,
                       HieraNodeVisit visit, gpointer user)
{
    g_autofree gint64 *sums = g_new0(gint64, times->n_nodes);
    add_before(times, last, to_ns, 1, sums);
    add_before(times, first, from_ns, -1, sums);
    for (guint32 i = 0; i < times->n_nodes; i++) {
        if (sums[i] > 0)
            visit(times->nodes[i], sums[i], user);
    }
}

void hiera_rank_times_visit(const HieraRankTimes *times, gint64 from_ns, gint64 to_ns, HieraNodeVisit visit,
                            gpointer user)
{
    const gint64 *start_ns = times->start_ns;
    guint first = find_segment(times, from_ns), last = find_segment(times, to_ns);
    if (to_ns <= from_ns)
        return;
    if (last - first > block_of(times)) {
        visit_sums(times, first, from_ns, last, to_ns, visit, user);
        return;
    }
    for (guint i = first; i <= last && i + 1 < times->n_segments; i++) {
        gint64 begin_ns = MAX(start_ns[i], from_ns), end_ns = MIN(start_ns[i + 1], to_ns);
        if (times->place[i] != HIERA_NONE && begin_ns < end_ns)
            visit(times->nodes[times->place[i]], end_ns - begin_ns, user);
    }
}
