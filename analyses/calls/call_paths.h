/** Call paths: the callers of each operation, as one tree for all ranks.
 *
 * A node is a call site below the node of its caller (call_tree.h). With a level or a depth only operations of it have
 * nodes: a row has the node of the operation around it, or node 0 if there is none. With --where all operations have
 * nodes, and a row has that of the innermost operation around it for which --where holds. */
#pragma once

#include "call_tree.h"
#include "span_cutter.h"

typedef struct {
    const HieraTrace *trace;
    HieraCallTree *tree; /* the tree with all nodes; HieraCallNode.sums are 0 */
    guint32 *node;       /* by row: node of the operation */
    GArray *before;      /* guint32 by node: its newest "before" node (HIERA_CALL_BEFORE); 0: none */
    guint32 *made;       /* by processor: number of nodes made for its rows and for earlier processors; NULL: no row has
                          * a node */
    gboolean
        units;    /* whether the scope selects operations: then rows of further threads outside of these have node 0 */
    GArray *late; /* guint32 by node that no row has: first processor that needed it; NULL: no row has a node */
} HieraCallPaths;

/** Find the nodes of all rows of the ranks in the scope; other rows have node 0.
 *
 * @param scope  its ranks, own processors, level and depth are used */
void hiera_call_paths_init(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);

/** As hiera_call_paths_init, for all ranks: for measures that also use the partner's rank of a message or wait. */
void hiera_call_paths_init_all_ranks(HieraCallPaths *paths, const HieraTrace *trace, const HieraScope *scope);
void hiera_call_paths_clear(HieraCallPaths *paths);

/** Return the node of a span: normally that of its operation. Computation before another operation that has its own
 * node gets a node "before send x.c:20" (HIERA_CALL_BEFORE) below it, made if it does not exist; time of the collector
 * gets a node HIERA_CALL_OWN below it. */
guint32 hiera_call_paths_of_span(HieraCallPaths *paths, const HieraTimeSpan *span);

/** Set `late` of all nodes made since the last call, or since hiera_call_paths_init: a processor needed them first. */
void hiera_call_paths_note_late(const HieraCallPaths *paths, guint32 processor);

/** Whether time in a node is computation: neither in an MPI call nor taken by the collector. */
gboolean hiera_call_paths_computes(const HieraCallPaths *paths, guint32 node);

/** Whether a node stands for time that the collector takes (HIERA_CALL_OWN). */
gboolean hiera_call_paths_is_own(const HieraCallPaths *paths, guint32 node);

/** Return the call site of a node; NULL: node 0, or a node without call site (from HIERA_CALL_NO_SITE on). */
const HieraSite *hiera_call_paths_site(const HieraCallPaths *paths, guint32 node);

/** Return the path of a node as the text of a cell: steps such as "TopologyGrid::bcast md.c:46", outermost first.
 *
 * @param table  keeps the text */
const char *hiera_call_paths_text(const HieraCallPaths *paths, guint32 node, HieraTable *table);

/** Append a step of a path, such as "TopologyGrid::bcast md.c:46".
 *
 * @param number  number of the call site, or one of HIERA_CALL_… */
void hiera_call_step_append(GString *path, const HieraCatalog *catalog, guint32 number);

/** Return the path of a node of any tree, as hiera_call_paths_text() does. Node 0 is a step only if it is the node
 * itself, or if `root` is true. */
const char *hiera_call_path(const HieraCallTree *tree, const HieraCatalog *catalog, guint32 node, gboolean root,
                            HieraTable *table);
