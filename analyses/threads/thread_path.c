/* Walks back from span to span, and from thread to thread; see thread_path.h. */
#include "thread_path.h"
#include "calls/timeline.h"
#include "thread_joins.h"

typedef struct {
    guint32 thread, to; /* the thread that waited, and the one that came last */
    guint32 join;       /* index of the join: of one moment, those before can be the cause of those behind */
    gint64 at_ns;       /* when that came */
} Hop;

static gint compare_moments(guint32 a_thread, gint64 a_ns, guint32 b_thread, gint64 b_ns)
{
    return a_thread != b_thread ? (a_thread > b_thread) - (a_thread < b_thread) : (a_ns > b_ns) - (a_ns < b_ns);
}

static gint compare_hops(gconstpointer left, gconstpointer right)
{
    const Hop *a = left, *b = right;
    gint order = compare_moments(a->thread, a->at_ns, b->thread, b->at_ns);
    return order != 0 ? order : (a->join > b->join) - (a->join < b->join);
}

/* Add the hops of a join: from each thread that waited to the one that came last; of several, to that with the least
 * number. */
static void add_hops(const HieraThreadPath *path, const HieraThreadJoins *joins, guint32 index)
{
    const HieraThreadJoin *join = &g_array_index(joins->joins, HieraThreadJoin, index);
    const HieraJoinMember *members = &g_array_index(joins->members, HieraJoinMember, join->first);
    const HieraJoinMember *last = NULL;
    for (guint i = 0; i < join->n; i++) {
        if (members[i].comes && (!last || members[i].arrival_ns > last->arrival_ns))
            last = &members[i];
    }
    for (guint i = 0; i < join->n; i++) {
        const Hop hop = {members[i].thread, last->thread, index, join->at_ns};
        if (members[i].waits)
            g_array_append_val(path->hops, hop);
    }
}

static void find_hops(HieraThreadPath *path)
{
    HieraThreadJoins joins;
    hiera_thread_joins_find(&joins, path->threads, path->trace, path->processor);
    for (guint i = 0; i < joins.joins->len; i++)
        add_hops(path, &joins, i);
    g_array_sort(path->hops, compare_hops);
    path->n_left_out = joins.n_left_out;
    hiera_thread_joins_clear(&joins);
}

gboolean hiera_thread_path_init(HieraThreadPath *path, const HieraMatch *match, guint32 processor)
{
    *path = (HieraThreadPath){.trace = hiera_match_peek_trace(match),
                              .processor = processor,
                              .threads = hiera_rank_threads_of(match, processor)};
    if (!path->threads)
        return FALSE;
    path->hops = g_array_new(FALSE, FALSE, sizeof(Hop));
    find_hops(path);
    return TRUE;
}

void hiera_thread_path_clear(HieraThreadPath *path)
{
    g_array_unref(path->hops);
}

