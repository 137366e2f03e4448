/* What calls may take that go on in the original, and whether a thread had its processor. For timing_events.c: code
 * that runs in events. */
#pragma once

#include "timing_counts.h"

#include <sys/syscall.h>
#include <time.h>

IN_EVENT static long call_kernel(long number, long a, long b, long c)
{
    long result;
    __asm__ volatile("syscall" : "=a"(result) : "a"(number), "D"(a), "S"(b), "d"(c) : "rcx", "r11", "memory");
    return result;
}

IN_EVENT static int64_t clock_ns(clockid_t clock)
{
    enum { NS = 1000000000 };
    struct timespec time = {0, 0};
    call_kernel(SYS_clock_gettime, clock, (long)(uintptr_t)&time, 0);
    return time.tv_sec * NS + time.tv_nsec;
}

/* Read clocks. What that takes is taken off. */
IN_EVENT static __attribute__((noinline)) HieraTimedClocks read_clocks(HieraTimedThread *thread)
{
    HieraTimedClocks clocks = {.ticks = (int64_t)__builtin_ia32_rdtsc()};
    clocks.wall = clock_ns(CLOCK_MONOTONIC);
    clocks.processor = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    int64_t took = (int64_t)__builtin_ia32_rdtsc() - clocks.ticks;
    thread->spent += took;
    thread->asked += took;
    return clocks;
}

/* An activation begins: read clocks, unless they were read shortly before. */
IN_EVENT static void look_at_clocks(HieraTimedThread *thread)
{
    enum { OFTEN = 2000000 };
    if ((int64_t)__builtin_ia32_rdtsc() - thread->clocks.ticks > OFTEN)
        thread->clocks = read_clocks(thread);
}

/* Ticks that the thread had no processor since clocks were read; -1: that was less than `ticks` ago, or they cannot be
 * read. */
IN_EVENT static int64_t away_of(HieraTimedThread *thread, int64_t ticks)
{
    enum { FINE = 1 << 14 };
    const HieraTimedClocks before = thread->clocks, now = read_clocks(thread);
    int64_t wall = now.wall - before.wall, away = wall - (now.processor - before.processor);
    if (before.ticks == 0 || wall <= 0 || now.ticks - before.ticks < ticks)
        return -1;
    return away > 0 ? away * ((now.ticks - before.ticks) * FINE / wall) / FINE : 0;
}

/* Whether an execution that took so many ticks was long by itself: it had the processor for more than `most`, and more
 * than an eighth of them: to take the processor away takes time, too. */
IN_EVENT static bool was_running(HieraTimedThread *thread, int64_t ticks, int64_t most)
{
    int64_t away = away_of(thread, ticks);
    return away >= 0 && ticks - away > most && ticks - away > ticks / 8;
}

/* Add time that calls may have taken which were not timed. */
IN_EVENT static void add_hidden(HieraTimedHidden *hidden, int64_t ticks)
{
    if (ticks <= 0)
        return;
    int bits = 63 - __builtin_clzll((uint64_t)ticks), last = HIERA_TIMED_BINS - 1;
    hidden->bins[bits < last ? bits : last].ticks += (uint64_t)ticks;
    hidden->bins[bits < last ? bits : last].n++;
}

/* Note the time since the last timed call of a function, in which `n` began that were not timed: if it was longer than
 * usual for so many, these may have been. If one may be in progress, all of it counts; where calls must fit in, as much
 * of it as the longest one took: then nobody may have called the function. */
