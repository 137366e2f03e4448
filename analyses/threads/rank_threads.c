/* The spans of all threads of a processor, in one pass over its operations; see rank_threads.h. */
#include "rank_threads.h"
#include "calls/timeline.h"
#include "rank_teams.h"

const char *hiera_idle_name(HieraIdle idles)
{
    static const char *const names[] = {[HIERA_IDLE_NOT] = "",
#define X(identifier, name) [HIERA_IDLE_##identifier] = name,
                                        HIERA_IDLES(X)
#undef X
    };
    return names[idles];
}

/* --- the number of threads --- */

static gint compare_changes(gconstpointer left, gconstpointer right)
{
    const HieraThreadChange *a = left, *b = right;
    return a->at_ns != b->at_ns ? (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns)
                                : (a->change > b->change) - (a->change < b->change);
}

/* Add the time of another thread than the main thread. What goes on where the last one ends makes no change. */
static void add_change(const HieraTeamSearch *search, const HieraThreadSpan *span)
{
    GArray *changes = search->found->changes;
    HieraThreadChange *last = changes->len > 0 ? &g_array_index(changes, HieraThreadChange, changes->len - 1) : NULL;
    const HieraThreadChange both[] = {{span->begin_ns, 1}, {span->end_ns, -1}};
    if (last && last->at_ns == span->begin_ns)
        last->at_ns = span->end_ns;
    else
        g_array_append_vals(changes, both, G_N_ELEMENTS(both));
}

static void count_threads(HieraRankThreads *found)
{
    gint32 n = 1, most = 1;
    g_array_sort(found->changes, compare_changes);
    for (guint i = 0; i < found->changes->len; i++) {
        n += g_array_index(found->changes, HieraThreadChange, i).change;
        most = MAX(most, n);
    }
    found->n_threads = (guint32)most;
}

/* --- spans --- */

/* What is cut into spans of one thread. */
typedef struct {
    const HieraTeamSearch *search;
    guint32 thread;
    HieraSpanCutter cutter;
} Thread;

HieraIdle hiera_site_idles(const HieraSite *site)
{
    const char *operation = site->operation;
    if (!g_str_equal(site->level, "openmp"))
        return HIERA_IDLE_NOT;
    if (g_str_equal(operation, "barrier"))
        return HIERA_IDLE_BARRIER;
    if (g_str_equal(operation, "taskwait") || g_str_equal(operation, "taskgroup"))
        return HIERA_IDLE_TASKS;
    if (g_str_equal(operation, HIERA_ACQUIRE "critical"))
        return HIERA_IDLE_CRITICAL;
    return g_str_has_prefix(operation, HIERA_ACQUIRE) ? HIERA_IDLE_LOCK : HIERA_IDLE_NOT;
}

/* Return why a thread idles in a span of a team. Whether it is before or after the implicit task of the team is seen by
 * the operation that comes next. */
static HieraIdle idles_in(const HieraTeamSearch *search, guint32 team, const HieraTimeSpan *span)
{
    const HieraTrace *trace = search->trace;
    if (span->row != hiera_search_team(search, team)->row)
        return hiera_site_idles(hiera_trace_peek_site(trace, span->row));
    return span->next != HIERA_NONE &&
                   hiera_site_is_openmp(hiera_trace_peek_site(trace, span->next), HIERA_IMPLICIT_TASK)
               ? HIERA_IDLE_START
               : HIERA_IDLE_END;
}

/* Keep what of a span is between init and finalize. */
static void append(const HieraTeamSearch *search, HieraThreadSpan span)
{
    span.begin_ns = MAX(span.begin_ns, search->init_ns);
    span.end_ns = MIN(span.end_ns, search->finalize_ns);
    if (span.begin_ns >= span.end_ns)
        return;
    g_array_append_val(search->found->spans, span);
    if (span.thread != 0)
        add_change(search, &span);
}

