/* Reads the table of times, and adds up threads, while these threads change it. */
#include "timing_table.h"

static uint64_t now_ticks(void)
{
#ifdef __x86_64__
    return __builtin_ia32_rdtsc();
#else
    return 0; /* not x86-64: no loop is timed */
#endif
}

/* Counts and times of one function or loop in one thread, at one moment. */
typedef struct View {
    HieraTimedSum sum; /* with executions in progress, but for its `executions` and `inner` */
    uint64_t open;     /* number of executions in progress */
} View;

/* Add what an execution in progress took so far. `since`: as it began; `above`: events of the timed functions that it
 * has called and that are in progress. */
static void add_open(View *view, const HieraTimedFrame *frame, const HieraTimedRun *since, uint64_t above, uint64_t now)
{
    uint64_t time = now > since->start ? now - since->start : 0;
    uint64_t called = frame->callees - since->callees + (frame->call != 0 && now > frame->call ? now - frame->call : 0);
    uint64_t events = frame->events - since->events, called_events = frame->called_events - since->called_events;
    view->open++;
    view->sum.total += since->is_inner ? 0 : time;
    view->sum.own += time > called ? time - called : 0;
    view->sum.events += since->is_inner ? 0 : events + above;
    view->sum.own_events += events - called_events;
}

static View look(const HieraTimedThread *thread, uint32_t loop, uint32_t function)
{
    View view = {.sum = loop > 0 ? thread->loops[loop] : thread->functions[function]};
    uint64_t now = now_ticks();
    uint32_t n = thread->n_frames < HIERA_TIMED_FRAMES ? thread->n_frames : HIERA_TIMED_FRAMES;
    uint64_t above = 0;
    for (uint32_t i = n; i-- > 0; above += thread->frames[i].events) {
        const HieraTimedFrame *frame = &thread->frames[i];
        const HieraTimedRun whole = {.start = frame->start, .is_inner = frame->is_inner};
        uint32_t at = frame->first_run + (loop - frame->loops.loop);
        if (frame->function != function)
            continue;
        if (loop == 0)
            add_open(&view, frame, &whole, above, now);
        else if (at < HIERA_TIMED_RUNNING && thread->runs[at].is_running)
            add_open(&view, frame, &thread->runs[at], above, now);
    }
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
        view = look(thread, loop, function);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (before % 2 == 0 && __atomic_load_n(&thread->sequence, __ATOMIC_RELAXED) == before)
            break;
    }
    return view;
}

static void join(HieraTimedTotal *timed, const View *view)
{
    const HieraTimedSum *sum = &view->sum;
    uint64_t total = sum->total;
    if (sum->executions + view->open == 0)
        return;
    timed->n_threads++;
    if (sum->executions > 0 && (timed->sum.executions == 0 || sum->least < timed->sum.least))
        timed->sum.least = sum->least;
    timed->sum.most = sum->most > timed->sum.most ? sum->most : timed->sum.most;
    timed->sum.executions += sum->executions;
    timed->sum.iterations += sum->iterations;
    timed->sum.total += total;
    timed->sum.own += sum->own;
    timed->sum.events += sum->events;
    timed->sum.own_events += sum->own_events;
    timed->sum.inner += sum->inner;
    timed->open += view->open;
    timed->most_of_thread = total > timed->most_of_thread ? total : timed->most_of_thread;
}

HieraTimedTotal hiera_timing_loop(uint32_t number, uint32_t function)
{
    HieraTimedTotal timed = {.n_threads = 0};
    for (unsigned i = 0; hiera_timed_threads && i < HIERA_TIMED_THREADS; i++) {
        if (__atomic_load_n(&hiera_timed_threads[i].tid, __ATOMIC_RELAXED) == 0)
            break;
        View view = look_calmly(&hiera_timed_threads[i], number, function);
        join(&timed, &view);
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
    for (unsigned i = 0; hiera_timed_threads && i < HIERA_TIMED_THREADS; i++)
        lost += hiera_timed_threads[i].lost;
    return lost;
}
