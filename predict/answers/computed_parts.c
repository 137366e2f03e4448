#include "computed_parts.h"
#include "calls/call_paths.h"
#include "calls/timeline.h"
#include "threads/rank_threads.h"
#include <stdlib.h>

struct ComputedParts {
    HieraCallPaths paths;
    SpeedParts speeds;
    guint32 node[COMPUTED_PARTS]; /* for each part: its call path, as node of the tree in `paths` */
    gboolean has_others;          /* whether the last part stands for all remaining call paths, instead of for one */
};

typedef struct {
    guint32 node;
    gint64 time_ns;
} NodeTime;

typedef struct {
    HieraCallPaths *paths;
    GArray *times; /* NodeTime: computation of each node (call path); indexed by node */
    SpeedParts *speeds;
    const guint8 *part; /* by node (call path): index of the part that it belongs to */
} Visit;

static void add_time(const HieraTimeSpan *span, gpointer data)
{
    Visit *visit = data;
    if (span->doing != HIERA_DOES_COMPUTE)
        return;
    guint32 node = hiera_call_paths_of_span(visit->paths, span);
    while (visit->times->len <= node) {
        const NodeTime none = {visit->times->len, 0};
        g_array_append_val(visit->times, none);
    }
    g_array_index(visit->times, NodeTime, node).time_ns += span->end_ns - span->begin_ns;
}

static void set_part(const HieraTimeSpan *span, gpointer data)
{
    Visit *visit = data;
    if (span->doing == HIERA_DOES_COMPUTE)
        *speed_parts_find(visit->speeds, span) = visit->part[hiera_call_paths_of_span(visit->paths, span)];
}

static int compare_times(const void *a, const void *b)
{
    const NodeTime *one = a, *other = b;
    if (one->time_ns != other->time_ns)
        return one->time_ns < other->time_ns ? 1 : -1;
    return (one->node > other->node) - (one->node < other->node);
}

/* Make a part for each call path (node) with much time, and one for all others. @return by node: index of its part */
static guint8 *choose(ComputedParts *parts, const GArray *times)
{
    g_autoptr(GArray) sorted = g_array_copy((GArray *)times);
    guint8 *part = g_malloc0(times->len + 1);
    qsort(sorted->data, sorted->len, sizeof(NodeTime), compare_times);
    for (guint i = 0; i < sorted->len; i++) {
        const NodeTime *time = &g_array_index(sorted, NodeTime, i);
        guint number = MIN(i, COMPUTED_PARTS - 1);
        part[time->node] = (guint8)number;
        if (i == number)
            parts->node[number] = time->node;
    }
    parts->has_others = sorted->len > COMPUTED_PARTS;
    parts->speeds.n = MIN(sorted->len, COMPUTED_PARTS);
    return part;
}

/* Visit what the main thread of a rank does, and what its other threads compute. */
static void visit_rank(const RecordedRun *run, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    const HieraRankThreads *threads = hiera_rank_threads_of(run->match, processor);
    hiera_timeline_visit(run->trace, processor, visit, user);
    for (guint i = 0; threads && i < threads->spans->len; i++) {
        const HieraThreadSpan *of = &g_array_index(threads->spans, HieraThreadSpan, i);
        const HieraTimeSpan span = {processor, of->row, of->next, of->doing, of->begin_ns, of->end_ns};
        if (of->thread != 0 && of->idles == HIERA_IDLE_NOT)
            visit(&span, user);
    }
}

ComputedParts *computed_parts_new(const RecordedRun *run)
{
    ComputedParts *parts = g_new0(ComputedParts, 1);
    const HieraTrace *trace = run->trace;
    const HieraScope all = HIERA_SCOPE_ALL;
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(NodeTime));
    hiera_call_paths_init(&parts->paths, trace, &all);
    parts->speeds.before = g_malloc0((gsize)trace->n_operations + 1);
    parts->speeds.inside = g_malloc0((gsize)trace->n_operations + trace->n_processors + 1);
    parts->speeds.n_operations = trace->n_operations;
    Visit visit = {&parts->paths, times, &parts->speeds, NULL};
    for (guint32 i = 0; i < trace->n_processors; i++)
        visit_rank(run, i, add_time, &visit);
    g_autofree guint8 *part = choose(parts, times);
    visit.part = part;
    for (guint32 i = 0; i < trace->n_processors; i++)
        visit_rank(run, i, set_part, &visit);
    return parts;
}

void computed_parts_free(ComputedParts *parts)
{
    hiera_call_paths_clear(&parts->paths);
    g_free(parts->speeds.before);
    g_free(parts->speeds.inside);
    g_free(parts);
}

const SpeedParts *computed_parts_peek(const ComputedParts *parts)
{
    return &parts->speeds;
}

const char *computed_parts_text(const ComputedParts *parts, guint part, HieraTable *table)
{
    if (parts->has_others && part == COMPUTED_PARTS - 1)
        return "all others";
    const char *path = hiera_call_paths_text(&parts->paths, parts->node[part], table);
    return *path ? path : "outside of all operations";
}