static void keep_span(const HieraTimeSpan *span, gpointer user)
{
    const Thread *thread = user;
    const HieraTeamSearch *search = thread->search;
    guint32 team = span->row == HIERA_NONE ? HIERA_NONE : *hiera_search_team_of(search, span->row);
    gboolean in_team = team != HIERA_NONE;
    HieraThreadSpan kept = {span->begin_ns, span->end_ns, thread->thread, team,
                            span->row,      span->next,   span->doing,    HIERA_IDLE_NOT};
    if (thread->thread != 0 && !in_team) {
        search->found->has_others |= span->row != HIERA_NONE;
        return;
    }
    /* The main thread has spans at all times, whatever the trace says of its regions. */
    if (in_team && thread->thread != 0) {
        kept.begin_ns = MAX(kept.begin_ns, hiera_search_team(search, team)->begin_ns);
        kept.end_ns = MIN(kept.end_ns, hiera_search_team(search, team)->end_ns);
    }
    if (in_team && span->doing == HIERA_DOES_COMPUTE)
        kept.idles = idles_in(search, team, span);
    append(search, kept);
}

static Thread *find_thread(const HieraTeamSearch *search, GHashTable *threads, guint32 processor, guint32 number)
{
    Thread *thread = g_hash_table_lookup(threads, GUINT_TO_POINTER(number));
    if (!thread) {
        const HieraProcessor *of = &search->trace->processors[processor];
        thread = g_new(Thread, 1);
        thread->search = search;
        thread->thread = number;
        hiera_span_cutter_begin(&thread->cutter, processor, of->init_ns, of->finalize_ns, keep_span, thread);
        g_hash_table_insert(threads, GUINT_TO_POINTER(number), thread);
    }
    return thread;
}

static void cut_threads(const HieraTeamSearch *search, guint32 processor)
{
    const HieraTrace *trace = search->trace;
    g_autoptr(GHashTable) threads = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    guint own = hiera_trace_find_own_time(trace, processor), behind = hiera_trace_find_own_time(trace, processor + 1);
    Thread *thread = find_thread(search, threads, processor, 0);
    GHashTableIter each;
    if (own < behind)
        hiera_span_cutter_set_own(&thread->cutter, &g_array_index(trace->own_time, HieraOwnTime, own), behind - own);
    for (guint32 row = search->first; row < search->behind; row++) {
        HieraMoments moments = {row, trace->depth[row], hiera_site_does(hiera_trace_peek_site(trace, row)),
                                trace->start_ns[row], trace->finish_ns[row]};
        if (thread->thread != trace->thread[row])
            thread = find_thread(search, threads, processor, trace->thread[row]);
        hiera_span_cutter_add(&thread->cutter, &moments);
    }
    g_hash_table_iter_init(&each, threads);
    while (g_hash_table_iter_next(&each, NULL, (gpointer *)&thread))
        hiera_span_cutter_end(&thread->cutter, trace->processors[processor].finalize_ns);
}

static void add_idle(const HieraTeamSearch *search, const HieraWorker *worker, gint64 begin_ns, gint64 end_ns,
                     HieraIdle idles)
{
    const HieraTeam *team = hiera_search_team(search, worker->team);
    guint32 next = idles == HIERA_IDLE_START ? worker->row : HIERA_NONE;
    HieraThreadSpan span = {
        begin_ns, MIN(end_ns, worker->until_ns), worker->thread, worker->team, team->row, next, HIERA_DOES_COMPUTE,
        idles};
    append(search, span);
}

/* Add the time of a team before a worker's implicit task, and after it. */
static void add_around(const HieraTeamSearch *search, const HieraWorker *worker)
{
    const HieraTrace *trace = search->trace;
    gint64 at_ns = trace->finish_ns[worker->row];
    add_idle(search, worker, worker->from_ns, trace->start_ns[worker->row], HIERA_IDLE_START);
    for (guint32 row = worker->row; (row = hiera_search_late(search, worker, row)) != HIERA_NONE;) {
        add_idle(search, worker, at_ns, trace->start_ns[row], HIERA_IDLE_END);
        at_ns = MAX(at_ns, trace->finish_ns[row]);
    }
    add_idle(search, worker, at_ns, worker->until_ns, HIERA_IDLE_END);
}

gint hiera_thread_spans_compare(gconstpointer left, gconstpointer right)
{
    const HieraThreadSpan *a = left, *b = right;
    return a->thread != b->thread ? (a->thread > b->thread) - (a->thread < b->thread)
                                  : (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns);
}

