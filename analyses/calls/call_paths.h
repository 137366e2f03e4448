/** Call paths: the operations around each operation, as one tree for all ranks.
 *
 * A node is a call site below the node of its caller (call_tree.h). With a level or a depth only operations of it have
 * nodes: a row has the node of the operation around it, or node 0 if there is none. With --where all operations have
 * nodes, and a row has that of the innermost operation around it for which --where holds. */
#pragma once

#include "call_tree.h"
#include "span_cutter.h"

typedef struct {
    const HieraTrace *trace;
    HieraCallTree *tree; /* its sums are all 0 */
    guint32 *node;       /* by row */
    GArray *before;      /* guint32: the node that was made last for the time before a node; 0: none */
    guint32 *made; /* by processor: how many nodes its rows and those of the processors before it have; NULL: no row has
                      a node */
    GArray
        *late; /* guint32 by node that was made afterwards: the processor for which it was; NULL: no row has a node */
} HieraCallPaths;

/** Find the nodes of all rows of the ranks in the scope; other rows have node 0.
 *
 * @param scope  ranks, own processors, level and depth are used */
void hiera_call_paths_init(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);

/** The same for all ranks, for what looks at the other side of a message or a wait too. */
void hiera_call_paths_init_all_ranks(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);
void hiera_call_paths_clear(HieraCallPaths *paths);

/** Return the node of a span: that of its operation; of computation before another operation that has a node of its
 * own, a node "before send x.c:20" (HIERA_CALL_BEFORE) below it, made if it does not exist; of what the collector took,
 * a node HIERA_CALL_OWN below it. */
guint32 hiera_call_paths_of_span(HieraCallPaths *paths, const HieraTimeSpan *span);

/** All nodes that have been made since the last call, or since hiera_call_paths_init(), were made for a processor. */
void hiera_call_paths_note_late(const HieraCallPaths *paths, guint32 processor);

/** Whether what a rank does in a node is computation: neither a call of MPI, nor what the collector took. */
gboolean hiera_call_paths_computes(const HieraCallPaths *paths, guint32 node);

/** Whether a node stands for time that the collector took. */
gboolean hiera_call_paths_is_own(const HieraCallPaths *paths, guint32 node);

/** Return the call site of a node; NULL for node 0 and those without one (HIERA_CALL_). */
const HieraSite *hiera_call_paths_site(const HieraCallPaths *paths, guint32 node);

/** Return the path of a node as the text of a cell: steps like "TopologyGrid::bcast md.c:46", the outermost first.
 *
 * @param table  keeps the text */
const char *hiera_call_paths_text(const HieraCallPaths *paths, guint32 node, HieraTable *table);

/** Append a step of a path, like "TopologyGrid::bcast md.c:46".
 *
 * @param number  of the call site, or one of HIERA_CALL_ */
void hiera_call_step_append(GString *path, const HieraCatalog *catalog, guint32 number);

/** Return the path of a node of any tree, as hiera_call_paths_text(). Node 0 is a step only if it is the node itself,
 * or if `root` is true. */
const char *hiera_call_path(const HieraCallTree *tree, const HieraCatalog *catalog, guint32 node, gboolean root,
                            HieraTable *table);
