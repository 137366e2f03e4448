/* Finds teams, then the spans of all threads in one pass; see rank_threads.h. */
#include "rank_threads.h"

#define PARALLEL      "parallel"
#define IMPLICIT_TASK "implicit task"
#define ACQUIRE       "acquire "

/* An implicit task of a thread that did not begin the region. */
typedef struct {
    guint32 row, thread, team;
    gint64 from_ns, until_ns; /* the time of the team in which the thread is not in the one before or behind */
} Worker;

typedef struct {
    const HieraTrace *trace;
    guint32 first, behind; /* rows of the processor */
    HieraRankThreads *found;
    guint32 *team_of; /* by row: team of the thread there; HIERA_NONE: none */
    GArray *workers;  /* Worker */
    GHashTable *last; /* thread → index of its last worker + 1 */
    gint64 init_ns, finalize_ns;
} Search;

gboolean hiera_site_is_openmp(const HieraSite *site, const char *operation)
{
    return g_str_equal(site->level, "openmp") && g_str_equal(site->operation, operation);
}

const char *hiera_idle_name(HieraIdle idles)
{
    static const char *const names[] = {[HIERA_IDLE_NOT] = "",
#define X(identifier, name) [HIERA_IDLE_##identifier] = name,
                                        HIERA_IDLES(X)
#undef X
    };
    return names[idles];
}

/* --- teams --- */

static HieraTeam *peek_team(const Search *search, guint32 team)
{
    return &g_array_index(search->found->teams, HieraTeam, team);
}

static guint32 *team_of(const Search *search, guint32 row)
{
    return &search->team_of[row - search->first];
}

static guint32 team_around(const Search *search, guint32 row)
{
    guint32 parent = search->trace->parent[row];
    return parent == HIERA_NONE ? HIERA_NONE : *team_of(search, parent);
}

static gint compare_teams(gconstpointer left, gconstpointer right)
{
    const HieraTeam *a = left, *b = right;
    return a->begin_ns != b->begin_ns ? (a->begin_ns > b->begin_ns) - (a->begin_ns < b->begin_ns)
                                      : (a->row > b->row) - (a->row < b->row);
}

static gint compare_workers(gconstpointer left, gconstpointer right, gpointer user)
{
    const Worker *a = left, *b = right;
    const gint64 *start_ns = ((const HieraTrace *)user)->start_ns;
    return start_ns[a->row] != start_ns[b->row]
               ? (start_ns[a->row] > start_ns[b->row]) - (start_ns[a->row] < start_ns[b->row])
               : (a->row > b->row) - (a->row < b->row);
}

/* Find the rows of parallel regions, and the implicit tasks outside of these. */
static void find_regions(const Search *search)
{
    const HieraTrace *trace = search->trace;
    for (guint32 row = search->first; row < search->behind; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        guint32 parent = trace->parent[row];
        if (site->mpi)
            continue;
        if (hiera_site_is_openmp(site, PARALLEL)) {
            HieraTeam team = {row, 1, trace->start_ns[row], trace->finish_ns[row]};
            g_array_append_val(search->found->teams, team);
        } else if (hiera_site_is_openmp(site, IMPLICIT_TASK) &&
                   (parent == HIERA_NONE || !hiera_site_is_openmp(hiera_trace_peek_site(trace, parent), PARALLEL))) {
            Worker worker = {row, trace->thread[row], HIERA_NONE, 0, 0};
            g_array_append_val(search->workers, worker);
        }
    }
    g_array_sort(search->found->teams, compare_teams);
    g_array_sort_with_data(search->workers, compare_workers, (gpointer)trace);
}

/* Return the last worker of a thread, of those that have a team; NULL: none. */
static Worker *peek_last(const Search *search, guint32 thread)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(search->last, GUINT_TO_POINTER(thread)));
    return place == 0 ? NULL : &g_array_index(search->workers, Worker, place - 1);
}

/* Whether a thread has a part of a team already, as the one that began it, or as a worker. */
static gboolean has_thread(const Search *search, guint32 team, guint32 thread)
{
    const Worker *last = peek_last(search, thread);
    return search->trace->thread[peek_team(search, team)->row] == thread || (last && last->team == team);
}

/* Return how well a worker fits into a team: the greater, the better; 0: not at all. */
static guint find_fit(const Search *search, guint32 team, const Worker *worker)
{
    const HieraTeam *of = peek_team(search, team);
    const HieraSite *a = hiera_trace_peek_site(search->trace, of->row);
    const HieraSite *b = hiera_trace_peek_site(search->trace, worker->row);
    gboolean has_place = a->line == b->line && g_str_equal(a->file, b->file);
    gboolean is_inside = search->trace->finish_ns[worker->row] <= of->end_ns;
    return has_thread(search, team, worker->thread) ? 0 : 1 + 2 * is_inside + has_place;
}

