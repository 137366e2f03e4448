/* See thread_slack.h. Times of a thread only matter through how much later it could be: one number for each thread,
 * which its spans pass on unchanged, and joins combine. */
#include "thread_slack.h"
#include "calls/timeline.h"
#include "threads/thread_joins.h"

typedef struct {
    HieraTimeSpan span;
    guint32 thread, number; /* number: in order of time in its thread */
    HieraIdle idles;
    gboolean behind; /* a call without length, behind a span of the same end in which its thread waits for a join */
} Span;

typedef struct {
    const HieraDependences *of;
    const gint64 *slack;
    gint64 last_ns;     /* end of the run, before which no slack can end */
    guint32 call;       /* index behind the call of the main thread that comes next, backward */
    GArray *spans;      /* Span */
    GHashTable *later;  /* thread → gint64: how much later it could be; HIERA_TOO_LARGE: nobody waits for it */
    gint64 *join_slack; /* by join: how much later it could be */
    HieraThreadJoins joins;
    HieraThreadSlackVisit visit;
    gpointer user;
} Search;

static void add_main(const HieraTimeSpan *span, gpointer user)
{
    const Search *search = user;
    const Span added = {*span, 0, search->spans->len, HIERA_IDLE_NOT, FALSE};
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
    for (; at < search->spans->len && g_array_index(search->spans, Span, at).span.begin_ns == idle->begin_ns; at++) {
        if (g_array_index(search->spans, Span, at).span.row == idle->row)
            g_array_index(search->spans, Span, at).idles = idle->idles;
    }
}

/* Whether a thread idles in a span until a join comes. */
static gboolean waits(const Span *span)
{
    return span->idles != HIERA_IDLE_NOT;
}

static void mark_calls(const Search *search)
{
    for (guint i = 1; i < search->spans->len; i++) {
        Span *span = &g_array_index(search->spans, Span, i);
        const Span *last = span - 1;
        span->behind = span->span.begin_ns == span->span.end_ns && last->span.end_ns == span->span.end_ns &&
                       (waits(last) || last->behind);
    }
}

static void add_spans(Search *search, const HieraRankThreads *threads, guint32 processor)
{
    hiera_timeline_visit(search->of->trace, processor, add_main, search);
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        if (span->thread == 0 && span->idles != HIERA_IDLE_NOT)
            mark_main(search, span);
    }
    mark_calls(search);
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        const Span added = {{processor, span->row, span->next, span->doing, span->begin_ns, span->end_ns},
                            span->thread,
                            i,
                            span->idles,
                            FALSE};
        if (span->thread != 0)
            g_array_append_val(search->spans, added);
    }
}

/* Sort by end, the latest first; of one moment waits first, and what is behind them: joins come between them and
 * others. */
