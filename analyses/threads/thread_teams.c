/* Goes through the spans of each team, thread by thread, up to each barrier; see thread_teams.h. */
#include "thread_teams.h"
#include "lock_holders.h"
#include "rank_teams.h"
#include "task_needs.h"
#include "values/shares.h"

/* All arrivals of a team at one barrier. */
typedef struct {
    guint32 late;              /* the thread that comes last */
    gint64 late_ns;            /* when it comes */
    gint64 last_ns, others_ns; /* as in HieraTeamWait */
    gboolean told;             /* whether a wait was visited */
} Step;

typedef struct {
    const HieraRankThreads *threads;
    const HieraTrace *trace;
    HieraTeamWaitVisit visit;
    gpointer user;
    GPtrArray *order; /* of hiera_team_spans_order() */
    GArray *arrivals; /* HieraTeamArrival, of the current team */
    GArray *steps;    /* Step of the current team, the end last */
    const GArray *holders;
    const GArray *needs, *starts; /* of task_needs.h */
} Search;

static gint compare_arrivals(gconstpointer left, gconstpointer right)
{
    const HieraTeamArrival *a = left, *b = right;
    if (a->team != b->team)
        return a->team < b->team ? -1 : 1;
    if (a->step != b->step)
        return a->step < b->step ? -1 : 1;
    return a->thread != b->thread ? (a->thread > b->thread) - (a->thread < b->thread)
                                  : (a->idle_ns > b->idle_ns) - (a->idle_ns < b->idle_ns);
}

static const HieraThreadSpan *peek_span(const Search *search, guint i)
{
    return g_ptr_array_index(search->order, i);
}

/* --- barriers, and the end of a region --- */

/* Whether the innermost region around a barrier is that of the team: in a region of one thread nobody waits for others.
 */
static gboolean is_of_team(const Search *search, const HieraThreadSpan *span)
{
    const HieraTrace *trace = search->trace;
    guint32 row = trace->parent[span->row];
    while (row != HIERA_NONE && !hiera_site_is_openmp(hiera_trace_peek_site(trace, row), HIERA_PARALLEL))
        row = trace->parent[row];
    return row == HIERA_NONE || row == g_array_index(search->threads->teams, HieraTeam, span->team).row;
}

/* Return the step that a span belongs to; 0: it is no wait at a barrier or the end. @param last  the last barrier and
 * its step */
static guint32 find_step(const Search *search, const HieraThreadSpan *span, guint32 last[2])
{
    if (span->idles == HIERA_IDLE_END)
        return HIERA_STEP_END;
    if (span->idles != HIERA_IDLE_BARRIER || !is_of_team(search, span))
        return 0;
    if (span->row != last[0]) {
        last[0] = span->row;
        last[1]++;
    }
    return last[1];
}

static void add_arrival(const Search *search, HieraTeamArrival *arrival, guint32 step, gint64 begin_ns, gint64 end_ns)
{
    arrival->step = step;
    arrival->arrival_ns = arrival->idle_ns = begin_ns;
    arrival->leave_ns = end_ns;
    g_array_append_val(search->arrivals, *arrival);
    arrival->useful_ns = 0;
}

/* A thread goes on with a wait at a barrier after a task: for now, that is an arrival of its own.
 * @param since  with the computation since the last one */
static void continue_arrival(const Search *search, const HieraThreadSpan *span, HieraTeamArrival *since)
{
    HieraTeamArrival next = g_array_index(search->arrivals, HieraTeamArrival, search->arrivals->len - 1);
    next.idle_ns = span->begin_ns;
    next.leave_ns = span->end_ns;
    next.useful_ns += since->useful_ns;
    since->useful_ns = 0;
    g_array_append_val(search->arrivals, next);
}

/* Add the arrivals of one thread, whose spans are those from `first` on. It comes to the end when it idles there for
 * the last time: before, it can run tasks. @return the index behind them */
static guint add_arrivals(const Search *search, guint first)
{
    const HieraThreadSpan *of = peek_span(search, first);
    HieraTeamArrival arrival = {.team = of->team, .thread = of->thread};
    gint64 end_ns = g_array_index(search->threads->teams, HieraTeam, of->team).end_ns;
    guint32 last[2] = {HIERA_NONE, 0};
    guint i = first;
    for (; i < search->order->len; i++) {
        const HieraThreadSpan *span = peek_span(search, i);
        if (span->team != of->team || span->thread != of->thread)
            break;
        guint32 step = find_step(search, span, last);
        if (step == HIERA_STEP_END)
            end_ns = span->begin_ns;
        else if (step != 0 && step != arrival.step)
            add_arrival(search, &arrival, step, span->begin_ns, span->end_ns);
        else if (step != 0)
            continue_arrival(search, span, &arrival);
        if (span->idles == HIERA_IDLE_NOT && span->doing == HIERA_DOES_COMPUTE)
            arrival.useful_ns += span->end_ns - span->begin_ns;
    }
    const HieraThreadSpan *behind = peek_span(search, i - 1);
    add_arrival(search, &arrival, HIERA_STEP_END, end_ns, behind->end_ns);
    if (behind->idles != HIERA_IDLE_END)
        g_array_index(search->arrivals, HieraTeamArrival, search->arrivals->len - 1).idle_ns = behind->end_ns;
    return i;
}

