/* Reads the table of times, and adds up threads, while these threads change it. */
#include "plan_check.h"
#include "timing_table.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The entry of a thread; NULL: there are no more. */
static const HieraTimedThread *thread_at(unsigned i)
{
    return i < HIERA_TIMED_THREADS ? __atomic_load_n(&hiera_timed_threads[i], __ATOMIC_ACQUIRE) : NULL;
}

static int64_t now_ticks(void)
{
#ifdef __x86_64__
    return (int64_t)__builtin_ia32_rdtsc();
#else
    return 0; /* not x86-64: no loop is timed */
#endif
}

void hiera_timing_take(const HieraPlan *plan, uint32_t first_function, uint32_t first_loop)
{
    const HieraPlanFunction *functions = hiera_plan_part(plan, plan->functions);
    const HieraPlanLoop *loops = hiera_plan_part(plan, plan->loops);
    for (uint32_t i = 0; i < plan->functions.n; i++)
        hiera_timed_functions[first_function + i] =
            (HieraTimedFunction){first_loop + functions[i].loop, functions[i].n_loops};
    for (uint32_t i = 0; i < plan->loops.n; i++)
        hiera_timed_loops[first_loop + i] =
            (HieraTimedLoop){loops[i].step, loops[i].is_spare != 0, loops[i].is_doubled != 0};
}

/* Counts and times of one function or loop in one thread, at one moment. */
typedef struct View {
    HieraTimedSum sum;
    uint64_t open;      /* number of executions in progress that are timed */
    int64_t total, own; /* what these took so far */
    uint64_t vague, call_doubt;
    uint64_t untold; /* of `vague`: time in which executions may have been that none stands for */
    double part;     /* of what all executions are estimated to take: see fitting_part() */
} View;

/* Add what an execution in progress took so far. `since`: as it began. */
static void add_open(View *view, const HieraTimedThread *thread, const HieraTimedFrame *frame,
                     const HieraTimedRun *since, int64_t now)
{
    int64_t time = now > since->start ? now - since->start : 0;
    int64_t called =
        frame->callees - since->callees + (frame->call_weight > 0 && now > frame->call ? now - frame->call : 0);
    view->open++;
    view->total += since->is_inner ? 0 : time;
    view->own += time - called;
    view->vague += since->is_inner ? 0 : thread->vague - since->vague;
    view->call_doubt += frame->call_doubt - since->call_doubt;
}

/* What executions may have taken of the time of their function since the last one that was timed, beyond what they
 * usually take: a loop may become slow at the end. */
static uint64_t tail_of(const HieraTimedThread *thread, uint32_t loop, int64_t time)
{
    const HieraTimedPace *pace = &thread->paces[loop];
    int64_t tail = time - pace->at - (int64_t)pace->since * pace->scale * pace->mean;
    return pace->since > 0 && tail > 0 ? (uint64_t)tail : 0;
}

/* Whether calls may be in progress that went on in the original, or began since the last one that was timed. */
static bool is_open(const HieraTimedThread *thread, uint32_t function)
{
    return thread->activations[function].gap > 1 || thread->hidden[function].may_go_on;
}

/* What calls may have taken that went on in the original: time that was longer than usual, also that since the last one
 * that was timed. It is unlikely that more than three of those for which a timed one stands were so long, and none was
 * timed: so many of the longest times count. */
static uint64_t hidden_of(const HieraTimedThread *thread, uint32_t function, int64_t now)
{
    enum { THREE = 3 };
    const HieraTimedHidden *hidden = &thread->hidden[function];
    const HieraTimedSum *sum = &thread->functions[function];
    double all = is_open(thread, function) && now > hidden->until ? (double)(now - hidden->until) : 0;
    double left = sum->timed > 0 ? THREE * (double)sum->executions / (double)sum->timed : 0;
    for (int i = HIERA_TIMED_BINS; i-- > 0 && left > 0;) {
        double n = (double)hidden->bins[i].n;
        all += n > left ? (double)hidden->bins[i].ticks / n * left : (double)hidden->bins[i].ticks;
        left -= n;
    }
    return (uint64_t)all;
}

/* Until when executions go on that are in progress: in a thread that has ended, until its last event, since longjmp may
 * have left them. */
static int64_t until_of(const HieraTimedThread *thread)
{
    int error = errno;
    bool has_ended = thread->n_frames > 0 && syscall(SYS_tgkill, getpid(), thread->tid, 0) != 0 && errno == ESRCH;
    errno = error;
    return has_ended ? thread->last : now_ticks();
}