static void find(const HieraTeamSearch *search, guint32 processor)
{
    if (!hiera_search_teams(search))
        return;
    cut_threads(search, processor);
    for (guint i = 0; i < search->workers->len; i++) {
        const HieraWorker *worker = &g_array_index(search->workers, HieraWorker, i);
        if (worker->team != HIERA_NONE && worker->thread != 0)
            add_around(search, worker);
    }
    count_threads(search->found);
    g_array_sort(search->found->spans, hiera_thread_spans_compare);
}

static void search_processor(HieraRankThreads *threads, const HieraTrace *trace, guint32 processor, gboolean of_one)
{
    const HieraProcessor *of = &trace->processors[processor];
    *threads = (HieraRankThreads){1, FALSE, g_array_new(FALSE, FALSE, sizeof(HieraTeam)),
                                  g_array_new(FALSE, FALSE, sizeof(HieraThreadChange)),
                                  g_array_new(FALSE, FALSE, sizeof(HieraThreadSpan))};
    g_autofree guint32 *teams = g_new(guint32, of->n_operations);
    g_autoptr(GArray) workers = g_array_new(FALSE, FALSE, sizeof(HieraWorker));
    g_autoptr(GHashTable) last = g_hash_table_new(NULL, NULL);
    HieraTeamSearch search = {trace,
                              (guint32)of->first,
                              (guint32)(of->first + of->n_operations),
                              threads,
                              teams,
                              workers,
                              last,
                              of->init_ns,
                              of->finalize_ns,
                              of_one};
    memset(teams, 0xff, of->n_operations * sizeof *teams);
    find(&search, processor);
}

gboolean hiera_rank_threads_find(HieraRankThreads *threads, const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    if (!of->threaded || of->n_operations == 0)
        return FALSE;
    search_processor(threads, trace, processor, FALSE);
    if (threads->n_threads > 1)
        return TRUE;
    hiera_rank_threads_clear(threads);
    return FALSE;
}

gboolean hiera_rank_regions_find(HieraRankThreads *threads, const HieraTrace *trace, guint32 processor)
{
    if (trace->processors[processor].n_operations == 0)
        return FALSE;
    search_processor(threads, trace, processor, TRUE);
    if (threads->teams->len > 0 && threads->spans->len > 0)
        return TRUE;
    hiera_rank_threads_clear(threads);
    return FALSE;
}

void hiera_rank_threads_clear(HieraRankThreads *threads)
{
    g_array_unref(threads->teams);
    g_array_unref(threads->changes);
    g_array_unref(threads->spans);
}

/* --- the threads of all processors, for measures --- */

typedef struct {
    GMutex lock;
    guint32 n;
    gboolean *is_searched;    /* by processor */
    HieraRankThreads **found; /* by processor; NULL: it has no teams */
} AllThreads;

static gpointer all_new(const HieraMatch *match)
{
    AllThreads *all = g_new0(AllThreads, 1);
    all->n = hiera_match_peek_trace(match)->n_processors;
    all->is_searched = g_new0(gboolean, all->n);
    all->found = g_new0(HieraRankThreads *, all->n);
    return all;
}

static void all_free(gpointer data)
{
    AllThreads *all = data;
    for (guint32 i = 0; i < all->n; i++) {
        if (all->found[i])
            hiera_rank_threads_clear(all->found[i]);
        g_free(all->found[i]);
    }
    g_free(all->is_searched);
    g_free(all->found);
    g_free(all);
}

const HieraRankThreads *hiera_rank_threads_of(const HieraMatch *match, guint32 processor)
{
    AllThreads *all = hiera_match_find_once(match, all_new, all_free);
    HieraRankThreads threads;
    g_mutex_lock(&all->lock);
    if (!all->is_searched[processor] && hiera_rank_threads_find(&threads, hiera_match_peek_trace(match), processor))
        all->found[processor] = g_memdup2(&threads, sizeof threads);
    all->is_searched[processor] = TRUE;
    g_mutex_unlock(&all->lock);
    return all->found[processor];
}

