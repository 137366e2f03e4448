/** Functions with exact times, and the loops in them, added up over several ranks. */
#pragma once

#include "values/hypotheses.h"

typedef struct {
    guint32 parent, first, last, next; /* nodes: parent, first and last child, next sibling; 0: none */
    guint32 function;                  /* number of the node of the function that the loop is in */
    HieraTimedKind kind;
    const char *step;      /* text of the node, such as "loop force.c:70-82"; owned by the tree */
    const char *reason;    /* why the function was not timed; "" if it was */
    gboolean was_timed;    /* TRUE if the function or loop was timed on at least one rank */
    gboolean is_estimated; /* not all of its executions or iterations were counted */
    gint64 count, open, iterations, iterations_doubt;
    gint64 timed; /* number of executions that were timed; others are estimated by them */
    gint64 time_ns, own_ns, uncertainty_ns, own_uncertainty_ns;
    gint64 min_ns, max_ns;          /* shortest and longest execution */
    gint64 threads, mean_ns;        /* threads of all ranks; sum over ranks: mean time of a rank's threads */
    gint64 busiest_ns, run_ns;      /* sum over ranks: time of a rank's slowest thread; how long it was timed */
    gint64 ranks, parts, most_part; /* ranks that timed it; busiest_ns/run_ns of each in 10^-9: the sum, the greatest */
    gint64 unseen_ns;               /* longest execution that may have been in progress when timing began */
    gint64 slowest;                 /* rank that has `most_part`, -1: none */
    gint64 lost, uneven_rank, uneven_thread; /* of the rank whose threads are most uneven: slowest less mean, as a part
                                                of the time in which it was timed, in 0.01 %; -1: no rank has several;
                                                its number, and that of its slowest thread, -1: not known */
    guint32 processor, same;                 /* last processor that had the node; number of siblings with this text */
} HieraLoopNode;

typedef struct {
    GArray *nodes;      /* HieraLoopNode, by number */
    GHashTable *places; /* (parent, step) → number of the node */
    GStringChunk *texts;
    guint32 n_processors;
    gint64 missed; /* number of events that the collector could not keep */
} HieraLoopTree;

void hiera_loop_tree_init(HieraLoopTree *tree);
void hiera_loop_tree_clear(HieraLoopTree *tree);

/** Add the times of one processor.
 *
 * @param timed   n elements, all those of the processor, in their order
 * @param rank    rank of the processor, whose run took run_ns: the time of a function that was timed nobody knows when
 */
void hiera_loop_tree_add(HieraLoopTree *tree, const HieraTimed *timed, guint n, gint64 rank, gint64 run_ns);

/** Add the exact times of the ranks in a scope. @param timed  HieraTimed of the trace, by processor */
void hiera_loop_tree_add_trace(HieraLoopTree *tree, const HieraTrace *trace, const GArray *timed,
                               const HieraScope *scope);

/** Return the exact times of a trace (HieraTimed), to be freed with g_array_unref. If there are several processes, all
 * call it, and process 0 gets the times of all. */
GArray *hiera_loop_tree_gather(const HieraTrace *trace, const HieraScope *scope);

/** Return a share in hundredths of a percent: for a loop, of the time of its function; for a function, of the time
 * in which its ranks timed it (with several threads, the slowest thread of each rank counts). */
gint64 hiera_loop_tree_share(const HieraLoopTree *tree, guint32 node);

/** Return by how much the mean over ranks, or over the threads of each, is below the greatest: 1 - mean / greatest, in
 * hundredths of a percent. Over ranks these are shares of the time in which each timed the function; over threads it is
 * HIERA_UNKNOWN if no rank has several. */
gint64 hiera_loop_tree_rank_imbalance(const HieraLoopNode *node);
gint64 hiera_loop_tree_thread_imbalance(const HieraLoopNode *node);

/** Return rank and thread whose threads are most uneven, like "0:3"; "0:?": which thread is not known; "": no rank has
 * several. To be freed with g_free. */
char *hiera_loop_tree_name_thread(const HieraLoopNode *node);

/** Whether a share reaches a threshold. Unknown: the function was executed for less than a millisecond; or its share
 * may reach it and may not, since the time is uncertain, or by one more execution, which may have begun before it was
 * timed. Untested: it was not timed, or lies deeper than was asked for. */
HieraTestVerdict hiera_loop_tree_judge(const HieraLoopTree *tree, guint32 node, gint64 threshold);

/** Return the uncertainty of the time of a node as a part of the time, in hundredths of a percent, if that is above 10
 * %; else 0. */
gint64 hiera_loop_tree_uncertainty(const HieraLoopTree *tree, guint32 node);

static inline const HieraLoopNode *hiera_loop_tree_peek(const HieraLoopTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraLoopNode, node);
}
