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

/* Functions and loops have numbers from 1 on; 0 is for hiera_timing_calibrate(). */
enum { HIERA_TIMED_FUNCTIONS = 128, HIERA_TIMED_LOOPS = 256 };
enum { HIERA_TIMED_THREADS = 512, HIERA_TIMED_FRAMES = 48, HIERA_TIMED_RUNNING = 256 };

/* Sums of a function or a loop. Times are in ticks of the processor's counter. */
typedef struct HieraTimedSum {
    uint64_t executions;
    uint64_t iterations;  /* iterations of a loop, except the first one of each execution */
    uint64_t total;       /* time from begin to end; for recursive calls only that of the outermost execution */
    uint64_t own;         /* time of all executions without calls of other functions */
    uint64_t least, most; /* shortest and longest execution */
    uint64_t events;      /* number of events during its executions, also of its loops */
} HieraTimedSum;

/* A loop in progress. */
typedef struct HieraTimedRun {
    uint64_t start, callees, events;
    bool is_running;
} HieraTimedRun;

/* The loops of a function: the number of the first one, and how many there are. They are set before its first event. If
 * they are set again, activations in progress keep their old values. */
typedef struct HieraTimedFunction {
    uint32_t loop, n_loops;
} HieraTimedFunction;
extern _Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

/* A function in progress (an activation). */
typedef struct HieraTimedFrame {
    uintptr_t stack;
    uint32_t function, first_run;
    HieraTimedFunction loops;
    uint64_t start, callees, call, events; /* call: time at which the call in progress began; 0: there is none */
    bool is_inner;                         /* true if an outer activation of the same function is in progress */
} HieraTimedFrame;

typedef struct HieraTimedThread {
    uint32_t sequence;
    pid_t tid; /* kernel's id of the thread; 0: the entry is free */
    bool is_busy;
    uint32_t n_frames, n_runs, n_over; /* n_over: number of activations for which there was no room */
    uintptr_t over;                    /* stack pointer at the first of these activations */
    uint64_t lost;                     /* number of events for which there was no room */
    uint32_t depths[HIERA_TIMED_FUNCTIONS];
    HieraTimedFrame frames[HIERA_TIMED_FRAMES];
    HieraTimedRun runs[HIERA_TIMED_RUNNING];
    HieraTimedSum functions[HIERA_TIMED_FUNCTIONS], loops[HIERA_TIMED_LOOPS];
} HieraTimedThread;

/* Make the table. @return  false if there is no memory */
bool hiera_timing_begin(void);

/* The code that copies call at events; the personality routine of copies; the offset of the first iteration counter
 * from the thread pointer. There are HIERA_PLAN_LOOPS counters: loops whose numbers differ by a multiple of that share
 * one. */
const void *hiera_timing_event(void);
const void *hiera_timing_unwind(void);
ptrdiff_t hiera_timing_counters(void);

/* Measure the time of an event, in ticks: the shortest of several trials. */
double hiera_timing_calibrate(void);

/* The sums of a function or a loop over all threads, including executions in progress. Threads may go on meanwhile. */
typedef struct HieraTimedTotal {
    HieraTimedSum sum;
    uint32_t n_threads;            /* number of threads that have executed it */
    uint64_t most_of_thread, open; /* the longest time of a thread; the number of executions in progress */
} HieraTimedTotal;
HieraTimedTotal hiera_timing_function(uint32_t number);
HieraTimedTotal hiera_timing_loop(uint32_t number, uint32_t function);

/* Number of events for which there was no room, over all threads. */
uint64_t hiera_timing_lost(void);
