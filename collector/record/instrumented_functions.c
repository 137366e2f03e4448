/* Hooks of -finstrument-functions, which gcc and clang call around each function that was compiled with it.
 *
 * The hooks are called very often and from anywhere: from constructors before ours, from the program's own malloc while
 * the collector writes, from signal handlers. The common case is a short call without a record: it makes an entry in
 * the thread's list of open regions (open_regions.h) and removes it again. Except where room is missing, nothing here
 * calls a function that could itself be instrumented.
 *
 * Functions of a signal handler that interrupts the program are recorded inside the interrupted function. Functions of
 * a handler that interrupts MPI or the collector are not recorded. */
#include "instrumented_functions.h"

#include "base/life.h"
#include "base/settings.h"
#include "open_regions.h"
#include "watch.h"

#define HOOK __attribute__((visibility("default")))

HOOK void __cyg_profile_func_enter(void *function, void *site);
HOOK void __cyg_profile_func_exit(void *function, void *site);

#define FRAME ((uintptr_t)__builtin_dwarf_cfa())

/* Whether a function has jumped to the hook of its end, as the last thing it does (-O2): then its stack frame is gone,
 * and the hook returns to its caller. */
#define HAS_JUMPED(site) (__builtin_return_address(0) == (site))

/* How functions are recorded. WATCHED: a probe script may observe functions (watch.h). FILTERED: functions are not
 * recorded for now, but the list of open functions is kept. */
static enum { NONE, USUAL, WATCHED, FILTERED } mode;
static uint64_t short_ticks; /* shorter calls get no record; in ticks; 0: not known yet, or all calls get one */
static __thread bool is_attaching __attribute__((tls_model("initial-exec")));

void hiera_functions_load(void)
{
    if (hiera_settings.levels[0] == '\0' || hiera_settings_has_word(hiera_settings.levels, "function"))
        mode = hiera_watch_functions() ? WATCHED : USUAL;
    else
        mode = hiera_settings.attach ? FILTERED : NONE;
}

/* Compute `short_ticks` here and not when the library is loaded, because the clock's speed is known only later. */
void hiera_functions_attach(void)
{
    if (__atomic_load_n(&short_ticks, __ATOMIC_RELAXED) == 0)
        __atomic_store_n(&short_ticks, hiera_clock_ticks_of(hiera_settings.short_ns), __ATOMIC_RELAXED);
}

/* Attach a thread at its first call. The flag stops recursion: attaching may call instrumented functions (a malloc). */
static HieraThread *attach(void)
{
    if (is_attaching || !hiera_life.loaded || hiera_life.closed)
        return NULL;
    is_attaching = true;
    HieraThread *thread = hiera_thread_attach();
    is_attaching = false;
    return thread;
}

static inline bool is_inside(HieraThread *thread, uintptr_t frame)
{
    return thread->is_writing || hiera_open_is_inside(thread, frame);
}

/* Enter the collector. Until leave(), instrumented functions of signal handlers are not recorded. */
static inline void enter(HieraThread *thread, uintptr_t frame)
{
    thread->inside = frame;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

static inline void leave(HieraThread *thread)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    thread->inside = 0;
}

/* Whether the begin of a call is the common case: an entry is free, and all open entries enclose this call. */
static inline bool is_usual(const HieraThread *thread, const void *site, uintptr_t frame)
{
    if (thread->n_open >= thread->room_open || thread->n_open - thread->n_recorded >= HIERA_UNRECORDED_MAX ||
        thread->unkept.n > 0)
        return false;
    const HieraOpen *last = &thread->open[(ptrdiff_t)thread->n_open - 1];
    return last->floor > frame || (last->floor == frame && last->site == site && last->function);
}

static inline void push(HieraThread *thread, const void *function, const void *site, uintptr_t frame)
{
    HieraOpen *open = &thread->open[thread->n_open++];
    open->record = NULL;
    open->name = NULL;
    open->scope = frame;
    open->floor = open[-1].floor < frame ? open[-1].floor : frame;
    open->state = 0;
    if (HIERA_UNLIKELY(hiera_may_be_idle()))
        open->is_filtered = hiera_idle_at_last() != 0;
    open->function = function;
    open->site = site;
    thread->limit = thread->next; /* the next record calls hiera_flush(), which first writes this call's record */
    open->start = hiera_clock_ticks();
}

static void lose(HieraThread *thread, uintptr_t frame)
{
    thread->lost_open++;
    hiera_open_lose(&thread->unkept, HIERA_OPEN_FUNCTION, frame);
}

