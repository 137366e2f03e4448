/** Functions that were timed exactly, and the loops in them, with the sums of several ranks.
 *
 * The times are less the cost of what measured them: each event takes some nanoseconds (HieraTimed.event_ns). In the
 * time of a function or loop are all its `events`. In its own time, without calls, are those of its own code alone: one
 * for the end of each of its executions, and two for each execution of each loop inside it. */
#pragma once

#include "values/hypotheses.h"

typedef struct {
    guint32 parent, first, last, next; /* numbers of nodes; 0: none. Node 0 is the root */
    guint32 function;                  /* node of the function in which it is */
    HieraTimedKind kind;
    const char *step;   /* its text, as "loop force.c:70-82"; owned by the tree */
    const char *reason; /* why it was left alone; "" if it was not */
    gboolean was_timed; /* on one rank at least */
    gint64 count, open, iterations;
    gint64 time_ns, own_ns, cost_ns; /* without the cost of events; what that is in all */
    gint64 min_ns, max_ns;           /* of one execution, with that cost */
    gint64 threads, thread_ns;       /* the time of the thread that took longest, of any rank, with that cost */
    gint64 busiest_ns, run_ns;       /* sums over ranks: time of the thread that took longest, run time */
    gint64 slowest, slowest_ns;      /* the rank that took longest; -1: none */
    gint64 with_cost_ns;             /* the time as it was measured */
    guint32 processor, same;         /* which one it had last, and how many siblings with its text that has */
} HieraLoopNode;

typedef struct {
    GArray *nodes;      /* HieraLoopNode */
    GHashTable *places; /* parent and step → number of a node */
    GStringChunk *texts;
    guint32 n_processors;
    gint64 missed; /* events that did not fit */
} HieraLoopTree;

void hiera_loop_tree_init(HieraLoopTree *tree);
void hiera_loop_tree_clear(HieraLoopTree *tree);

/** Add what a processor has.
 *
 * @param timed   n of them, all that the processor has, in their order
 * @param rank    of the processor, which ran for run_ns */
void hiera_loop_tree_add(HieraLoopTree *tree, const HieraTimed *timed, guint n, gint64 rank, gint64 run_ns);

/** Add what the ranks of a scope have in a trace. */
void hiera_loop_tree_add_trace(HieraLoopTree *tree, const HieraTrace *trace, const GArray *timed,
                               const HieraScope *scope);

/** Return the exact times of a trace (HieraTimed), to be freed with g_array_unref. Of several processes all call it;
 * the one that leads gets those of all. */
GArray *hiera_loop_tree_gather(const HieraTrace *trace, const HieraScope *scope);

/** Hundredths of a percent: of a loop of the time of its function, of a function of the run time of its ranks (if
 * several threads execute it, the one of each rank that took longest). */
gint64 hiera_loop_tree_share(const HieraLoopTree *tree, guint32 node);

/** Whether a share reaches a threshold. Unknown: the function was executed for less than a millisecond. Untested: it
 * was left alone, or lies deeper than was asked for. */
HieraTestVerdict hiera_loop_tree_judge(const HieraLoopTree *tree, guint32 node, gint64 threshold);

static inline const HieraLoopNode *hiera_loop_tree_peek(const HieraLoopTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraLoopNode, node);
}
