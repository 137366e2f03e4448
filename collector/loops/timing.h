/* Counts and times of functions and loops, for each thread, from the events of copied functions.
 *
 * A thread takes an entry of a table at its first event; the entry of a thread that has ended is taken by another one,
 * and keeps its sums. Activations of functions form a stack. An exception that leaves an activation ends it. longjmp
 * leaves some without an event; the next event notices that by the program's stack pointer, and they end at the time of
 * the call that never returned. Any thread may read the sums at any time: while they change, the sequence of their
 * thread is odd. */
#pragma once

#include "dtd/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Most functions and loops that are timed. Numbers are from 1 on; 0 is for hiera_timing_calibrate(). */
enum { HIERA_TIMED_FUNCTIONS = 128, HIERA_TIMED_LOOPS = 256 };
enum { HIERA_TIMED_THREADS = 512, HIERA_TIMED_FRAMES = 48, HIERA_TIMED_RUNNING = 256 };

/* Counts and times of a function or loop in one thread. Times are in ticks of the processor's counter. */
typedef struct HieraTimedSum {
    uint64_t executions;
    uint64_t iterations;  /* iterations of a loop without the first one of each execution */
    uint64_t total;       /* time from begin to end of executions; nested ones (recursion) are part of the outermost */
    uint64_t own;         /* time of all executions, without the functions that they called */
    uint64_t least, most; /* time of the shortest and of the longest execution */
    uint64_t events;      /* number of events (calls into Hiera) in `total`, those of inner loops included */
    uint64_t own_events;  /* number of events in `own`: without those of timed functions that were called */
    uint64_t inner;       /* number of executions inside another one (recursion) */
} HieraTimedSum;

/* State of a loop in an activation (an entered, timed function): being executed, or not (is_running). */
typedef struct HieraTimedRun {
    uint64_t start, callees, events, called_events;
    bool is_running;
    bool is_inner; /* the loop is being executed in an outer activation of its function, too */
} HieraTimedRun;

/* The loops of a function: the number of the first one, and how many there are. They are set before its first event. If
 * they are set again, activations in progress keep their old values. */
typedef struct HieraTimedFunction {
    uint32_t loop, n_loops;
} HieraTimedFunction;
extern _Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

/* An activation: a timed function that has been entered and not left, entry of the thread's stack of these. */
typedef struct HieraTimedFrame {
    uintptr_t stack;
    uint32_t function, first_run;
    HieraTimedFunction loops;
    uint64_t start, callees, call;  /* call: begin of the function's call in progress; 0: none */
    uint64_t events, called_events; /* called_events: those of `events` that are of functions that were called */
    bool is_inner;                  /* an outer activation of the same function is in progress */
} HieraTimedFrame;

typedef struct HieraTimedThread {
    uint32_t sequence;
    pid_t tid; /* kernel's id of the thread that owns the entry; 0: free */
    bool is_busy;
    uint32_t n_frames, n_runs, n_over; /* n_over: activations in progress that had no room in `frames` */
    uintptr_t over;                    /* stack pointer at the outermost activation that had no room in `frames` */
    uint64_t lost;                     /* number of events that could not be counted */
    uint32_t depths[HIERA_TIMED_FUNCTIONS];
    HieraTimedFrame frames[HIERA_TIMED_FRAMES];
    HieraTimedRun runs[HIERA_TIMED_RUNNING];
    HieraTimedSum functions[HIERA_TIMED_FUNCTIONS], loops[HIERA_TIMED_LOOPS];
} HieraTimedThread;

/* Make the table of times, for HIERA_TIMED_THREADS threads. @return  false if there is no memory */
bool hiera_timing_begin(void);

/* The code that copies call at events; the personality routine of copies; the offset of the first iteration counter
 * from the thread pointer. There are HIERA_PLAN_LOOPS counters: loops whose numbers differ by a multiple of that share
 * one. */
const void *hiera_timing_event(void);
const void *hiera_timing_unwind(void);
ptrdiff_t hiera_timing_counters(void);

/* Measure how many ticks an event takes: the shortest of several trials. */
double hiera_timing_calibrate(void);

/* Counts and times of a function or loop over all threads, with executions in progress. Threads may go on meanwhile. */
typedef struct HieraTimedTotal {
    HieraTimedSum sum;
    uint32_t n_threads;            /* number of threads that have executed the function or loop */
    uint64_t most_of_thread, open; /* largest total time of one thread; number of executions in progress */
} HieraTimedTotal;
HieraTimedTotal hiera_timing_function(uint32_t number);
HieraTimedTotal hiera_timing_loop(uint32_t number, uint32_t function);

/* Number of events that could not be counted, in all threads, plus number of threads without an entry. */
uint64_t hiera_timing_lost(void);
