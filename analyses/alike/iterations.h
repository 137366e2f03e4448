/** Iterations: parts of each rank's run in which the same operations are repeated.
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
    guint32 phase, number : 31; /* index of the phase; number of the iteration in its rank and phase, from 0 */
    guint32 cut : 1;            /* 1 if it is not known when the computation at the begin of the iteration began */
} HieraIteration;

/** Phase: all iterations, of all ranks, that do the same operations. */
typedef struct {
    guint64 key; /* hash that is the same for this phase in all processes */
    guint32 row; /* the first operation of the first iteration, on the first rank that this process knows; HIERA_NONE if
                  * it knows none */
    guint32 site, node; /* call site and call path (node) of the first operation, on the first rank */
    guint32 length;     /* number of successive operations in an iteration; operations inside them do not count */
    guint32 repeats;    /* number of iterations on the rank with most */
    guint32 ranks;
    gint64 time_ns;       /* sum of the times of all iterations of all ranks */
    guint64 ordered;      /* hash of an iteration's operations in their order */
    guint32 processor, n; /* `processor`: rank of the last added iteration; `n`: iterations of this rank so far */
    gboolean kept;        /* TRUE if enough ranks have the phase */
} HieraPhase;

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    GArray *phases;     /* HieraPhase */
    GArray *iterations; /* HieraIteration, by processor and time */
    guint *first;       /* by processor: index of its first iteration; one more element at the end */
    guint n_ranks;      /* number of ranks in the scope, of all processes */
} HieraIterations;

/** Find all iterations. O(operations). With several processes all must call it: each gets the phases of all, and the
 * iterations of its own ranks.
 *
 * @param paths  of the scope */
void hiera_iterations_init(HieraIterations *all, const HieraCallPaths *paths, const HieraScope *scope);
void hiera_iterations_clear(HieraIterations *all);