static gboolean is_same_step(const HieraTeamArrival *a, const HieraTeamArrival *b)
{
    return a->team == b->team && a->step == b->step;
}

/* Return when the first thread leaves the barrier at which the arrivals from `first` to before `behind` are. */
static gint64 find_first_leave(const HieraTeamArrival *arrivals, guint first, guint behind)
{
    gint64 leave_ns = G_MAXINT64;
    for (guint i = first; i < behind; i++)
        if (i + 1 == behind || arrivals[i + 1].thread != arrivals[i].thread)
            leave_ns = MIN(leave_ns, arrivals[i].leave_ns);
    return leave_ns;
}

/* Sort arrivals, and make one of those of a thread at one barrier: the last one that begins before the first thread
 * leaves. All tasks before a barrier have ended by then, and those behind it are made by threads that have left. */
static void sort_arrivals(GArray *arrivals)
{
    HieraTeamArrival *all = (HieraTeamArrival *)(void *)arrivals->data;
    guint n = 0;
    g_array_sort(arrivals, compare_arrivals);
    for (guint first = 0, behind; first < arrivals->len; first = behind) {
        for (behind = first + 1; behind < arrivals->len && is_same_step(&all[behind], &all[first]); behind++)
            ;
        gint64 leave_ns = find_first_leave(all, first, behind);
        for (guint i = first; i < behind; i++) {
            if (i == first || all[i].thread != all[i - 1].thread)
                n++;
            else if (all[i].idle_ns > leave_ns)
                continue;
            all[n - 1] = all[i];
        }
    }
    g_array_set_size(arrivals, n);
}

/* Add the step of the arrivals from `first` on. @return the index behind them */
static guint add_step(const Search *search, guint first)
{
    const HieraTeamArrival *arrivals = (const HieraTeamArrival *)(const void *)search->arrivals->data,
                           *latest = &arrivals[first];
    gint64 sum_ns = 0;
    guint i = first;
    for (; i < search->arrivals->len && arrivals[i].step == arrivals[first].step; i++) {
        sum_ns += arrivals[i].useful_ns;
        latest = arrivals[i].arrival_ns > latest->arrival_ns ? &arrivals[i] : latest;
    }
    gint64 others_ns = hiera_mean(sum_ns - latest->useful_ns, i - first - 1);
    Step step = {latest->thread, latest->arrival_ns, latest->useful_ns, others_ns, FALSE};
    g_array_append_val(search->steps, step);
    return i;
}

/* --- waits in teams --- */

/* Return the loop whose end a barrier is: the construct before it; HIERA_NONE: it is none. */
static guint32 find_loop(const HieraTrace *trace, guint32 barrier)
{
    guint32 around = trace->parent[barrier], row = barrier > 0 ? barrier - 1 : 0;
    if (around == HIERA_NONE || row <= around)
        return HIERA_NONE;
    while (row != HIERA_NONE && trace->parent[row] != around)
        row = trace->parent[row];
    return row != HIERA_NONE && hiera_site_is_openmp(hiera_trace_peek_site(trace, row), "loop") ? row : HIERA_NONE;
}

/* Whether a thread idles until it begins a task, or leaves a wait for tasks, because another thread comes late with
 * what that needs. Then its class is that of waits for tasks, also at a barrier. */
static gboolean find_task(const Search *search, const HieraThreadSpan *span, HieraTeamWait *wait)
{
    const HieraTaskStart *start =
        hiera_idle_runs_tasks(span->idles) ? hiera_task_starts_peek(search->starts, span->thread, span->end_ns) : NULL;
    const HieraTaskNeed *need = start ? hiera_task_needs_last(search->needs, start->row) : NULL;
    if (!need || need->thread == span->thread || need->at_ns <= span->begin_ns)
        return FALSE;
    wait->class = HIERA_IDLE_TASKS;
    wait->late = need->thread;
    wait->late_ns = need->at_ns;
    wait->taken = need->by;
    return TRUE;
}

static void visit_wait(const Search *search, const HieraThreadSpan *span, guint32 at)
{
    HieraTeamWait wait = {.class = (guint8)span->idles,
                          .row = span->row,
                          .inside = span->row,
                          .region = g_array_index(search->threads->teams, HieraTeam, span->team).row,
                          .thread = span->thread,
                          .late = HIERA_NONE,
                          .taken = HIERA_NONE,
                          .n = 1,
                          .begin_ns = span->begin_ns,
                          .end_ns = span->end_ns};
    if (find_task(search, span, &wait)) {
        search->visit(&wait, search->user);
        return;
    }
    if (span->idles == HIERA_IDLE_CRITICAL || span->idles == HIERA_IDLE_LOCK) {
        HieraHolder holder =
            hiera_lock_holders_ask(search->holders, search->trace, span->row, span->begin_ns, span->end_ns);
        wait.late = holder.thread;
        wait.late_ns = holder.until_ns;
        wait.taken = holder.row;
    }
    if (span->idles == HIERA_IDLE_BARRIER)
        wait.taken = find_loop(search->trace, span->row);
    if (at != 0) {
        Step *step = &g_array_index(search->steps, Step, at == HIERA_STEP_END ? search->steps->len - 1 : at - 1);
        if (step->late != span->thread) {
            wait.late = step->late;
            wait.late_ns = step->late_ns;
            wait.first = !step->told;
            wait.last_ns = step->last_ns;
            wait.others_ns = step->others_ns;
            step->told = TRUE;
        }
    }
    search->visit(&wait, search->user);
}