static gint compare_ends(gconstpointer left, gconstpointer right)
{
    const Span *a = left, *b = right;
    if (a->span.end_ns != b->span.end_ns)
        return a->span.end_ns > b->span.end_ns ? -1 : 1;
    if (a->behind != b->behind)
        return b->behind - a->behind;
    if (waits(a) != waits(b))
        return waits(b) - waits(a);
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

/* A join may come as much later as those that wait for it. */
static void take_join(const Search *search, guint32 index)
{
    const HieraThreadJoin *join = &g_array_index(search->joins.joins, HieraThreadJoin, index);
    const HieraJoinMember *members = &g_array_index(search->joins.members, HieraJoinMember, join->first);
    gint64 slack = HIERA_TOO_LARGE;
    for (guint i = 0; i < join->n; i++) {
        gint64 *later = peek_later(search, members[i].thread);
        if (!members[i].waits)
            continue;
        slack = MIN(slack, *later);
        *later = HIERA_TOO_LARGE;
    }
    search->join_slack[index] = slack;
}

/* Who comes to a join before the others has that time besides. */
static void take_moment(const Search *search, const HieraThreadMoment *moment)
{
    if (moment->member == HIERA_NONE) {
        take_join(search, moment->join);
        return;
    }
    gint64 at_ns = g_array_index(search->joins.joins, HieraThreadJoin, moment->join).at_ns;
    gint64 own = hiera_plus(search->join_slack[moment->join], hiera_minus(at_ns, moment->at_ns));
    gint64 *later = peek_later(search, g_array_index(search->joins.members, HieraJoinMember, moment->member).thread);
    *later = MIN(*later, own);
}

static void take_span(Search *search, const Span *span)
{
    gint64 *later = peek_later(search, span->thread);
    if (span->thread == 0 || span->idles == HIERA_IDLE_NOT)
        search->visit(&span->span, span->thread, MIN(*later, hiera_minus(search->last_ns, span->span.end_ns)),
                      search->user);
    if (span->thread != 0 || !hiera_span_is_call(&span->span))
        return;
    guint32 call = search->call = hiera_dependences_before(search->of, search->call);
    gint64 wait_ns = hiera_minus(hiera_dependences_release(search->of, call), search->of->start_ns[call]);
    *later = MIN(search->slack[call], hiera_plus(*later, wait_ns));
}

/* Whether the main thread comes to a join at a moment. */
static gboolean comes_at(const Search *search, guint32 index, gint64 at_ns)
{
    const HieraThreadJoin *join = &g_array_index(search->joins.joins, HieraThreadJoin, index);
    for (guint i = join->first; i < join->first + join->n; i++) {
        const HieraJoinMember *member = &g_array_index(search->joins.members, HieraJoinMember, i);
        if (member->thread == 0 && member->comes && member->arrival_ns == at_ns)
            return TRUE;
    }
    return FALSE;
}

/* Whether a moment comes before a span, backward in time. */
static gboolean is_later(const Search *search, const HieraThreadMoment *moment, const Span *span)
{
    if (moment->at_ns != span->span.end_ns)
        return moment->at_ns > span->span.end_ns;
    gboolean behind = waits(span) || span->behind;
    return !behind || (span->thread == 0 && comes_at(search, moment->join, moment->at_ns));
}

static void pass(Search *search)
{
    g_autoptr(GArray) moments = hiera_thread_moments_list(&search->joins);
    guint at = moments->len;
    search->join_slack = g_new(gint64, (gsize)search->joins.joins->len + 1);
    for (guint i = 0; i < search->spans->len; i++) {
        const Span *span = &g_array_index(search->spans, Span, i);
        for (; at > 0 && is_later(search, &g_array_index(moments, HieraThreadMoment, at - 1), span); at--)
            take_moment(search, &g_array_index(moments, HieraThreadMoment, at - 1));
        take_span(search, span);
    }
    g_free(search->join_slack);
}

/* Count what takes as long as recorded, because nobody knows for whom a thread waits. */
static gint64 count_unknown(const HieraRankThreads *threads, const HieraTrace *trace)
{
    gint64 n = 0;
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, i);
        n += span->idles == HIERA_IDLE_LOCK && hiera_construct_number(trace, span->row) == HIERA_ABSENT;
    }
    return n;
}

gboolean hiera_thread_slack_visit(const HieraMatch *match, const HieraDependences *of, guint32 processor,
                                  const gint64 *slack, gint64 at_end, HieraThreadSlackDoubts *doubts,
                                  HieraThreadSlackVisit visit, gpointer user)
{
    const HieraRankThreads *threads = hiera_rank_threads_of(match, processor);
    doubts->n_unknown += hiera_other_threads_calls(of->trace, processor);
    if (!threads)
        return FALSE;
    g_autoptr(GArray) spans = g_array_new(FALSE, FALSE, sizeof(Span));
    g_autoptr(GHashTable) later = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    gint64 last_ns = hiera_plus(of->trace->processors[processor].finalize_ns, at_end);
    Search search = {of, slack, last_ns, of->first_call[processor + 1], spans, later, NULL, {0}, visit, user};
    add_spans(&search, threads, processor);
    hiera_thread_joins_find(&search.joins, threads, of->trace, processor);
    doubts->n_left_out += search.joins.n_left_out;
    doubts->n_unknown += count_unknown(threads, of->trace) + search.joins.n_unknown;
    g_array_sort(spans, compare_ends);
    *peek_later(&search, 0) = at_end;
    pass(&search);
    hiera_thread_joins_clear(&search.joins);
    return TRUE;
}
