/* Samples where the kernel gives none: a timer of the CPU time of a thread, whose signal handler stores the thread's
 * position.
 *
 * The signal is SIGURG: by default it does not end a program, whatever the program does with its handlers. If
 * the program has a handler of its own for it, there are no such samples, from then on. A thread that blocks it is not
 * sampled meanwhile, so no sigwait() receives it. System calls are restarted (SA_RESTART), except those
 * that Linux never restarts (signal(7)). The kernel checks such timers at its tick, so that there are at most as many
 * samples as ticks: a late sample stands for several periods. */
#pragma once

#include "sample.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/* Start a timer with a ring of its own, which belongs to the timer.
 *
 * @return  NULL: the program uses the signal, the thread blocks it, or there is no timer or memory */
void *hiera_sample_timer_begin(pid_t tid, clockid_t clock, uint64_t period_ns);

/* Stop a timer. A signal of this timer may still arrive, so its ring is not freed but kept for another timer. */
void hiera_sample_timer_end(void *ring);

bool hiera_sample_timer_peek(void *ring, HieraSample *sample, uint64_t *lost);
void hiera_sample_timer_take(void *ring);
bool hiera_sample_timer_is_filling(const void *ring);

/* Whether there are timers although the program has installed its own handler for their signal. */
bool hiera_sample_timer_is_unwanted(void);

/* Whether the thread `tid` now blocks the timers' signal; true if this cannot be found out. */
bool hiera_sample_timer_is_blocked(pid_t tid);
