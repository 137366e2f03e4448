/* What a process tells the others of the calls of its own processors that depend on others or on which others depend:
 * nodes.
 *
 * The run is cut into windows of time with about as many nodes each, one for each process. A node is in the window in
 * which it ends, a join in that of its time. What they depend on is in the same window or in one before, since nothing
 * ends before what it depends on. */
#ifndef HIERA_SHARED_NODES_H
#define HIERA_SHARED_NODES_H

#include "dependences.h"
#include "hiera_measure.h"

/* A call, or a join, as all processes know it. */
typedef struct {
    gint64 time_ns;            /* when it began; of a join its time */
    guint32 processor, number; /* of the operation; of a join that of the first member of its collective */
    guint32 join;              /* which one of its collective, from 1; 0: a call */
    guint32 n;                 /* of a join that is told: how many names follow that it depends on */
} HieraNodeName;

/* A node that is told: n_edges names follow that it depends on. */
typedef struct {
    guint32 number, n_edges;
    gint64 start_ns;
    gint64 gap_ns; /* what a rank needs on an ideal network from its end to the start of the next node */
} HieraToldNode;

/* Nodes of a processor that are told together, and the one that comes next; behind the last one the end of the
 * processor, as a node without a number. */
typedef struct {
    guint32 processor, n_nodes, next_number;
    guint32 process; /* that has told them */
    gint64 next_ns;
} HieraToldProcessor;

typedef struct {
    const HieraDependences *of;
    const HieraScope *scope;
    guint64 *bits;        /* a bit by call of this process: it is a node */
    guint32 *ordinal;     /* by join: which one of its collective, from 1 */
    guint32 *join_window; /* by join of which something is told: its window; HIERA_NONE for others */
    guint8 *keeps;        /* hiera_replay_find_keeping() */
    gint64 *limits;       /* by window, its last time */
    guint n_windows;
} HieraSharedNodes;

/* All processes call it. @param of  what this process knows, of hiera_dependences_find_part(); must outlive the nodes
 */
void hiera_shared_nodes_init(HieraSharedNodes *nodes, const HieraDependences *of, const HieraScope *scope);
void hiera_shared_nodes_clear(HieraSharedNodes *nodes);

static inline gboolean hiera_shared_nodes_has(const HieraSharedNodes *nodes, guint32 call)
{
    return (gboolean)(nodes->bits[call / 64] >> call % 64 & 1);
}

/* Return the window of a time. */
guint hiera_shared_nodes_window(const HieraSharedNodes *nodes, gint64 time_ns);

/* Return the first node of a processor from a window on, `behind` if there is none: its first call from
 * hiera_shared_nodes_first() on that is one. */
guint32 hiera_shared_nodes_first(const HieraSharedNodes *nodes, guint32 processor, guint window);
guint32 hiera_shared_nodes_next(const HieraSharedNodes *nodes, guint32 call, guint32 behind);

/* What is told about a window, in arrays: joins (HieraNodeName), what they depend on (HieraNodeName), processors
 * (HieraToldProcessor), nodes (HieraToldNode), what they depend on (HieraNodeName). */
typedef struct {
    GArray *joins, *entries, *processors, *nodes, *edges;
} HieraToldWindow;

void hiera_told_window_init(HieraToldWindow *told);
void hiera_told_window_clear(HieraToldWindow *told);

/* Add what this process has to tell about a window. */
void hiera_shared_nodes_tell(const HieraSharedNodes *nodes, guint window, HieraToldWindow *told);

#endif