/* What the times of the executions that were timed are for all of them; at least 0. */
static uint64_t for_all(int64_t ticks, uint64_t executions, uint64_t weight)
{
    double all =
        weight > 0 && executions != weight ? (double)ticks / (double)weight * (double)executions : (double)ticks;
    return all > 0 ? (uint64_t)all : 0;
}

/* The part of an estimate that fits into the time in which the calls were: a copy may be slower than the original, and
 * those that were timed longer than the others. What was timed whole is no estimate. In recursion nobody knows when
 * calls were. */
static double fitting_part(const HieraTimedThread *thread, uint32_t function, int64_t now)
{
    const HieraTimedSum *sum = &thread->functions[function];
    const HieraTimedHidden *hidden = &thread->hidden[function];
    int64_t open = is_open(thread, function) || thread->depths[function] > 0 ? now - hidden->until : 0;
    double room = (double)(hidden->room + (open > 0 ? open : 0));
    double whole = (double)for_all(sum->total, sum->executions, sum->weight);
    bool is_estimate = sum->weight > sum->timed && thread->recursive[function].next == 0;
    return is_estimate && room > 0 && whole > room ? room / whole : 1;
}

/* A timed call of a function stands for those before it. In those behind the last one its loops have as much. */
static void add_behind(HieraTimedSum *loop, uint64_t calls, uint64_t behind)
{
    uint64_t *const counts[] = {&loop->executions, &loop->iterations, &loop->unseen, &loop->estimated};
    for (size_t i = 0; behind > 0 && calls > behind && i < sizeof counts / sizeof counts[0]; i++)
        *counts[i] = (uint64_t)((double)*counts[i] / (double)(calls - behind) * (double)calls);
}

static View look(const HieraTimedThread *thread, uint32_t loop, uint32_t function, int64_t until)
{
    int64_t now = until - thread->spent;
    View view = {.sum = loop > 0 ? thread->loops[loop] : thread->functions[function],
                 .part = fitting_part(thread, function, now)};
    int64_t time = thread->activations[function].at;
    if (loop > 0)
        add_behind(&view.sum, thread->functions[function].executions, thread->activations[function].since);
    uint32_t n = thread->n_frames < HIERA_TIMED_FRAMES ? thread->n_frames : HIERA_TIMED_FRAMES;
    for (uint32_t i = n; i-- > 0;) {
        const HieraTimedFrame *frame = &thread->frames[i];
        const HieraTimedRun whole = {.start = frame->start, .is_inner = frame->is_inner, .vague = frame->vague};
        uint32_t at = frame->first_run + (loop - frame->loops.loop);
        if (frame->function != function)
            continue;
        time += frame->is_inner ? 0 : (now - frame->start) * frame->weight;
        if (loop == 0)
            add_open(&view, thread, frame, &whole, now);
        else if (at < HIERA_TIMED_RUNNING && thread->runs[at].is_running)
            add_open(&view, thread, frame, &thread->runs[at], now);
    }
    view.untold = hidden_of(thread, function, now_ticks() - thread->spent);
    if (loop > 0)
        view.untold += tail_of(thread, loop, time);
    view.vague += view.untold;
    return view;
}

/* As look(), but tries again if the thread changes its values meanwhile. After the last try, the values may be
 * inconsistent. */
static View look_calmly(const HieraTimedThread *thread, uint32_t loop, uint32_t function)
{
    enum { TRIES = 1000 };
    View view = {.open = 0};
    for (int i = 0; i < TRIES; i++) {
        uint32_t before = __atomic_load_n(&thread->sequence, __ATOMIC_ACQUIRE);
        view = look(thread, loop, function, until_of(thread));
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 == 0 && __atomic_load_n(&thread->sequence, __ATOMIC_RELAXED) == before)
            break;
    }
    return view;
}

static uint64_t root_of(uint64_t square)
{
    uint64_t root = square > 0 ? (uint64_t)1 << ((65 - __builtin_clzll(square)) / 2) : 0;
    for (uint64_t next; root > 0 && (next = (root + square / root) / 2) < root;)
        root = next;
    return root;
}

/* The standard error of what a number of executions stand for, twice. */
static uint64_t error_of(uint64_t spread, uint64_t executions, uint64_t weight)
{
    enum { ERRORS = 2, ROOT = 16 }; /* of HIERA_TIMED_SPREAD */
    return for_all((int64_t)(ERRORS * ROOT * root_of(spread)), executions, weight);
}

/* A doubt of which many can be added up. */
static uint64_t some(uint64_t doubt)
{
    const uint64_t most = (uint64_t)1 << 50;
    return doubt < most ? doubt : most;
}

/* Iterations of all executions, as those were that were counted. */
static uint64_t iterations_of(const HieraTimedSum *sum)
{
    uint64_t seen = sum->executions - sum->unseen;
    return for_all((int64_t)sum->iterations, sum->executions, sum->unseen > 0 ? seen : 0);
}

