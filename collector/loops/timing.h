/* Counts and times of functions and loops, for each thread, from the events of copied functions.
 *
 * A thread makes an entry of a table at its first event, or, of many threads, takes that of one that has ended, which
 * keeps its sums. Activations of functions form a stack. An exception that leaves an activation ends it. longjmp
 * leaves some without an event; the next event notices that by the program's stack pointer, and they end at the time of
 * the call that never returned. Any thread may read the sums at any time: while they change, the sequence of their
 * thread is odd.
 *
 * Executions of a loop that are short are not all timed: copies count down to the next one that is (HIERA_PLAN_DOWN),
 * and it stands for all since the one before. So are calls in a function. Of a function in which all that takes too
 * much, most calls are executed in the original (HIERA_PLAN_GATES): one that is timed stands for them, with all its
 * loops. What events take is taken off the clock of the thread: no time has it. */
#pragma once

#include "dtd/plan.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Most functions and loops that are timed. Numbers are from 1 on; 0 is for hiera_timing_calibrate(). */
enum { HIERA_TIMED_FUNCTIONS = 128, HIERA_TIMED_LOOPS = 256 };
/* A thread has so many numbers of loops that copies change. Some loops share one, by their remainders; it is that of
 * the innermost activation. They are few because a library that is loaded later has little room for them. */
enum { HIERA_TIMED_SLOTS = 64 };
/* All calls of functions with greater numbers are timed. */
enum { HIERA_TIMED_GATES = 32 };
/* Threads that are there at once. The first HIERA_TIMED_FRESH have entries of their own. */
enum { HIERA_TIMED_THREADS = 4096, HIERA_TIMED_FRESH = 512 };
enum { HIERA_TIMED_FRAMES = 48, HIERA_TIMED_RUNNING = 256 };

/* Counts and times of a function or loop in one thread. Times are in ticks of the processor's counter. Those of a loop
 * that began since the thread's last event of it are not among its counts. */
typedef struct HieraTimedSum {
    uint64_t executions;  /* that have begun */
    uint64_t iterations;  /* iterations of a loop without the first one of each execution, times its step */
    int64_t total;        /* time from begin to end of executions; nested ones (recursion) are part of the outermost */
    int64_t own;          /* time of all executions, without the functions that they called */
    uint64_t least, most; /* time of the shortest and of the longest execution that was timed */
    uint64_t timed;       /* number of executions that were timed */
    uint64_t weight;      /* number of executions for which these stand in `total` and `own` */
    uint64_t spread;      /* square of the standard error of `total`, divided by HIERA_TIMED_SPREAD */
    uint64_t doubt;       /* time by which `total` may be wrong, beside that error: see note_one(), settle_event() */
    uint64_t own_spread;  /* the same for what the functions took that were called */
    uint64_t own_doubt;
    uint64_t turn_spread; /* the same for HIERA_TIMED_FINE times `iterations`, where they are estimated */
    uint64_t turn_doubt;
    uint64_t unseen;    /* number of executions whose iterations are not in `iterations` */
    uint64_t estimated; /* number of those whose iterations are, estimated */
    uint64_t inner;     /* number of executions inside another one (recursion) */
    uint64_t calls;     /* number of calls in the executions that were timed, times what these stand for */
} HieraTimedSum;
enum { HIERA_TIMED_SPREAD = 256 };

/* What a loop, or a function, took in an activation, and what of it the functions that it called; HIERA_TIMED_FINE
 * times its iterations. */
typedef struct HieraTimedPart {
    int64_t time, callees, turns;
} HieraTimedPart;

/* Clocks at one moment: the processor's counter, and ns of the system and of the thread on its processor. */
typedef struct HieraTimedClocks {
    int64_t ticks, wall, processor;
} HieraTimedClocks;

/* Something that makes one of many activations insufficient: how many are timed all before that is forgotten, and how
 * many after the next time. */
typedef struct HieraTimedCase {
    uint32_t left, next;
} HieraTimedCase;

/* What calls of a function may take that go on in the original: what the time between timed ones is longer than usual,
 * by its number of bits. */
enum { HIERA_TIMED_BINS = 48 };
typedef struct HieraTimedHidden {
    int64_t room;   /* time in which all its calls were, also those that were timed */
    int64_t until;  /* time up to which this is known; 0: none was timed */
    int64_t usual;  /* ticks from one call to the next, as few as they often are */
    uint32_t known; /* number of calls since the last one that was timed, up to then */
    int64_t span;   /* time since the last one ended that counts, without those that were timed */
    bool may_go_on; /* one of these may be in progress */
    struct {
        uint64_t ticks, n;
    } bins[HIERA_TIMED_BINS];
} HieraTimedHidden;