IN_EVENT static void note_hidden(HieraTimedThread *thread, uint32_t function, uint32_t n, int64_t now)
{
    HieraTimedPace *pace = &thread->activations[function];
    HieraTimedHidden *hidden = &thread->hidden[function];
    int64_t ticks = now > hidden->until ? now - hidden->until : 0, mean = pace->mean > 0 ? pace->mean : 0;
    int64_t period = (ticks + mean) / (n + 1), more = ticks;
    int64_t longest = (int64_t)thread->functions[function].most;
    bool may_go_on = hidden->may_go_on, is_warm = pace->n < WARM, is_first = hidden->until == 0;
    if (!is_first && n > 0)
        hidden->room += ticks - n * hiera_timed_costs.quiet / HIERA_TIMED_FINE;
    else if (!is_first && may_go_on)
        hidden->room += ticks < longest ? ticks : longest;
    hidden->until = now;
    hidden->known += n;
    hidden->span += is_first ? 0 : ticks;
    if (is_first || (n == 0 && !is_warm && !may_go_on))
        return;
    if (n > 0)
        more = ticks - (int64_t)(n + 1) * (hidden->usual + hidden->usual / 4) + mean;
    if (more > LONG && (n > 0 || may_go_on)) {
        int64_t away = away_of(thread, 0);
        more -= away > 0 ? away : 0;
    }
    if (n > 0 || may_go_on)
        add_hidden(hidden, more);
    if (n == 0 && !is_warm)
        return;
    int64_t apart = period - hidden->usual;
    if (hidden->usual == 0)
        hidden->usual = period;
    else if (apart < 0)
        hidden->usual += apart / (is_warm ? 8 : 4);
    else
        hidden->usual += (apart < hidden->usual ? apart : hidden->usual) / (is_warm ? 8 : 32);
}

/* Add calls of a function that had no event, and time the next one: so those are known when that was which had none. */
IN_EVENT static void close_gate(HieraTimedThread *thread, uint32_t function, int64_t now)
{
    HieraTimedPace *pace = &thread->activations[function];
    if (gate_of(function) == gate_of(0))
        return;
    take_calls(thread, function);
    if (pace->gap <= 0)
        return;
    uint32_t n = pace->since - thread->hidden[function].known;
    note_hidden(thread, function, n, now);
    thread->hidden[function].may_go_on |= n > 0 && thread->functions[function].calls > 0;
    set_gate(thread, function, 1);
}

/* Close the gates of functions of which none was timed for some time. */
IN_EVENT static void close_old_gates(HieraTimedThread *thread, int64_t now)
{
    enum { OLD = 20000000 };
    if (now - thread->closed < OLD)
        return;
    thread->closed = now;
    for (uint32_t left = thread->gated; left != 0; left &= left - 1) {
        uint32_t function = (uint32_t)__builtin_ctz(left);
        if (now - thread->hidden[function].until > OLD)
            close_gate(thread, function, now);
    }
}

/* @return  whether it was met before, and not forgotten */
IN_EVENT static bool meet(HieraTimedCase *met)
{
    enum { FIRST = 4096, MORE = 16, MAX = 1 << 24 };
    bool is_known = met->left > 0;
    met->next = met->next == 0 ? FIRST : is_known || met->next >= MAX ? met->next : met->next * MORE;
    met->left = met->next;
    return is_known;
}

/* Forget, after some activations, that the function called itself, or that longjmp has left one. */
IN_EVENT static void forget_cases(HieraTimedThread *thread, const HieraTimedFrame *frame)
{
    HieraTimedCase *met = &thread->recursive[frame->function];
    thread->has_left.left -= thread->has_left.left > 0;
    if (met->left == 0 || --met->left > 0)
        return;
    thread->times_calls[frame->function] = false;
    for (uint32_t i = frame->loops.loop; i < frame->loops.loop + frame->loops.n_loops; i++)
        thread->paces[i].is_full = false;
}

/* An activation took so much more than usual; no execution of the loop was timed that may be why. The next one is. */
IN_EVENT static void doubt_loop(HieraTimedThread *thread, const HieraTimedFrame *frame, uint32_t loop, int64_t more)
{
    if (more <= 0)
        return;
    add_times(&thread->loops[loop].doubt, (uint64_t)more, frame->weight);
    if (more > LONG)
        *down_of(loop) = thread->paces[loop].gap = 1;
}

IN_EVENT static void time_calls(HieraTimedThread *thread, uint32_t function)
{
    thread->times_calls[function] = true;
    for (uint32_t i = 0; i < HIERA_PLAN_SITES; i++)
        hiera_timed_locals.calls[i] = thread->calls[i].gap = 0;
}

/* It is not known what was inside what when calls were not timed. */
IN_EVENT static void doubt_all(HieraTimedSum *sum)
{
    if (sum->weight > sum->timed)
        sum->doubt += sum->total > 0 ? (uint64_t)sum->total : 0;
}
