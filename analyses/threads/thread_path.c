/* Walks back from span to span, and from thread to thread; see thread_path.h. */
#include "thread_path.h"
#include "calls/timeline.h"
#include "thread_teams.h"

typedef struct {
    guint32 thread, to; /* the thread that idles, and the one that it waits for */
    gint64 begin_ns;    /* begin of the idle span */
    gint64 late_ns;     /* when the other one comes */
} Hop;

static gint compare_moments(guint32 a_thread, gint64 a_ns, guint32 b_thread, gint64 b_ns)
{
    return a_thread != b_thread ? (a_thread > b_thread) - (a_thread < b_thread) : (a_ns > b_ns) - (a_ns < b_ns);
}

static gint compare_hops(gconstpointer left, gconstpointer right)
{
    const Hop *a = left, *b = right;
    return compare_moments(a->thread, a->begin_ns, b->thread, b->begin_ns);
}

static gint compare_spans(gconstpointer left, gconstpointer right)
{
    const HieraThreadSpan *a = *(const HieraThreadSpan *const *)left, *b = *(const HieraThreadSpan *const *)right;
    return compare_moments(a->thread, a->begin_ns, b->thread, b->begin_ns);
}

static void add_hop(const HieraTeamWait *wait, gpointer hops)
{
    Hop hop = {wait->thread, wait->late, wait->begin_ns, wait->late_ns};
    if (wait->thread != HIERA_NONE && wait->late != HIERA_NONE)
        g_array_append_val((GArray *)hops, hop);
}

gboolean hiera_thread_path_init(HieraThreadPath *path, const HieraTrace *trace, guint32 processor)
{
    *path = (HieraThreadPath){.trace = trace, .processor = processor};
    if (!hiera_rank_threads_find(&path->threads, trace, processor))
        return FALSE;
    const GArray *spans = path->threads.spans;
    path->spans = g_ptr_array_sized_new(spans->len);
    path->hops = g_array_new(FALSE, FALSE, sizeof(Hop));
    for (guint i = 0; i < spans->len; i++)
        g_ptr_array_add(path->spans, &g_array_index(spans, HieraThreadSpan, i));
    g_ptr_array_sort(path->spans, compare_spans);
    hiera_team_waits_visit(&path->threads, trace, processor, add_hop, path->hops);
    g_array_sort(path->hops, compare_hops);
    return TRUE;
}

void hiera_thread_path_clear(HieraThreadPath *path)
{
    g_ptr_array_unref(path->spans);
    g_array_unref(path->hops);
    hiera_rank_threads_clear(&path->threads);
}

/* Return the last span of a thread that begins before a moment; NULL: none does. */
static const HieraThreadSpan *find_span(const HieraThreadPath *path, guint32 thread, gint64 before_ns)
{
    guint low = 0, high = path->spans->len;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        const HieraThreadSpan *span = g_ptr_array_index(path->spans, middle);
        if (compare_moments(span->thread, span->begin_ns, thread, before_ns) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    const HieraThreadSpan *last = low > 0 ? g_ptr_array_index(path->spans, low - 1) : NULL;
    return last && last->thread == thread ? last : NULL;
}

static const Hop *find_hop(const HieraThreadPath *path, const HieraThreadSpan *span)
{
    const Hop wanted = {.thread = span->thread, .begin_ns = span->begin_ns};
    guint at;
    if (span->idles == HIERA_IDLE_NOT || !g_array_binary_search(path->hops, &wanted, compare_hops, &at))
        return NULL;
    return &g_array_index(path->hops, Hop, at);
}

void hiera_thread_path_visit(const HieraThreadPath *path, gint64 begin_ns, gint64 end_ns, HieraSpanVisit visit,
                             gpointer user)
{
    guint32 thread = 0;
    gboolean hopped = FALSE; /* whether the last step went to another thread, without any time */
    for (gint64 at_ns = end_ns; at_ns > begin_ns;) {
        const HieraThreadSpan *span = find_span(path, thread, at_ns);
        if (!span || (thread != 0 && span->end_ns < at_ns)) {
            if (thread == 0)
                return;
            thread = 0;
            continue;
        }
        const Hop *hop = hopped ? NULL : find_hop(path, span);
        gint64 until_ns = MIN(span->end_ns, at_ns), from_ns = MAX(span->begin_ns, begin_ns);
        if (hop)
            from_ns = CLAMP(hop->late_ns, from_ns, until_ns);
        HieraTimeSpan part = {path->processor, span->row, span->next, span->doing, from_ns, until_ns};
        if (from_ns < until_ns)
            visit(&part, user);
        hopped = hop && from_ns == until_ns;
        at_ns = from_ns;
        if (hop)
            thread = hop->to;
        else if (span->idles == HIERA_IDLE_START && from_ns == span->begin_ns)
            thread = path->trace->thread[g_array_index(path->threads.teams, HieraTeam, span->team).row];
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
    if (hiera_span_is_call(&part))
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

void hiera_leading_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    HieraThreadPath path;
    if (!hiera_thread_path_init(&path, trace, processor)) {
        hiera_timeline_visit(trace, processor, visit, user);
        return;
    }
    g_autoptr(GArray) parts = g_array_new(FALSE, FALSE, sizeof(HieraTimeSpan));
    Leading leading = {&path, parts, trace->processors[processor].init_ns, visit, user};
    hiera_timeline_visit(trace, processor, lead_span, &leading);
    lead_until(&leading, trace->processors[processor].finalize_ns);
    hiera_thread_path_clear(&path);
}