/* How often the executions of a loop or a function, or the calls in a function, are timed. */
typedef struct HieraTimedPace {
    int32_t gap;    /* from what the thread counts down to the next one that is timed */
    uint32_t since; /* number of executions since the last one that was timed began */
    uint32_t n;     /* number that were timed */
    bool is_full;   /* all are timed */
    int64_t mean;   /* ticks of one, as the last ones took */
    int64_t turns;  /* and iterations of one; of a function: ticks that it took longer because it is timed */
    int64_t fine;   /* and HIERA_TIMED_FINE times its iterations */
    int64_t at;     /* of a loop: time of the function at the end of the last one that was timed; of a function: time
                       of those that were timed, times what these stand for */
    int64_t cost;   /* of a function: ticks that these took longer */
    HieraTimedPart part; /* means of activations */
    uint64_t unseen;     /* of a loop: number of executions of a second copy, which counts no iterations, since then */
    uint32_t warm;       /* of a function: number of activations that end before one counts */
    uint32_t scale;      /* of a loop: number of executions of the function for which the activation stands */
} HieraTimedPace;

/* State of a loop in an activation (an entered, timed function): being executed and timed, or not (is_running). */
typedef struct HieraTimedRun {
    int64_t start, callees;
    uint64_t iterations;                     /* of the loop, when this execution began */
    uint64_t vague, call_doubt, call_spread; /* of the thread and the activation, when this execution began */
    uint64_t calls;                          /* of the activation */
    uint32_t weight;                         /* number of executions for which this one stands */
    uint64_t unseen;                         /* number of those before whose iterations were not counted */
    HieraTimedPart before;                   /* sums of the loop, when the activation began */
    uint64_t timed_before, executions_before, iterations_before;
    bool is_running;
    bool is_inner; /* the loop is being executed in an outer activation of its function, too */
} HieraTimedRun;

/* The loops of a function: the number of the first one, and how many there are. They are set before its first event. If
 * they are set again, activations in progress keep their old values. */
typedef struct HieraTimedFunction {
    uint32_t loop, n_loops;
} HieraTimedFunction;
extern _Alignas(uint64_t) HieraTimedFunction hiera_timed_functions[HIERA_TIMED_FUNCTIONS];
/* What is to be known of a loop: see HieraPlanLoop. */
typedef struct HieraTimedLoop {
    uint32_t step;
    bool is_spare, is_doubled;
} HieraTimedLoop;
extern HieraTimedLoop hiera_timed_loops[HIERA_TIMED_LOOPS];
/* Take what is to be known of functions and loops of a plan, whose numbers begin with these. */
void hiera_timing_take(const HieraPlan *plan, uint32_t first_function, uint32_t first_loop);

/* An activation: a timed function that has been entered and not left, entry of the thread's stack of these. */
typedef struct HieraTimedFrame {
    uintptr_t stack;
    uint32_t function, first_run;
    HieraTimedFunction loops;
    int64_t start, callees;             /* callees: ticks in calls, as those that were timed tell */
    uint32_t weight;                    /* number of executions for which it stands; 0: it does not count */
    int64_t spent, quiet;               /* of the thread, when it began */
    int64_t call;                       /* begin of the call in progress that is timed */
    uint32_t call_weight;               /* number of calls for which it stands; 0: none is timed */
    uint32_t site;                      /* of this call */
    uint64_t calls;                     /* number of calls so far, as those that were timed tell */
    uint64_t edge;                      /* most that one of these stands for: see doubt_edge() */
    uint64_t vague, call_vague;         /* of the thread, when the activation and this call began */
    uint64_t call_doubt, call_spread;   /* by how much `callees` may be wrong: as in HieraTimedSum */
    bool is_inner;                      /* an outer activation of the same function is in progress */
    uint64_t starts[HIERA_PLAN_STARTS]; /* HIERA_PLAN_START of what a signal has interrupted */
} HieraTimedFrame;

#define HIERA_TIMED_SEVERAL UINT32_MAX

/* What events of a kind in a function take more than those that were measured first, and how uncertain that is. */
typedef struct HieraTimedCost {
    int32_t more;
    uint32_t vague;
    int32_t mean, apart; /* `more`, and how far single events are from it, times HIERA_TIMED_FINE */
} HieraTimedCost;