/* Handle the begin of a function while functions may be observed by a probe script, or are not recorded. */
static __attribute__((cold, noinline)) void enter_watched(const void *function, const void *site, uintptr_t frame)
{
    HieraThread *thread = hiera_thread ? hiera_thread : attach();
    if (mode == NONE || !thread || is_inside(thread, frame))
        return;
    enter(thread, frame);
    if (!is_usual(thread, site, frame) && !hiera_open_prepare_function(thread, site, frame)) {
        lose(thread, frame);
    } else {
        push(thread, function, site, frame);
        if (mode == FILTERED)
            thread->open[thread->n_open - 1].is_filtered = true;
        if (!thread->open[thread->n_open - 1].is_filtered)
            hiera_watch_start(thread);
    }
    leave(thread);
}

void __cyg_profile_func_enter(void *function, void *site)
{
    HieraThread *thread = hiera_thread;
    uintptr_t frame = FRAME;
    if (HIERA_UNLIKELY(mode != USUAL)) {
        enter_watched(function, site, frame);
        return;
    }
    if (HIERA_UNLIKELY(!thread) && !(thread = attach()))
        return;
    if (HIERA_UNLIKELY(is_inside(thread, frame)))
        return;
    enter(thread, frame);
    if (HIERA_LIKELY(is_usual(thread, site, frame)) || hiera_open_prepare_function(thread, site, frame))
        push(thread, function, site, frame);
    else
        lose(thread, frame);
    leave(thread);
}

static void count(HieraOpen *parent, const void *function, uint64_t calls, uint64_t ticks)
{
    uint32_t i = 0;
    while (i < parent->n_shorts && i < HIERA_SHORTS && parent->shorts[i].function != function)
        i++;
    if (i == parent->n_shorts) {
        parent->shorts[i] = (HieraShort){i < HIERA_SHORTS ? function : NULL, 0, 0};
        parent->n_shorts++;
    }
    parent->shorts[i].count += calls;
    parent->shorts[i].ticks += ticks;
}

/* Handle the end of a short call: add the call, and the short calls counted inside it, to the counts of its parent. */
static void take_back(HieraThread *thread, HieraOpen *open, uint64_t ticks)
{
    if (!open->is_filtered) {
        uint64_t inner = 0;
        for (uint32_t i = 0; i < open->n_shorts; i++) {
            inner += open->shorts[i].ticks;
            count(open - 1, open->shorts[i].function, open->shorts[i].count, open->shorts[i].ticks);
        }
        count(open - 1, open->function, 1, ticks > inner ? ticks - inner : 0);
    }
    if (--thread->n_open == thread->n_recorded)
        thread->limit = thread->end > thread->next ? thread->end : thread->next;
}

/* The end of a call of `function` from the call site `site`. `frame` is the stack frame of the hook. */
typedef struct Ended {
    const void *function, *site;
    uintptr_t frame;
    bool has_jumped;
} Ended;

static inline bool is_end_of(const HieraOpen *open, const Ended *ended)
{
    if (open->function != ended->function)
        return false;
    return ended->has_jumped ? hiera_open_is_gone(open, ended->site, ended->frame) : open->scope == ended->frame;
}

static inline __attribute__((always_inline)) void end(HieraThread *thread, const Ended *ended)
{
    HieraOpen *open = &thread->open[(ptrdiff_t)thread->n_open - 1];
    if (HIERA_LIKELY(thread->unkept.n == 0 && thread->n_open > thread->n_recorded && is_end_of(open, ended))) {
        uint64_t ticks = hiera_clock_ticks() - open->start;
        if (ticks < short_ticks || open->is_filtered) {
            take_back(thread, open, ticks);
            if (HIERA_UNLIKELY(open[-1].has_ended))
                hiera_open_end_ended(thread);
            return;
        }
    }
    if (ended->has_jumped)
        hiera_open_end_jumped(thread, ended->function, ended->site, ended->frame);
    else
        hiera_open_end_function(thread, ended->function, ended->frame);
}

/* The end of a function that a probe script may observe: it is reported before it is known whether the function took
 * long enough for a record. */
static __attribute__((cold, noinline)) void exit_watched(HieraThread *thread, const Ended *ended)
{
    if (mode == NONE || !thread || thread->n_open + thread->unkept.n == 0 || is_inside(thread, ended->frame))
        return;
    enter(thread, ended->frame);
    HieraOpen *open = &thread->open[(ptrdiff_t)thread->n_open - 1];
    if (open->is_watched && is_end_of(open, ended)) {
        hiera_watch_stop(thread, open, hiera_clock_ticks());
        open->is_watched = false;
    }
    end(thread, ended);
    leave(thread);
}

void __cyg_profile_func_exit(void *function, void *site)
{
    HieraThread *thread = hiera_thread;
    const Ended ended = {function, site, FRAME, HAS_JUMPED(site)};
    if (HIERA_UNLIKELY(mode != USUAL)) {
        exit_watched(thread, &ended);
        return;
    }
    if (!thread || thread->n_open + thread->unkept.n == 0 || is_inside(thread, ended.frame))
        return;
    enter(thread, ended.frame);
    end(thread, &ended);
    leave(thread);
}
