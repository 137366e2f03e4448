/* What copies of functions tell: executions of functions and loops, and their times, for each thread.
 *
 * A thread takes its place in a table at its first event; the place of a thread that has ended is taken by another one,
 * and keeps its sums. Activations of functions are a stack. An exception that leaves one ends it. longjmp leaves some,
 * which is seen by the pointer to the program's stack at the next event: they end with the call that never came back.
 * Sums are read by anybody at any time: while they change, their thread's sequence is odd. */
#ifndef HIERA_TIMING_H
#define HIERA_TIMING_H

#include "dtd/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Functions and loops have numbers from 1 on: 0 is for hiera_timing_calibrate(). */
enum { HIERA_TIMED_FUNCTIONS = 128, HIERA_TIMED_LOOPS = 256 };
enum { HIERA_TIMED_THREADS = 512, HIERA_TIMED_FRAMES = 48, HIERA_TIMED_RUNNING = 256 };

/* Of a function or a loop. Times are ticks of the processor's counter. */
typedef struct HieraTimedSum {
    uint64_t executions;
    uint64_t iterations;  /* of a loop, but for the first of each execution */
    uint64_t total;       /* from begin to end; of a function that calls itself, of its outermost execution */
    uint64_t own;         /* without the calls of other functions, of all executions */
    uint64_t least, most; /* of an execution */
    uint64_t events;      /* that were observed from its begin to its end, in it and its loops */
} HieraTimedSum;

/* A loop that runs. */
typedef struct HieraTimedRun {
    uint64_t start, callees, events;
    bool is_running;
} HieraTimedRun;

/* The loops of a function: the number of the first, and how many there are. They are set before its first event. Should
 * they be set again, activations in progress keep those with which they began. */
typedef struct HieraTimedFunction {
    uint32_t loop, n_loops;
} HieraTimedFunction;
extern _Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];

/* A function that runs. */
typedef struct HieraTimedFrame {
    uintptr_t stack;
    uint32_t function, first_run;
    HieraTimedFunction loops;
    uint64_t start, callees, call, events; /* call: when the call in progress began; 0: there is none */
    bool is_inner;                         /* it runs already, further out */
} HieraTimedFrame;

typedef struct HieraTimedThread {
    uint32_t sequence;
    pid_t tid; /* 0: nobody's */
    bool is_busy;
    uint32_t n_frames, n_runs, n_over; /* n_over: activations for which there was no room */
    uintptr_t over;                    /* the stack's pointer at the first of them */
    uint64_t lost;                     /* events that did not fit */
    uint32_t depths[HIERA_TIMED_FUNCTIONS];
    HieraTimedFrame frames[HIERA_TIMED_FRAMES];
    HieraTimedRun runs[HIERA_TIMED_RUNNING];
    HieraTimedSum functions[HIERA_TIMED_FUNCTIONS], loops[HIERA_TIMED_LOOPS];
} HieraTimedThread;

/* Make the table. @return false if there is no memory */
bool hiera_timing_begin(void);

/* The code that events call, the personality routine of copies, and the distance of the first counter of iterations
 * from a thread's pointer. There are HIERA_PLAN_LOOPS of them: loops whose numbers differ by that share one. */
const void *hiera_timing_event(void);
const void *hiera_timing_unwind(void);
ptrdiff_t hiera_timing_counters(void);

/* Nanoseconds, in ticks, that an event takes: the shortest of several trials. */
double hiera_timing_calibrate(void);

/* The sums of all threads of a function or a loop, with what runs now. Threads may go on meanwhile. */
typedef struct HieraTimedTotal {
    HieraTimedSum sum;
    uint32_t n_threads;            /* that have executed it */
    uint64_t most_of_thread, open; /* the longest time of a thread; executions that have not ended */
} HieraTimedTotal;
HieraTimedTotal hiera_timing_function(uint32_t number);
HieraTimedTotal hiera_timing_loop(uint32_t number, uint32_t function);

/* Events that did not fit, of all threads. */
uint64_t hiera_timing_lost(void);

#endif
