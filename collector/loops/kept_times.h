/* Plans and times that survive if the process is killed: the original instruction of each instruction of a copy, so
 * that call sites are known, and the times of at most a second ago. */
#pragma once

#include "timed_loops.h"

/* Called when memory that survives a kill is available: copy the plans into it. With the lock held. */
void hiera_kept_times_begin(void);

/* The process has joined its job, or begins to time something: if there are plans, the helper stores times from now on.
 * Without the lock. */
void hiera_kept_times_go_on(void);

/* In the process that completes the trace of another one: drop plans that are not in the memory taken from that one.
 * `text_of` finds the texts of the library. */
void hiera_kept_times_recover(const char *(*text_of)(const char *text));

/* Times of a plan's functions and loops, and the ticks in which they were timed. */
typedef struct HieraTimedTimes {
    const HieraTimedTotal *functions, *loops;
    uint64_t watched;
} HieraTimedTimes;

/* Freeze the times of a plan, and return them (no functions: there is no memory); in a process that completes a killed
 * one's trace, the times it has left. With the lock held. */
HieraTimedTimes hiera_kept_times(HieraTimedPlan *timed);

uint64_t hiera_kept_lost(void);