/* Visit the waits of the team whose spans are those from `first` on. @return the index behind them */
static guint visit_team(const Search *search, guint first)
{
    guint32 team = peek_span(search, first)->team, last[2] = {HIERA_NONE, 0}, thread = HIERA_NONE;
    guint behind = first;
    g_array_set_size(search->arrivals, 0);
    g_array_set_size(search->steps, 0);
    while (behind < search->order->len && peek_span(search, behind)->team == team)
        behind = add_arrivals(search, behind);
    sort_arrivals(search->arrivals);
    for (guint i = 0; i < search->arrivals->len;)
        i = add_step(search, i);
    for (guint i = first; i < behind; i++) {
        const HieraThreadSpan *span = peek_span(search, i);
        if (span->thread != thread) {
            thread = span->thread;
            last[0] = HIERA_NONE;
            last[1] = 0;
        }
        guint32 step = find_step(search, span, last);
        if (span->idles != HIERA_IDLE_NOT)
            visit_wait(search, span, step);
    }
    return behind;
}

/* --- threads in no team --- */

static void visit_unused(const Search *search, const HieraThreadSpan *main, gint64 begin_ns, gint64 end_ns, gint64 n)
{
    HieraTeamWait wait = {.inside = main->row,
                          .region = HIERA_NONE,
                          .thread = HIERA_NONE,
                          .late = HIERA_NONE,
                          .taken = HIERA_NONE,
                          .n = n,
                          .begin_ns = begin_ns,
                          .end_ns = end_ns};
    gboolean in_mpi = main->doing == HIERA_DOES_COMMUNICATE || main->doing == HIERA_DOES_IO;
    if (main->team != HIERA_NONE) {
        wait.class = HIERA_IDLE_UNUSED;
        wait.row = wait.region = g_array_index(search->threads->teams, HieraTeam, main->team).row;
    } else {
        wait.class = in_mpi ? HIERA_IDLE_MPI : HIERA_IDLE_SERIAL;
        wait.row = in_mpi ? main->row : main->next;
    }
    if (begin_ns < end_ns && n > 0)
        search->visit(&wait, search->user);
}

/* Visit, for all times of the main thread, the threads that are in no team then. */
static void visit_outside(const Search *search)
{
    const HieraRankThreads *threads = search->threads;
    gint64 n = 1;
    guint at = 0;
    for (guint i = 0; i < threads->spans->len; i++) {
        const HieraThreadSpan *main = &g_array_index(threads->spans, HieraThreadSpan, i);
        gint64 begin_ns = main->begin_ns;
        if (main->thread != 0)
            return;
        for (; at < threads->changes->len; at++) {
            const HieraThreadChange *change = &g_array_index(threads->changes, HieraThreadChange, at);
            if (change->at_ns >= main->end_ns)
                break;
            gint64 until_ns = MAX(change->at_ns, begin_ns);
            visit_unused(search, main, begin_ns, until_ns, threads->n_threads - n);
            begin_ns = until_ns;
            n += change->change;
        }
        visit_unused(search, main, begin_ns, main->end_ns, threads->n_threads - n);
    }
}

void hiera_team_waits_visit(const HieraRankThreads *threads, const HieraTrace *trace, guint32 processor,
                            HieraTeamWaitVisit visit, gpointer user)
{
    g_autoptr(GPtrArray) order = hiera_team_spans_order(threads);
    g_autoptr(GArray) arrivals = g_array_new(FALSE, FALSE, sizeof(HieraTeamArrival));
    g_autoptr(GArray) steps = g_array_new(FALSE, FALSE, sizeof(Step));
    g_autoptr(GArray) holders = hiera_locks_held_find(trace, processor, NULL);
    g_autoptr(GArray) needs = hiera_task_needs_find(trace, processor);
    g_autoptr(GArray) starts = hiera_task_starts_find(threads, trace, needs);
    const Search search = {threads, trace, visit, user, order, arrivals, steps, holders, needs, starts};
    for (guint i = 0; i < order->len;)
        i = visit_team(&search, i);
    visit_outside(&search);
}

GArray *hiera_team_arrivals_find(const HieraRankThreads *threads, const HieraTrace *trace)
{
    g_autoptr(GPtrArray) order = hiera_team_spans_order(threads);
    GArray *arrivals = g_array_new(FALSE, FALSE, sizeof(HieraTeamArrival));
    const Search search = {.threads = threads, .trace = trace, .order = order, .arrivals = arrivals};
    for (guint i = 0; i < order->len;)
        i = add_arrivals(&search, i);
    sort_arrivals(arrivals);
    return arrivals;
}
