/** Call trees of one processor, and of several processors merged.
 *
 * A node is a call site, below the node of its caller. Node 0 is the processor. The number of a node is greater than
 * its parent's. */
#pragma once

#include "hiera_graph.h"
#include "hiera_pack.h"

/** Sums over all operations of a node; times in nanoseconds, sizes in bytes. */
typedef struct {
    gint64 calls;
    gint64 inclusive, exclusive; /* time of the operations: with, and without, the time of operations inside them */
    gint64 mpi;                  /* time inside MPI calls; hiera_call_tree_sum() adds that of all descendants */
    gint64 bytes;                /* bytes sent by MPI calls; hiera_call_tree_sum() adds those of all descendants */
    gint64 waiting;              /* part of `mpi` that was waited; 0 if it is not computed */
} HieraCallSums;

typedef struct {
    guint32 parent;
    guint32 site; /* HieraSite.id, perhaps with HIERA_CALL_BEFORE; or one of HIERA_CALL_… */
    HieraCallSums sums;
    gint64 min, max; /* smallest and greatest `inclusive` among the merged trees that have this node */
    guint32 slowest; /* first rank whose `inclusive` is `max` */
    guint32 trees;   /* number of merged trees that have this node */
} HieraCallNode;

typedef struct {
    GArray *nodes;      /* HieraCallNode, by node number */
    GHashTable *places; /* (parent, site) → number of the child node */
    guint32 merged;     /* number of trees that hiera_call_tree_merge() added to this one */
} HieraCallTree;

/** Site numbers of nodes that are no call site: for all threads but the main one, for calls that a filter removed, for
 * time of the collector; and the smallest of these numbers. */
#define HIERA_CALL_THREADS (HIERA_NONE - 1)
#define HIERA_CALL_COUNTED (HIERA_NONE - 2)
#define HIERA_CALL_OWN     (HIERA_NONE - 3)
#define HIERA_CALL_NO_SITE HIERA_CALL_OWN
#define HIERA_ITSELF       "Hiera itself" /* text of HIERA_CALL_OWN in call paths */
/** Bit in HieraCallNode.site: the node is for computation before the operation, not for the operation itself. */
#define HIERA_CALL_BEFORE 0x80000000u

/** Whether a HieraCallNode.site has HIERA_CALL_BEFORE: the node is for computation before an operation. */
static inline gboolean hiera_call_is_before(guint32 site)
{
    return site < HIERA_CALL_NO_SITE && site & HIERA_CALL_BEFORE;
}

/** Return a tree that has only node 0; to be freed with hiera_call_tree_free. */
HieraCallTree *hiera_call_tree_new(void);
void hiera_call_tree_free(HieraCallTree *tree);
/** Return a node by its number; the pointer is valid until the next node is made. */
HieraCallNode *hiera_call_tree_peek(const HieraCallTree *tree, guint32 node);
/** Return the child of `parent` for a call site; make it if it does not exist. */
guint32 hiera_call_tree_find(HieraCallTree *tree, guint32 parent, guint32 site);
/** Return the child of `parent` for a call site; 0 if it does not exist. */
guint32 hiera_call_tree_lookup(const HieraCallTree *tree, guint32 parent, guint32 site);
/** Whether a node is in threads other than the main one. */
gboolean hiera_call_tree_is_further(const HieraCallTree *tree, guint32 node);
/** Add to each node the MPI time and the bytes of its descendants. Call it once, after all operations are
 * added. */
void hiera_call_tree_sum(HieraCallTree *tree);
/** Merge the tree of one processor into `all`. Requires hiera_call_tree_sum() of `tree`.
 *
 * @return by node of `tree`, its node in `all`; to be freed with g_free */
guint32 *hiera_call_tree_merge(HieraCallTree *all, const HieraCallTree *tree, guint32 rank);
/** Pack a tree for another process; unpack it there. */
void hiera_call_tree_pack(const HieraCallTree *tree, HieraPacker *to);
HieraCallTree *hiera_call_tree_unpack(HieraUnpacker *from);
/** Return the nodes in depth-first order; among siblings the one with most inclusive time comes first. To be freed with
 * g_free. */
guint32 *hiera_call_tree_order(const HieraCallTree *tree);
