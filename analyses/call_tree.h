/** Call trees: the paths of calls that a processor's operations took, and the same of several processors merged.
 *
 * A node is a call site below the node of its caller. Node 0 is the processor itself, and parents have smaller numbers
 * than their children. */
#ifndef HIERA_CALL_TREE_H
#define HIERA_CALL_TREE_H

#include "hiera_graph.h"

/** What is known of a node; times in nanoseconds. */
typedef struct {
    gint64 calls;
    gint64 inclusive, exclusive; /* inside, children included or not */
    gint64 mpi;                  /* inside MPI calls, children included; before hiera_call_tree_sum its own alone */
    gint64 bytes;                /* that MPI calls sent, likewise */
} HieraCallSums;

typedef struct {
    guint32 parent;
    guint32 site; /* number in the catalog */
    HieraCallSums sums;
    gint64 min, max; /* of `inclusive` over the trees that were merged */
    guint32 trees;   /* how many of them have it */
} HieraCallNode;

typedef struct {
    GArray *nodes;      /* HieraCallNode */
    GHashTable *places; /* parent and site → node */
    guint32 merged;     /* trees that were merged into this one */
} HieraCallTree;

/** Sites of nodes that are no operation: what further threads did, what the collector only counted. */
#define HIERA_CALL_THREADS (HIERA_NONE - 1)
#define HIERA_CALL_COUNTED (HIERA_NONE - 2)

/** A tree with node 0; free with hiera_call_tree_free. */
HieraCallTree *hiera_call_tree_new(void);
void hiera_call_tree_free(HieraCallTree *tree);
HieraCallNode *hiera_call_tree_peek(const HieraCallTree *tree, guint32 node);
/** The node of a site below another; made if it is not there yet. */
guint32 hiera_call_tree_find(HieraCallTree *tree, guint32 parent, guint32 site);
/** Add to each node the MPI time and the bytes of those below it. */
void hiera_call_tree_sum(HieraCallTree *tree);
/** Add one processor's tree, summed, to that of all. */
void hiera_call_tree_merge(HieraCallTree *all, const HieraCallTree *tree);
/** The nodes in the order of a walk from node 0, children with more inclusive time first. To be freed. */
guint32 *hiera_call_tree_order(const HieraCallTree *tree);

#endif