typedef struct HieraTimedThread {
    uint32_t sequence;
    pid_t tid; /* kernel's id of the thread that owns the entry; 0: free */
    bool is_busy;
    uintptr_t busy;  /* stack pointer of the event in progress, which siglongjmp may leave */
    uint32_t number; /* of the thread in the trace (thread_number.h); HIERA_TIMED_SEVERAL: it had several owners */
    uint32_t n_frames, n_runs, n_over; /* n_over: activations in progress that had no room in `frames` */
    uint32_t random;
    uintptr_t over; /* stack pointer at the outermost activation that had no room in `frames` */
    uint64_t lost;  /* number of events that could not be counted */
    int64_t spent;  /* ticks that events took so far */
    int64_t quiet;  /* and what is only counted, times HIERA_TIMED_FINE: about as much */
    uint64_t vague; /* by how much that may be wrong */
    int64_t last;   /* when the last event began */
    int64_t asked;  /* ticks that the event in progress took to read clocks */
    int64_t closed; /* when gates were closed */
    uint32_t gated; /* by bit: functions of which the next call goes on in the original */
    HieraTimedClocks clocks;
    int32_t until; /* number of events until one is measured */
    HieraTimedCost costs[HIERA_TIMED_FUNCTIONS][HIERA_PLAN_EVENTS];
    uint32_t depths[HIERA_TIMED_FUNCTIONS];
    HieraTimedFrame frames[HIERA_TIMED_FRAMES];
    HieraTimedRun runs[HIERA_TIMED_RUNNING];
    HieraTimedSum functions[HIERA_TIMED_FUNCTIONS], loops[HIERA_TIMED_LOOPS];
    HieraTimedPace calls[HIERA_PLAN_SITES], paces[HIERA_TIMED_LOOPS], activations[HIERA_TIMED_FUNCTIONS];
    HieraTimedHidden hidden[HIERA_TIMED_FUNCTIONS];
    HieraTimedCase recursive[HIERA_TIMED_FUNCTIONS]; /* it calls itself: all its loops are timed */
    bool times_calls[HIERA_TIMED_FUNCTIONS];         /* all its calls are timed */
    HieraTimedCase has_left; /* longjmp has left an activation: all are timed, since only the next event tells that */
    uint16_t owners[HIERA_TIMED_SLOTS]; /* by slot: the loop that has it */
} HieraTimedThread;

/* The code that copies call at events; the personality routine of copies; where the numbers of a thread are that copies
 * change, by HieraPlanLocal, from the thread pointer on. */
const void *hiera_timing_event(void);
const void *hiera_timing_unwind(void);
const ptrdiff_t *hiera_timing_locals(void);

/* Measure what events take, and what copies take that only count an execution. From then on it is taken off. */
void hiera_timing_calibrate(void);

/* What hiera_timing_calibrate() has measured, in ticks. */
typedef struct HieraTimedCosts {
    int64_t kinds[HIERA_PLAN_EVENTS];  /* what each kind of events takes, without HIERA_TIMED_FINE */
    int64_t inside[HIERA_PLAN_EVENTS]; /* of this, what the event measures by itself; 0: nothing is taken off yet */
    int64_t quiet;                     /* an execution that is only counted, times HIERA_TIMED_FINE */
    int64_t counter; /* at most, an iteration in which an instruction counts, times HIERA_TIMED_FINE */
    int64_t spare;   /* the same, in a register */
    int64_t slack;   /* by how much the time of an execution may be wrong */
    int64_t lap;     /* at most, how long what is before and behind a call goes on beside it */
} HieraTimedCosts;
extern HieraTimedCosts hiera_timed_costs;
enum { HIERA_TIMED_FINE = 16 };

/* Counts and times of a function or loop over all threads, with executions in progress. Threads may go on meanwhile. */
typedef struct HieraTimedTotal {
    uint64_t executions, iterations; /* executions: that have ended */
    uint64_t total, own, least, most;
    uint64_t timed, inner, calls;
    uint64_t uncertainty;          /* by how much `total` may be wrong */
    uint64_t own_uncertainty;      /* by how much `own` may be wrong */
    uint64_t estimated;            /* number of executions whose iterations are estimated */
    uint64_t in_doubt;             /* by how much `iterations` may be wrong then */
    uint32_t n_threads;            /* number of threads that have executed the function or loop */
    uint64_t most_of_thread, open; /* largest total time of one thread; number of executions in progress */
} HieraTimedTotal;
HieraTimedTotal hiera_timing_function(uint32_t number);
HieraTimedTotal hiera_timing_loop(uint32_t number, uint32_t function);

/* How long one thread executed a function or loop. */
typedef struct HieraTimedShare {
    uint32_t thread; /* its number in the trace */
    uint64_t total;
} HieraTimedShare;
enum { HIERA_TIMED_SHARES = 64 };

/* Find the times of the HIERA_TIMED_SHARES threads that took longest, of those that have executed a loop of a function,
 * or the function (`number` 0). @return  how many these are */
uint32_t hiera_timing_shares(uint32_t number, uint32_t function, HieraTimedShare shares[HIERA_TIMED_SHARES]);

/* Add what the calling thread has counted without an event. */
void hiera_timing_note(void);
/* The same of functions of which none was timed for some time: so less is in doubt of one that is called no more. For
 * MPI calls. */
void hiera_timing_look(void);

/* Number of events that could not be counted, in all threads, plus number of threads without an entry. */
uint64_t hiera_timing_lost(void);