void hiera_other_threads_limit(const HieraMatch *match, const HieraScope *scope, HieraTable *table)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    gint64 numbers[2] = {0}; /* ranks with such threads, and all */
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraRankThreads *threads = hiera_scope_is_own(scope, i) ? hiera_rank_threads_of(match, i) : NULL;
        if (!hiera_scope_is_own(scope, i) || !hiera_scope_accepts_rank(scope, trace->processors[i].rank))
            continue;
        numbers[0] += trace->processors[i].threaded && (!threads || threads->has_others);
        numbers[1]++;
    }
    hiera_scope_add_up(scope, trace, numbers, G_N_ELEMENTS(numbers));
    g_autofree char *sentence =
        g_strdup_printf("%" G_GINT64_FORMAT " of %" G_GINT64_FORMAT " ranks %s further threads, which do not count",
                        numbers[0], numbers[1], numbers[0] == 1 ? "has" : "have");
    hiera_table_limit_too(table, HIERA_FINDING_THREADS, numbers[0] > 0 ? sentence : NULL);
}

gint64 hiera_other_threads_calls(const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    gint64 n = 0;
    for (guint64 row = of->first; of->threaded && row < of->first + of->n_operations; row++)
        n += trace->thread[row] != 0 && hiera_trace_peek_site(trace, (guint32)row)->mpi;
    return n;
}

GPtrArray *hiera_team_spans_order(const HieraRankThreads *threads)
{
    const HieraThreadSpan *spans = (const HieraThreadSpan *)(const void *)threads->spans->data;
    g_autofree guint *behind = g_new0(guint, (gsize)threads->teams->len + 1); /* by team: index behind its last span */
    GPtrArray *order = g_ptr_array_new();
    for (guint i = 0; i < threads->spans->len; i++)
        if (spans[i].team != HIERA_NONE)
            behind[spans[i].team + 1]++;
    for (guint team = 0; team < threads->teams->len; team++)
        behind[team + 1] += behind[team];
    g_ptr_array_set_size(order, (gint)behind[threads->teams->len]);
    for (guint i = 0; i < threads->spans->len; i++)
        if (spans[i].team != HIERA_NONE)
            order->pdata[behind[spans[i].team]++] = (gpointer)&spans[i];
    return order;
}

const HieraThreadSpan *hiera_thread_span_before(const HieraRankThreads *threads, guint32 thread, gint64 before_ns)
{
    guint low = 0;
    for (guint high = threads->spans->len; low < high;) {
        guint middle = low + (high - low) / 2;
        const HieraThreadSpan *span = &g_array_index(threads->spans, HieraThreadSpan, middle);
        if (span->thread < thread || (span->thread == thread && span->begin_ns < before_ns))
            low = middle + 1;
        else
            high = middle;
    }
    const HieraThreadSpan *last = low > 0 ? &g_array_index(threads->spans, HieraThreadSpan, low - 1) : NULL;
    return last && last->thread == thread ? last : NULL;
}

/* --- the main thread --- */

HieraDoing hiera_site_does_outside(const HieraSite *site)
{
    gboolean idles = hiera_site_idles(site) != HIERA_IDLE_NOT || hiera_site_is_openmp(site, HIERA_PARALLEL);
    return idles ? HIERA_DOES_IDLE : HIERA_DOES_COMPUTE;
}

void hiera_idle_timeline_visit(const HieraTrace *trace, guint32 processor, HieraSpanVisit visit, gpointer user)
{
    HieraRankThreads threads;
    if (!hiera_rank_threads_find(&threads, trace, processor)) {
        hiera_timeline_visit(trace, processor, visit, user);
        return;
    }
    for (guint i = 0; i < threads.spans->len; i++) {
        const HieraThreadSpan *of = &g_array_index(threads.spans, HieraThreadSpan, i);
        HieraTimeSpan span = {processor,    of->row,
                              of->next,     of->idles == HIERA_IDLE_NOT ? of->doing : HIERA_DOES_IDLE,
                              of->begin_ns, of->end_ns};
        if (of->thread != 0)
            break;
        visit(&span, user);
    }
    hiera_rank_threads_clear(&threads);
}
