/* Iterations that are skipped: what ahead.c, changes.c, horizon.c and skip.c share. */
#ifndef HIERA_EXECUTION_AHEAD_H
#define HIERA_EXECUTION_AHEAD_H

#include "process.h"

/* A value at the header, and how it changed: as an integer, whose change may grow steadily, or as a double. */
typedef struct {
    HieraKnown value, first; /* now, and when the loop was looked at first */
    gboolean has_first;
    guint64 delta, growth;
    gdouble float_delta;
    guint8 n_same, n_growing, n_float_same; /* how often in a row it changed by delta; by delta + growth; float_delta */
} HieraChange;

/* A store: where it stored, and what stands there. */
typedef struct {
    guint64 address, first; /* now, and when the loop was looked at first */
    gint64 delta;           /* of the address */
    guint8 n_same;
    gboolean has_address, has_first;
    HieraChange content;
} HieraStoreChange;

/* What is known of a store from all runs of a loop. */
typedef struct {
    guint64 low, high;                    /* its least and its greatest address */
    gboolean is_irregular, content_is_so; /* its address did not change by the same amount each time */
} HieraPastStore;

/* What is known of a loop from the iterations, in all its runs, that were walked. */
typedef struct HieraLoopPast {
    guint64 n;                             /* iterations */
    gboolean drawn, is_uneven;             /* something was drawn in them; they did not execute the same */
    guint64 *sums;                         /* by counter; */
    gdouble *rests;                        /* parts of executions that skipped ones had too many (below 0) or too few */
    gboolean irregular[HIERA_N_REGISTERS]; /* registers that did not change by the same amount each time */
    HieraPastStore *stores;
} HieraLoopPast;

/* Of a loop that a process is in. */
typedef struct HieraAhead {
    guint n_visits; /* of the header in a row */
    guint64 since;  /* iterations when `first` was taken */
    guint64 begin;  /* as of the run */
    HieraChange registers[HIERA_N_REGISTERS];
    HieraChange given; /* where malloc goes on */
    HieraStoreChange *stores;
    HieraDecided *decided; /* by branch of the facts */
    guint8 *n_same;        /* of a branch: how often its operands changed by the same */
    gint64 (*operands)[2]; /* by how much */
    gdouble (*float_operands)[2];
    guint64 *counters, *first; /* now, and when the loop was looked at first */
    guint64 *deltas, *second;  /* the last two changes; */
    gboolean is_steady;        /* the last one grew by as much as the one before; */
    guint8 n_steady;           /* so often in a row */
    HieraLoopPast *past;       /* NULL: it is not kept */
    guint64 n_drawn;           /* by the process, at the last visit */
} HieraAhead;

/* --- changes.c --- */

HieraAhead *hiera_ahead_new(HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts);
HieraLoopPast *hiera_loop_past_new(const HieraLoopFacts *facts);
/* The header was reached again: compare all that an iteration may change with what it was. Kept in the past, if there
 * is one, as long as that has fewer than `enough` iterations. */
void hiera_ahead_observe(HieraProcess *process, const HieraLoopFacts *facts, HieraAhead *ahead, guint64 enough);
/* Whether two doubles are the same but for rounding. */
gboolean hiera_is_close(gdouble a, gdouble b);

/* --- horizon.c --- */

/* How many iterations are like those before; 0: that is not known.
 *
 * @param least_same  how often operands of a decision must have changed by the same
 * @param vague       set if some of it is drawn, or depends on data */
gint64 hiera_ahead_find_horizon(const HieraProcess *process, const HieraLoopRun *run, const HieraLoopFacts *facts,
                                guint least_same, gboolean *vague);

/* --- skip.c --- */

typedef struct {
    guint64 n;           /* iterations that are skipped */
    guint64 n_before;    /* since the first one that was looked at */
    guint n_same;        /* how often something must have changed by the same */
    gboolean average;    /* iterations differ: their average is taken, */
    gboolean by_past;    /* that of the past; else of this run */
    HieraLoopPast *past; /* NULL: it is not kept */
} HieraSkip;

/* Set everything to what it will be after so many iterations. */
void hiera_ahead_skip(HieraProcess *process, HieraLoopRun *run, const HieraLoopFacts *facts, const HieraSkip *skip);

#endif
