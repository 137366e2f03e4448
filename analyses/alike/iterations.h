/** Iterations: parts of the run of each rank that do the same again and again.
 *
 * Without a level, a depth or --where they are found: as repeats in the sequence of the operations inside the
 * processor, or inside an operation that is not part of a repeat itself. First, operations are the same if their
 * subtrees are (subtree_hash.h). If most repeats are missed in this way, since ranks or steps differ inside, it is
 * enough that they have the same call site. Otherwise, the outermost operations in the scope are the iterations. */
#pragma once

#include "calls/call_paths.h"

/** One iteration of one rank. */
typedef struct {
    gint64 begin_ns, end_ns;
    guint32 phase, number : 31; /* index of the phase; from 0 in its rank and phase */
    guint32 cut : 1;            /* the computation at its beginning is not known */
} HieraIteration;

/** Iterations that do the same, of all ranks. */
typedef struct {
    guint64 key; /* which phase it is, in all processes */
    guint32 row; /* the first operation of the first iteration of the first rank that this process knows; HIERA_NONE: of
                    none */
    guint32 site, node; /* of the first iteration of the first rank: its call site, its node */
    guint32 length;     /* how many operations follow each other in an iteration; others may be inside them */
    guint32 repeats;    /* the most of a rank */
    guint32 ranks;
    gint64 time_ns;       /* of all ranks */
    guint64 ordered;      /* hash of the operations in their order */
    guint32 processor, n; /* the rank whose iteration was met last, and how many it has had */
    gboolean kept;        /* on enough ranks */
} HieraPhase;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    GArray *phases;     /* HieraPhase */
    GArray *iterations; /* HieraIteration, by processor and time */
    guint *first;       /* by processor: index of its first iteration; one more at the end */
    guint n_ranks;      /* in the scope */
} HieraIterations;

/** Find all iterations. O(operations). Of several processes all call it: phases are those of all, iterations those of
 * the own ranks.
 *
 * @param paths  of the scope */
void hiera_iterations_init(HieraIterations *all, const HieraCallPaths *paths, const HieraScope *scope);
void hiera_iterations_clear(HieraIterations *all);
