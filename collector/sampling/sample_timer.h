/* Samples where the kernel gives none: a timer of the CPU time of a thread, whose signal notes where the thread is.
 *
 * The signal is SIGURG: a program that does not know of it is not ended by it, whatever it does with its handlers. If
 * the program has a handler of its own for it, there are no such samples, from then on. A thread that blocks it is not
 * sampled as long as it does, so nobody finds it by sigwait(). System calls are restarted (SA_RESTART), but for those
 * that Linux never restarts (signal(7)). The kernel looks at such timers at its tick, so that there are at most as many
 * samples as ticks: one that is late stands for several periods. */
#ifndef HIERA_SAMPLE_TIMER_H
#define HIERA_SAMPLE_TIMER_H

#include "sample.h"

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

/* Begin, in a ring of its own. It belongs to the timer.
 *
 * @return  NULL: the program uses the signal, the thread blocks it, or there is no timer or memory */
void *hiera_sample_timer_begin(pid_t tid, clockid_t clock, uint64_t period_ns);

/* End. A last signal may be on its way, so the ring stays, for another timer. */
void hiera_sample_timer_end(void *ring);

bool hiera_sample_timer_peek(void *ring, HieraSample *sample, uint64_t *lost);
void hiera_sample_timer_take(void *ring);
bool hiera_sample_timer_is_filling(const void *ring);

/* There are timers, and the program has another action for the signal by now. */
bool hiera_sample_timer_is_unwanted(void);

/* Does this thread block the signal now? */
bool hiera_sample_timer_is_blocked(pid_t tid);

#endif
