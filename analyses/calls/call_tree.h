/** Call trees of one processor, and of several processors merged.
 *
 * A node is a call site, below the node of its caller. Node 0 is the processor. The number of a node is greater than
 * its parent's. */
#pragma once

#include "hiera_graph.h"
#include "hiera_pack.h"

/** Sums of all operations of a node; times in nanoseconds, sizes in bytes. */
typedef struct {
    gint64 calls;
    gint64 inclusive, exclusive; /* time with and without that of the children */
    gint64 mpi;                  /* time inside MPI calls; hiera_call_tree_sum() adds that of the children */
    gint64 bytes;                /* bytes sent by MPI calls; hiera_call_tree_sum() adds those of the children */
    gint64 waiting;              /* waiting time, a part of `mpi`; with children likewise; 0 if not computed */
} HieraCallSums;

typedef struct {
    guint32 parent;
    guint32 site; /* number of the call site in the catalog */
    HieraCallSums sums;
    gint64 min, max; /* smallest and greatest `inclusive` among the merged trees that have the node */
    guint32 slowest; /* first rank with `max` */
    guint32 trees;   /* number of merged trees that have the node */
} HieraCallNode;

typedef struct {
    GArray *nodes;      /* array of HieraCallNode, by node number */
    GHashTable *places; /* (parent, site) → node */
    guint32 merged;     /* number of trees merged into this one */
} HieraCallTree;

/** Site numbers of nodes that are no call site: for all threads but the main one, for calls that a filter removed, for
 * time of the collector; and the smallest of these numbers. */
#define HIERA_CALL_THREADS (HIERA_NONE - 1)
#define HIERA_CALL_COUNTED (HIERA_NONE - 2)
#define HIERA_CALL_OWN     (HIERA_NONE - 3)
#define HIERA_CALL_NO_SITE HIERA_CALL_OWN
#define HIERA_ITSELF       "Hiera itself" /* text of the step HIERA_CALL_OWN */
/** Bit added to a site number: the node is for the time before the operation, not for the operation itself. */
#define HIERA_CALL_BEFORE 0x80000000u

/** Whether a number stands for the time before an operation. */
static inline gboolean hiera_call_is_before(guint32 site)
{
    return site < HIERA_CALL_NO_SITE && site & HIERA_CALL_BEFORE;
}

/** Return a tree that has only node 0; to be freed with hiera_call_tree_free. */
HieraCallTree *hiera_call_tree_new(void);
void hiera_call_tree_free(HieraCallTree *tree);
/** Return a node by its number; valid until the next node is made. */
HieraCallNode *hiera_call_tree_peek(const HieraCallTree *tree, guint32 node);
/** Return the node of a site below a parent; make it if it does not exist. */
guint32 hiera_call_tree_find(HieraCallTree *tree, guint32 parent, guint32 site);
/** Return the node of a site below a parent; 0 if it does not exist. */
guint32 hiera_call_tree_lookup(const HieraCallTree *tree, guint32 parent, guint32 site);
/** Add to each node the MPI time and the bytes of its descendants. Call it once, after all operations are
 * added. */
void hiera_call_tree_sum(HieraCallTree *tree);
/** Merge the tree of one processor into `all`. Requires hiera_call_tree_sum() of `tree`.
 *
 * @return by node of `tree`, its node in `all`; to be freed with g_free */
guint32 *hiera_call_tree_merge(HieraCallTree *all, const HieraCallTree *tree, guint32 rank);
/** Pack the tree for another process, and unpack it there. */
void hiera_call_tree_pack(const HieraCallTree *tree, HieraPacker *to);
HieraCallTree *hiera_call_tree_unpack(HieraUnpacker *from);
/** Return the nodes in depth-first order; among siblings the one with most inclusive time comes first. To be freed with
 * g_free. */
guint32 *hiera_call_tree_order(const HieraCallTree *tree);
