/* Skipping of iterations: declarations shared by ahead.c, changes.c, horizon.c and skip.c. */
#pragma once

#include "process.h"

/* A value at the header, and its change: as an integer, whose change may itself grow steadily, or as a double. */
typedef struct {
    HieraKnown value, first; /* current value, and value at the first examined visit */
    gboolean has_first;
    guint64 delta, growth;
    gdouble float_delta;
    guint8 n_same, n_growing, n_float_same; /* numbers of consecutive changes by delta; delta + growth; float_delta */
} HieraChange;

/* A store: its address and the value stored. */
typedef struct {
    guint64 address, first; /* current address, and address at the first examined visit */
    gint64 delta;           /* change of the address */
    guint8 n_same;
    gboolean has_address, has_first;
    HieraChange content;
} HieraStoreChange;

/* Facts about a store from all runs of a loop. */
typedef struct {
    guint64 low, high;                    /* lowest and highest address */
    gboolean is_irregular, content_is_so; /* the address (or content) did not change by the same amount each time */
} HieraPastStore;

/* Facts about a loop from all iterations, in all its runs, that were walked. */
typedef struct HieraLoopPast {
    guint64 n;                 /* number of iterations */
    gboolean drawn, is_uneven; /* some decisions in them were drawn; executions differ between iterations */
    guint64 *sums;             /* by counter: sum of executions */
    gdouble *rests;            /* by counter: rounding error of skipped executions; below 0: too many counted */
    gboolean irregular[HIERA_N_REGISTERS]; /* registers that did not change by the same amount each time */
    HieraPastStore *stores;
} HieraLoopPast;

/* State of a loop that a process is in. */
typedef struct HieraAhead {
    guint n_visits; /* consecutive visits of the header */
    guint64 since;  /* number of iterations when `first` was taken */
    guint64 begin;  /* begin of the run of the loop */
    HieraChange registers[HIERA_N_REGISTERS];
    HieraChange given; /* next address of malloc */
    HieraStoreChange *stores;
    HieraDecided *decided; /* by branch of the facts: its last decision */
    guint8 *n_same;        /* by branch: number of consecutive equal changes of its operands */
    gint64 (*operands)[2]; /* the change of each operand */
    gdouble (*float_operands)[2];
    guint64 *counters, *first; /* counters now, and at the first examined visit */
    guint64 *deltas, *second;  /* the last two changes of each counter */
    gboolean is_steady;        /* the last change grew by as much as the one before */
    guint8 n_steady;           /* number of consecutive visits with `is_steady` */
    HieraLoopPast *past;       /* NULL: facts are not collected */
    guint64 n_drawn;           /* number of draws of the process up to the last visit */
} HieraAhead;

/* --- changes.c --- */

HieraAhead *hiera_ahead_new(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts);
HieraLoopPast *hiera_loop_past_new(const HieraLoopFacts *facts);
/* Examine a visit of the header: compare all that an iteration may change with the values before. The iteration is
 * added to the past, if there is one, as long as that has fewer than `enough` iterations. */
void hiera_ahead_observe(HieraProcess *process, const HieraLoopFacts *facts, HieraAhead *ahead, guint64 enough);
/* Whether two doubles are equal except for rounding. */
gboolean hiera_is_close(gdouble a, gdouble b);

/* --- horizon.c --- */

/* Return the number of iterations that will be like those before; 0: not known.
 *
 * @param least_same  required number of consecutive equal changes of the operands of a decision
 * @param vague       set if a decision is drawn, or depends on data */
gint64 hiera_ahead_find_horizon(const HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                                guint least_same, gboolean *vague);

/* --- skip.c --- */

typedef struct {
    guint64 n;           /* number of iterations to skip */
    guint64 n_before;    /* number of iterations since the first examined visit */
    guint n_same;        /* required number of consecutive equal changes */
    gboolean average;    /* iterations differ: use their average */
    gboolean by_past;    /* use the average of the past; otherwise that of this run */
    HieraLoopPast *past; /* NULL: facts are not collected */
} HieraSkip;

/* Skip iterations: set the whole state to what it will be afterwards. */
void hiera_ahead_skip(HieraProcess *process, HieraLoopRun *run, const HieraLoopFacts *facts, const HieraSkip *skip);