/* Return the team of a worker, of those that are open. @param open  guint32, in order of begin */
static guint32 choose_team(const Search *search, const GArray *open, const Worker *worker)
{
    guint32 chosen = HIERA_NONE;
    guint best = 0;
    for (guint i = 0; i < open->len; i++) {
        guint32 team = g_array_index(open, guint32, i);
        guint fit = find_fit(search, team, worker);
        if (fit > best ||
            (fit > 0 && fit == best && peek_team(search, team)->n_threads < peek_team(search, chosen)->n_threads)) {
            best = fit;
            chosen = team;
        }
    }
    return chosen;
}

static void close_teams(const Search *search, GArray *open, gint64 at_ns)
{
    for (guint i = open->len; i-- > 0;)
        if (peek_team(search, g_array_index(open, guint32, i))->end_ns < at_ns)
            g_array_remove_index(open, i);
}

/* Let a worker be in its team. */
static void join_team(const Search *search, guint index)
{
    Worker *worker = &g_array_index(search->workers, Worker, index), *last = peek_last(search, worker->thread);
    HieraTeam *team = peek_team(search, worker->team);
    team->n_threads++;
    worker->from_ns = team->begin_ns;
    worker->until_ns = team->end_ns;
    if (last) {
        last->until_ns = MIN(last->until_ns, search->trace->start_ns[worker->row]);
        worker->from_ns = MAX(worker->from_ns, last->until_ns);
    }
    g_hash_table_insert(search->last, GUINT_TO_POINTER(worker->thread), GUINT_TO_POINTER(index + 1));
}

static void find_teams_of_workers(const Search *search)
{
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint32 next = 0;
    for (guint i = 0; i < search->workers->len; i++) {
        Worker *worker = &g_array_index(search->workers, Worker, i);
        gint64 start_ns = search->trace->start_ns[worker->row];
        for (; next < search->found->teams->len && peek_team(search, next)->begin_ns <= start_ns; next++)
            g_array_append_val(open, next);
        close_teams(search, open, start_ns);
        worker->team = choose_team(search, open, worker);
        if (worker->team != HIERA_NONE)
            join_team(search, i);
    }
}

/* Return the next outermost operation of a worker's thread that is part of the team, though its implicit task has
 * ended: a task that runs while the thread waits for the others; HIERA_NONE: none. */
static guint32 find_late(const Search *search, const Worker *worker, guint32 row)
{
    const HieraTrace *trace = search->trace;
    do
        row++;
    while (row < search->behind && trace->thread[row] == worker->thread && trace->parent[row] != HIERA_NONE);
    if (row == search->behind || trace->thread[row] != worker->thread ||
        trace->start_ns[row] >= peek_team(search, worker->team)->end_ns ||
        hiera_site_is_openmp(hiera_trace_peek_site(trace, row), IMPLICIT_TASK))
        return HIERA_NONE;
    return row;
}

/* Set team_of of all rows: an operation is in the team of the one around it. A region of one thread is no team. */
static void mark_rows(const Search *search)
{
    for (guint32 i = 0; i < search->found->teams->len; i++)
        if (peek_team(search, i)->n_threads > 1)
            *team_of(search, peek_team(search, i)->row) = i;
    for (guint i = 0; i < search->workers->len; i++) {
        const Worker *worker = &g_array_index(search->workers, Worker, i);
        if (worker->team == HIERA_NONE)
            continue;
        for (guint32 row = worker->row; row != HIERA_NONE; row = find_late(search, worker, row))
            *team_of(search, row) = worker->team;
    }
    for (guint32 row = search->first; row < search->behind; row++)
        if (*team_of(search, row) == HIERA_NONE)
            *team_of(search, row) = team_around(search, row);
}

/* --- the number of threads --- */

static gint compare_changes(gconstpointer left, gconstpointer right)
{
    const HieraThreadChange *a = left, *b = right;
    return a->at_ns != b->at_ns ? (a->at_ns > b->at_ns) - (a->at_ns < b->at_ns)
                                : (a->change > b->change) - (a->change < b->change);
}

/* Add the time of another thread than the main thread. What goes on where the last one ends makes no change. */
static void add_change(const Search *search, const HieraThreadSpan *span)
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
    const Search *search;
    guint32 thread;
    HieraSpanCutter cutter;
} Thread;

/* Return why a thread idles in a span of a team. Whether it is before or after the implicit task of the team is seen by
 * the operation that comes next. */
