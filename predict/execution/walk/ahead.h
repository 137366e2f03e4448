/* Skipping of loop iterations: declarations that ahead.c, changes.c, horizon.c and skip.c share. */
#pragma once

#include "process.h"

/* A value at each visit of a loop's header, and its change since the last visit, as an integer and as a double. */
typedef struct {
    HieraKnown value, first; /* value at the current visit, and at the first examined visit */
    gboolean has_first;
    guint64 delta, growth;
    gdouble float_delta;
    guint8 n_same, n_growing, n_float_same; /* how many consecutive changes were equal: of the integer, of the integer's
                                               growth, of the double */
} HieraChange;

/* What a step stored in each iteration: where, and which value. */
typedef struct {
    guint64 address, first; /* address in the current iteration, and at the first examined visit */
    gint64 delta;           /* change of the address from one iteration to the next */
    guint8 n_same;
    gboolean has_address, has_first;
    HieraChange content;
} HieraStoreChange;

/* What is known of a store from all runs of its loop. */
typedef struct {
    guint64 low, high;                    /* lowest and highest address of the store */
    gboolean is_irregular, content_is_so; /* whether the address (value) did not always change by the same amount */
} HieraPastStore;

/* What is known of a loop from the iterations, in all its runs, that were walked one by one. */
typedef struct HieraLoopPast {
    guint64 n;                 /* number of iterations that were walked one by one */
    gboolean drawn, is_uneven; /* whether random decisions were made in them; whether they executed vertices a different
                                  number of times */
    guint64 *sums;             /* by counter: sum of its increases in these iterations */
    gdouble *rests; /* by counter: executions still to be counted for skipped iterations, by rounding; below 0: too many
                       were counted */
    gboolean irregular[HIERA_N_REGISTERS]; /* by register: whether it did not always change by the same amount */
    HieraPastStore *stores;
} HieraLoopPast;

/* What is known of the current run of a loop, by the visits of its header that were examined. */
typedef struct HieraAhead {
    guint n_visits; /* number of consecutive visits of the header that were examined */
    guint64 since;  /* number of iterations of the run at the first examined visit */
    guint64 begin;  /* begin of the run of the loop, as value of the process's n_walked */
    HieraChange registers[HIERA_N_REGISTERS];
    HieraChange given; /* address of malloc's next block */
    HieraStoreChange *stores;
    HieraDecided *decided; /* by branch (HieraLoopFacts.branches): its last decision */
    guint8 *n_same;        /* by branch: how many consecutive changes of its operands were equal */
    gint64 (*operands)[2]; /* by branch: change of both operands from one iteration to the next */
    gdouble (*float_operands)[2];
    guint64 *counters, *first; /* by counter: value at the last visit, and at the first examined visit */
    guint64 *deltas, *second;  /* by counter: its last change, and the change before */
    gboolean is_steady;  /* whether the last change of each counter was larger by the same amount as the one before */
    guint8 n_steady;     /* number of consecutive visits with is_steady */
    HieraLoopPast *past; /* where to collect facts about all runs of the loop; NULL: they are not collected */
    guint64 n_drawn;     /* number of random decisions of the process up to the last visit */
} HieraAhead;

/* --- changes.c: what an iteration of a loop changes --- */

HieraAhead *hiera_ahead_new(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts);
HieraLoopPast *hiera_loop_past_new(const HieraLoopFacts *facts);
/* Examine a visit of the header: compare all that an iteration may change with the values before. The iteration is
 * added to the past, if there is one, as long as that has fewer than `enough` iterations. */
void hiera_ahead_observe(HieraProcess *process, const HieraLoopFacts *facts, HieraAhead *ahead, guint64 enough);
/* Whether two doubles are equal up to rounding errors. */
gboolean hiera_is_close(gdouble a, gdouble b);

/* --- horizon.c: how many further iterations will be alike --- */

/* Return the number of iterations that will be like those before; 0: not known.
 *
 * @param least_same  required number of consecutive equal changes of the operands of a decision
 * @param vague       set if a decision is drawn, or depends on data */
gint64 hiera_ahead_find_horizon(const HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                                guint least_same, gboolean *vague);

/* --- skip.c: skipping iterations --- */

typedef struct {
    guint64 n;           /* number of iterations to skip */
    guint64 n_before;    /* number of iterations since the first examined visit */
    guint n_same;        /* least number of consecutive equal changes of a value for which the value is predicted */
    gboolean average;    /* whether iterations differ, so that executions are counted by an average */
    gboolean by_past;    /* whether this average is over all runs of the loop (`past`); FALSE: over the current run */
    HieraLoopPast *past; /* facts about all runs of the loop; NULL: not collected */
} HieraSkip;

/* Skip iterations of the run: set registers, memory and counters to what they will be after them. */
void hiera_ahead_skip(HieraProcess *process, HieraLoopRun *run, const HieraLoopFacts *facts, const HieraSkip *skip);
