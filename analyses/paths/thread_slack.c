/* See thread_slack.h. Times of a thread only matter through how much later it could be: one number for each thread,
 * which its spans pass on unchanged, and joins combine. */
#include "thread_slack.h"
#include "calls/timeline.h"
#include "threads/thread_joins.h"

typedef struct {
    HieraTimeSpan span;
    guint32 thread, number; /* number: in order of time in its thread */
    gboolean idles;
} Span;

typedef struct {
    const HieraDependences *of;
    const gint64 *slack;
    gint64 at_end, last_ns; /* last_ns: end of the run, before which no slack can end */
    HieraThreadSlackDoubts *doubts;
    guint32 first, behind; /* calls of the processor */
    guint32 call;          /* index behind the call of the main thread that comes next, backward */
    GArray *spans;         /* Span */
    GHashTable *later;     /* thread → gint64: how much later it could be; HIERA_TOO_LARGE: nobody waits for it */
    HieraThreadJoins joins;
    HieraThreadSlackVisit visit;
    gpointer user;
} Search;

static void add_main(const HieraTimeSpan *span, gpointer user)
{
    const Search *search = user;
    const Span added = {*span, 0, search->spans->len, FALSE};
    g_array_append_val(search->spans, added);
}

static gint compare_begins(gconstpointer left, gconstpointer right)
{
    const Span *a = left, *b = right;
    return (a->span.begin_ns > b->span.begin_ns) - (a->span.begin_ns < b->span.begin_ns);
}

/* Mark the spans of the main thread in which it idles. */
static void mark_main(const Search *search, const HieraThreadSpan *idle)
{
    const Span wanted = {.span = {.begin_ns = idle->begin_ns}};
    guint at;
    if (!g_array_binary_search(search->spans, &wanted, compare_begins, &at))
        return;
    for (; at > 0 && g_array_index(search->spans, Span, at - 1).span.begin_ns == idle->begin_ns; at--)
        ;
    for (; at < search->spans->len && g_array_index(search->spans, Span, at).span.begin_ns == idle->begin_ns; at++)
        g_array_index(search->spans, Span, at).idles |= g_array_index(search->spans, Span, at).span.row == idle->row;
}

static void add_spans(Search *search, const HieraRankThreads *threads, guint32 processor)
{
    hiera_timeline_visit(search->of->trace, processor, add_main, search);
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        if (span->thread == 0 && span->idles != HIERA_IDLE_NOT)
            mark_main(search, span);
    }
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        const Span added = {{processor, span->row, span->next, span->doing, span->begin_ns, span->end_ns},
                            span->thread,
                            i,
                            span->idles != HIERA_IDLE_NOT};
        if (span->thread != 0)
            g_array_append_val(search->spans, added);
    }
}

/* Sort by end, the latest first; of one moment idle spans first: joins come between them and others. */
static gint compare_ends(gconstpointer left, gconstpointer right)
{
    const Span *a = left, *b = right;
    if (a->span.end_ns != b->span.end_ns)
        return a->span.end_ns > b->span.end_ns ? -1 : 1;
    if (a->idles != b->idles)
        return b->idles - a->idles;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    return (a->number < b->number) - (a->number > b->number);
}

static gint64 *peek_later(const Search *search, guint32 thread)
{
    gint64 *later = g_hash_table_lookup(search->later, GUINT_TO_POINTER(thread));
    if (!later) {
        later = g_new(gint64, 1);
        *later = HIERA_TOO_LARGE;
        g_hash_table_insert(search->later, GUINT_TO_POINTER(thread), later);
    }
    return later;
}

/* Return the slack of the next call of the main thread; G_MININT64 if there is none before. */
static gint64 slack_of_next(const Search *search)
{
    if (search->call == search->first)
        return G_MININT64;
    return search->call < search->behind ? search->slack[search->call] : search->at_end;
}

/* The join may come as much later as those that wait for it; who comes there earlier has that time besides. */
static void take_join(const Search *search, const HieraThreadJoin *join)
{
    const HieraJoinMember *members = &g_array_index(search->joins.members, HieraJoinMember, join->first);
    gint64 slack = HIERA_TOO_LARGE;
    for (guint i = 0; i < join->n; i++) {
        if (members[i].waits)
            slack = MIN(slack, *peek_later(search, members[i].thread));
    }
    for (guint i = 0; i < join->n; i++)
        search->doubts->n_late += members[i].thread == 0 && members[i].comes && slack < slack_of_next(search);
    for (guint i = 0; i < join->n; i++) {
        gint64 *later = peek_later(search, members[i].thread);
        gint64 own = hiera_plus(slack, MAX(join->at_ns - members[i].arrival_ns, 0));
        if (join->kind == HIERA_JOIN_BEGIN && members[i].waits)
            *later = HIERA_TOO_LARGE;
        else
            *later = members[i].waits ? own : MIN(*later, own);
    }
}

static void take_span(Search *search, const Span *span)
{
    gint64 *later = peek_later(search, span->thread);
    if (span->thread == 0 || !span->idles)
        search->visit(&span->span, span->thread, MIN(*later, hiera_minus(search->last_ns, span->span.end_ns)),
                      search->user);
    if (span->thread != 0 || !hiera_span_is_call(&span->span))
        return;
    guint32 call = --search->call;
    gint64 wait_ns = hiera_minus(hiera_dependences_release(search->of, call), search->of->start_ns[call]);
    *later = MIN(search->slack[call], hiera_plus(*later, wait_ns));
}

/* Whether a join comes before a span, backward in time. */
static gboolean is_later(const HieraThreadJoin *join, const Span *span)
{
    return join->at_ns > span->span.end_ns || (join->at_ns == span->span.end_ns && !span->idles);
}

static void pass(Search *search)
{
    guint at = search->joins.joins->len;
    for (guint i = 0; i < search->spans->len; i++) {
        const Span *span = &g_array_index(search->spans, Span, i);
        for (; at > 0 && is_later(&g_array_index(search->joins.joins, HieraThreadJoin, at - 1), span); at--)
            take_join(search, &g_array_index(search->joins.joins, HieraThreadJoin, at - 1));
        take_span(search, span);
    }
}

gboolean hiera_thread_slack_visit(const HieraMatch *match, const HieraDependences *of, guint32 processor,
                                  const gint64 *slack, gint64 at_end, HieraThreadSlackDoubts *doubts,
                                  HieraThreadSlackVisit visit, gpointer user)
{
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    if (!threads)
        return FALSE;
    g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(Span));
    g_autoptr(GHashTable) later = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    guint32 first = of->first_call[processor], behind = of->first_call[processor + 1];
    gint64 last_ns = hiera_plus(of->trace->processors[processor].finalize_ns, at_end);
    Search search = {of, slack, at_end, last_ns, doubts, first, behind, behind, spans, later, {0}, visit, user};
    add_spans(&search, threads, processor);
    hiera_thread_joins_find(&search.joins, threads, of->trace, processor);
    doubts->n_left_out += search.joins.n_left_out;
    g_array_sort(spans, compare_ends);
    *peek_later(&search, 0) = at_end;
    pass(&search);
    hiera_thread_joins_clear(&search.joins);
    return TRUE;
}