/* Return the last hop of a thread before a moment, or at it by a join before another one; NULL: there is none. */
static const Hop *find_hop(const HieraThreadPath *path, guint32 thread, gint64 at_ns, guint32 join)
{
    const Hop behind = {.thread = thread, .join = join, .at_ns = at_ns};
    guint low = 0, high = path->hops->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (compare_hops(&g_array_index(path->hops, Hop, middle), &behind) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const Hop *last = low > 0 ? &g_array_index(path->hops, Hop, low - 1) : NULL;
    return last && last->thread == thread ? last : NULL;
}

/* Visit the spans of a thread between two moments, the latest first. @return the begin of the last one */
static gint64 visit_thread(const HieraThreadPath *path, guint32 thread, gint64 begin_ns, gint64 end_ns,
                           HieraSpanVisit visit, gpointer user)
{
    const HieraThreadSpan *span;
    while (end_ns > begin_ns && (span = hiera_thread_span_before(path->threads, thread, end_ns)) &&
           span->end_ns >= end_ns) {
        HieraDoing doing = span->idles == HIERA_IDLE_NOT ? span->doing : HIERA_DOES_IDLE;
        HieraTimeSpan part = {path->processor, span->row, span->next, doing, MAX(span->begin_ns, begin_ns), end_ns};
        visit(&part, user);
        end_ns = part.begin_ns;
    }
    return end_ns;
}

void hiera_thread_path_visit(const HieraThreadPath *path, gint64 begin_ns, gint64 end_ns, HieraSpanVisit visit,
                             gpointer user)
{
    guint32 thread = 0, join = G_MAXUINT32;
    for (gint64 at_ns = end_ns; at_ns > begin_ns;) {
        const Hop *hop = find_hop(path, thread, at_ns, join);
        gint64 from_ns = hop ? MAX(hop->at_ns, begin_ns) : begin_ns;
        at_ns = visit_thread(path, thread, from_ns, at_ns, visit, user);
        if (at_ns > from_ns && thread == 0)
            return;
        gboolean goes = hop && at_ns <= from_ns;
        thread = goes ? hop->to : 0;
        join = goes ? hop->join : join;
    }
}

/* --- when the chain is on other threads --- */

static gint compare_times(gconstpointer left, gconstpointer right)
{
    const Hop *a = *(const Hop *const *)left, *b = *(const Hop *const *)right;
    return a->at_ns != b->at_ns ? (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns)
                                : (a->join > b->join) - (a->join < b->join);
}

/* Return the hops in order of time (const Hop *). To be freed with g_ptr_array_unref. */
static GPtrArray *order_hops(const HieraThreadPath *path)
{
    GPtrArray *order = g_ptr_array_sized_new(path->hops->len);
    for (guint i = 0; i < path->hops->len; i++)
        g_ptr_array_add(order, &g_array_index(path->hops, Hop, i));
    g_ptr_array_sort(order, compare_times);
    return order;
}

void hiera_thread_path_detours(const HieraThreadPath *path, HieraDetourVisit visit, gpointer user)
{
    g_autoptr(GPtrArray) order = order_hops(path);
    g_autofree gint64 *main_ns = g_new(gint64, (gsize)path->hops->len + 1); /* by hop: when the chain comes from main */
    gint64 init_ns = path->trace->processors[path->processor].init_ns;
    for (guint i = 0; i < order->len; i++) {
        const Hop *hop = g_ptr_array_index(order, i);
        const Hop *before = hop->to == 0 ? NULL : find_hop(path, hop->to, hop->at_ns, hop->join);
        gsize index = (gsize)(hop - (const Hop *)(const void *)path->hops->data);
        if (hop->to == 0)
            main_ns[index] = hop->at_ns;
        else
            main_ns[index] = before ? main_ns[before - (const Hop *)(const void *)path->hops->data] : init_ns;
        if (hop->thread == 0 && main_ns[index] < hop->at_ns)
            visit(main_ns[index], hop->at_ns, user);
    }
}

/* --- the leading timeline --- */

typedef struct {
    const HieraThreadPath *path;
    GArray *parts;   /* HieraTimeSpan: of the chain between two calls, the latest first */
    gint64 begin_ns; /* end of the main thread's last call */
    HieraSpanVisit visit;
    gpointer user;
} Leading;

static void keep_part(const HieraTimeSpan *span, gpointer user)
{
    HieraTimeSpan part = *span;
    if (hiera_span_is_call(&part) || part.doing == HIERA_DOES_IDLE)
        part.doing = HIERA_DOES_COMPUTE;
    g_array_append_val(((Leading *)user)->parts, part);
}

/* Visit the chain since the last call. */
static void lead_until(Leading *leading, gint64 end_ns)
{
    g_array_set_size(leading->parts, 0);
    hiera_thread_path_visit(leading->path, leading->begin_ns, end_ns, keep_part, leading);
    for (guint i = leading->parts->len; i-- > 0;)
        leading->visit(&g_array_index(leading->parts, HieraTimeSpan, i), leading->user);
}

static void lead_span(const HieraTimeSpan *span, gpointer user)
{
    Leading *leading = user;
    if (!hiera_span_is_call(span))
        return;
    lead_until(leading, span->begin_ns);
    leading->visit(span, leading->user);
    leading->begin_ns = span->end_ns;
}

void hiera_leading_timeline_visit(const HieraMatch *match, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraThreadPath path;
    if (!hiera_thread_path_init(&path, match, processor)) {
        hiera_timeline_visit(trace, processor, visit, user);
        return;
    }
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(HieraTimeSpan));
    Leading leading = {&path, parts, trace->processors[processor].init_ns, visit, user};
    hiera_timeline_visit(trace, processor, lead_span, &leading);
    lead_until(&leading, trace->processors[processor].finalize_ns);
    hiera_thread_path_clear(&path);
}
