/* Plans and times that survive if the process is killed: the original instruction of each instruction of a copy, so
 * that call sites are known, and the times of at most a second ago. */
#pragma once

#include "timing.h"

/* Called when memory that survives a kill is available: copy the plans into it. With the lock held. */
void hiera_kept_times_begin(void);

/* The process has joined its job, or begins to time something: if there are plans, the helper stores times from now on.
 * Without the lock. */
void hiera_kept_times_go_on(void);

/* In the process that completes the trace of another one: drop plans that are not in the memory taken from that one.
 * `text_of` finds the texts of the library. */
void hiera_kept_times_recover(const char *(*text_of)(const char *text));

/* Return hiera_timing_function() etc.; in a process that completes a killed one's trace, the times it has left. */
HieraTimedTotal hiera_kept_function(uint32_t number);
HieraTimedTotal hiera_kept_loop(uint32_t number, uint32_t function);
uint64_t hiera_kept_lost(void);