static HieraIdle idles_in(const Search *search, guint32 team, const HieraTimeSpan *span)
{
    const HieraTrace *trace = search->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, span->row);
    if (!g_str_equal(site->level, "openmp"))
        return HIERA_IDLE_NOT;
    const char *operation = site->operation;
    if (span->row == peek_team(search, team)->row)
        return span->next != HIERA_NONE && hiera_site_is_openmp(hiera_trace_peek_site(trace, span->next), IMPLICIT_TASK)
                   ? HIERA_IDLE_START
                   : HIERA_IDLE_END;
    if (g_str_equal(operation, "barrier"))
        return HIERA_IDLE_BARRIER;
    if (g_str_equal(operation, "taskwait") || g_str_equal(operation, "taskgroup"))
        return HIERA_IDLE_TASKS;
    if (g_str_equal(operation, ACQUIRE "critical"))
        return HIERA_IDLE_CRITICAL;
    return g_str_has_prefix(operation, ACQUIRE) ? HIERA_IDLE_LOCK : HIERA_IDLE_NOT;
}

/* Keep what of a span is between init and finalize. */
static void append(const Search *search, HieraThreadSpan span)
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
    const Search *search = thread->search;
    guint32 team = span->row == HIERA_NONE ? HIERA_NONE : *team_of(search, span->row);
    gboolean in_team = team != HIERA_NONE;
    HieraThreadSpan kept = {span->begin_ns, span->end_ns, thread->thread, team,
                            span->row,      span->next,   span->doing,    HIERA_IDLE_NOT};
    if (thread->thread != 0 && !in_team) {
        search->found->has_others |= span->row != HIERA_NONE;
        return;
    }
    /* The main thread has spans at all times, whatever the trace says of its regions. */
    if (in_team && thread->thread != 0) {
        kept.begin_ns = MAX(kept.begin_ns, peek_team(search, team)->begin_ns);
        kept.end_ns = MIN(kept.end_ns, peek_team(search, team)->end_ns);
    }
    if (in_team && span->doing == HIERA_DOES_COMPUTE)
        kept.idles = idles_in(search, team, span);
    append(search, kept);
}

static Thread *find_thread(const Search *search, GHashTable *threads, guint32 processor, guint32 number)
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

static void cut_threads(const Search *search, guint32 processor)
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

static void add_idle(const Search *search, const Worker *worker, gint64 begin_ns, gint64 end_ns, HieraIdle idles)
{
    const HieraTeam *team = peek_team(search, worker->team);
    guint32 next = idles == HIERA_IDLE_START ? worker->row : HIERA_NONE;
    HieraThreadSpan span = {
        begin_ns, MIN(end_ns, worker->until_ns), worker->thread, worker->team, team->row, next, HIERA_DOES_COMPUTE,
        idles};
    append(search, span);
}

/* Add the time of a team before a worker's implicit task, and after it. */
static void add_around(const Search *search, const Worker *worker)
{
    const HieraTrace *trace = search->trace;
    gint64 at_ns = trace->finish_ns[worker->row];
    add_idle(search, worker, worker->from_ns, trace->start_ns[worker->row], HIERA_IDLE_START);
    for (guint32 row = worker->row; (row = find_late(search, worker, row)) != HIERA_NONE;) {
        add_idle(search, worker, at_ns, trace->start_ns[row], HIERA_IDLE_END);
        at_ns = MAX(at_ns, trace->finish_ns[row]);
    }
    add_idle(search, worker, at_ns, worker->until_ns, HIERA_IDLE_END);
}

static void find(const Search *search, guint32 processor)
{
    find_regions(search);
    if (search->found->teams->len == 0 || search->workers->len == 0)
        return;
    find_teams_of_workers(search);
    mark_rows(search);
    cut_threads(search, processor);
    for (guint i = 0; i < search->workers->len; i++) {
        const Worker *worker = &g_array_index(search->workers, Worker, i);
        if (worker->team != HIERA_NONE && worker->thread != 0)
            add_around(search, worker);
    }
    count_threads(search->found);
}

gboolean hiera_rank_threads_find(HieraRankThreads *threads, const HieraTrace *trace, guint32 processor)
{
    const HieraProcessor *of = &trace->processors[processor];
    if (!of->threaded || of->n_operations == 0)
        return FALSE;
    *threads = (HieraRankThreads){1, FALSE, g_array_new(FALSE, FALSE, sizeof(HieraTeam)),
                                  g_array_new(FALSE, FALSE, sizeof(HieraThreadChange)),
                                  g_array_new(FALSE, FALSE, sizeof(HieraThreadSpan))};
    g_autofree guint32 *teams = g_new(guint32, of->n_operations);
    g_autoptr(GArray) workers = g_array_new(FALSE, FALSE, sizeof(Worker));
    g_autoptr(GHashTable) last = g_hash_table_new(NULL, NULL);
    Search search = {
        trace,       (guint32)of->first, (guint32)(of->first + of->n_operations), threads, teams, workers, last,
        of->init_ns, of->finalize_ns};
    memset(teams, 0xff, of->n_operations * sizeof *teams);
    find(&search, processor);
    if (threads->n_threads > 1)
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