/* By how much iterations of a loop may be wrong that are estimated: also by those of executions that none stands for.
 */
static uint64_t doubt_of_iterations(const View *view, uint64_t ended)
{
    const HieraTimedSum *sum = &view->sum;
    double total = (double)for_all(sum->total, ended, sum->weight), iterations = (double)iterations_of(sum);
    uint64_t untold = total > 0 ? (uint64_t)(iterations / total * (double)some(view->untold)) : 0;
    return untold + (error_of(sum->turn_spread, ended, sum->weight) + some(sum->turn_doubt)) / HIERA_TIMED_FINE;
}

/* Add what a thread took. The standard error counts twice, and each execution that was timed has what an event may be
 * wrong. */
static void join(HieraTimedTotal *timed, const View *view, uint32_t step)
{
    const HieraTimedSum *sum = &view->sum;
    uint64_t ended = sum->executions > view->open ? sum->executions - view->open : 0;
    uint64_t total = (uint64_t)(view->part * (double)for_all(sum->total, ended, sum->weight)) + (uint64_t)view->total;
    if (sum->executions + view->open == 0)
        return;
    timed->n_threads++;
    if (sum->timed > 0 && (timed->timed == 0 || sum->least < timed->least))
        timed->least = sum->least;
    timed->most = sum->most > timed->most ? sum->most : timed->most;
    timed->executions += ended;
    timed->iterations += iterations_of(sum) / step;
    timed->estimated += sum->estimated + sum->unseen;
    timed->in_doubt += doubt_of_iterations(view, ended) / step;
    timed->total += total;
    timed->own += (uint64_t)(view->part * (double)for_all(sum->own, ended, sum->weight)) +
                  (uint64_t)(view->own > 0 ? view->own : 0);
    timed->inner += sum->inner;
    timed->calls += for_all((int64_t)sum->calls, ended, sum->weight);
    timed->timed += sum->timed;
    timed->open += view->open;
    uint64_t uncertainty = some(error_of(sum->spread, ended, sum->weight)) + some(sum->doubt) + some(view->vague) +
                           some((uint64_t)hiera_timed_costs.slack * (ended + view->open));
    timed->uncertainty += uncertainty;
    timed->own_uncertainty += uncertainty + some(error_of(sum->own_spread, ended, sum->weight)) + some(sum->own_doubt) +
                              some(view->call_doubt);
    timed->most_of_thread = total > timed->most_of_thread ? total : timed->most_of_thread;
}

HieraTimedTotal hiera_timing_loop(uint32_t number, uint32_t function)
{
    HieraTimedTotal timed = {.n_threads = 0};
    uint32_t step = number > 0 && hiera_timed_loops[number].step > 0 ? hiera_timed_loops[number].step : 1;
    const HieraTimedThread *thread;
    for (unsigned i = 0; (thread = thread_at(i)) != NULL; i++) {
        View view = look_calmly(thread, number, function);
        join(&timed, &view, step);
    }
    return timed;
}

HieraTimedTotal hiera_timing_function(uint32_t number)
{
    return hiera_timing_loop(0, number);
}

uint64_t hiera_timing_lost(void)
{
    uint64_t lost = hiera_timed_homeless;
    const HieraTimedThread *thread;
    for (unsigned i = 0; (thread = thread_at(i)) != NULL; i++)
        lost += thread->lost;
    return lost;
}

/* Add a share, or replace the shortest one if there is no room and it is longer. */
static void keep_share(HieraTimedShare shares[HIERA_TIMED_SHARES], uint32_t *n, HieraTimedShare share)
{
    uint32_t at = 0;
    if (*n < HIERA_TIMED_SHARES) {
        shares[(*n)++] = share;
        return;
    }
    for (uint32_t i = 1; i < HIERA_TIMED_SHARES; i++)
        at = shares[i].total < shares[at].total ? i : at;
    if (shares[at].total < share.total)
        shares[at] = share;
}

uint32_t hiera_timing_shares(uint32_t number, uint32_t function, HieraTimedShare shares[HIERA_TIMED_SHARES])
{
    uint32_t n = 0;
    const HieraTimedThread *thread;
    for (unsigned i = 0; (thread = thread_at(i)) != NULL; i++) {
        HieraTimedTotal timed = {.n_threads = 0};
        View view = look_calmly(thread, number, function);
        join(&timed, &view, 1);
        if (timed.n_threads > 0 && thread->number != HIERA_TIMED_SEVERAL)
            keep_share(shares, &n, (HieraTimedShare){thread->number, timed.total});
    }
    return n;
}
