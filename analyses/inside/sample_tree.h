/** Tree of regions, functions, loops and lines, with the number of samples found in each. */
#pragma once

#include "hiera_measure.h"

/** Innermost nodes of the tree, by the words of --by: a tree by line has lines below loops. */
typedef enum {
    HIERA_SAMPLES_BY_LOOP,
    HIERA_SAMPLES_BY_LINE,
    HIERA_SAMPLES_BY_FUNCTION,
    HIERA_SAMPLES_BY_REGION
} HieraSamplesBy;

/** A node, with the sums over all samples in it and in all nodes below. */
typedef struct {
    guint32 parent, first, next; /* numbers of nodes: parent, first child, next sibling; 0: none. Node 0 is the root */
    const char *step;            /* text of the node: a region, function, loop or line; owned by the tree */
    gint64 count, time_ns;       /* number of samples, and the CPU time that they stand for */
    gint64 mpi_ns;               /* part of time_ns inside MPI calls */
} HieraSampledNode;

/** A program or library whose functions and loops are not known. */
typedef struct {
    const char *object, *problem; /* path of the file; why its functions are not known; not copied */
    gint64 count;                 /* number of samples in the file */
} HieraSamplesUnknown;

typedef struct {
    GArray *nodes;      /* HieraSampledNode, by number */
    GHashTable *places; /* (parent, step) → number of the node */
    GStringChunk *steps;
    GArray *unknown; /* HieraSamplesUnknown */
} HieraSampledTree;

void hiera_sampled_tree_init(HieraSampledTree *tree);
void hiera_sampled_tree_clear(HieraSampledTree *tree);

/** Add the samples at one address to the nodes of their region, function, loops and line. */
void hiera_sampled_tree_add(HieraSampledTree *tree, HieraSamplesBy by, const HieraSampled *sampled);

/** Sort the children of each node by time, most first. */
void hiera_sampled_tree_sort(HieraSampledTree *tree);

/** Go down from a node into the child with most time, as long as that child has at least half of its parent's samples.
 * Requires hiera_sampled_tree_sort(). @return the last such node; `from` itself if there is none */
guint32 hiera_sampled_tree_find_hottest(const HieraSampledTree *tree, guint32 from);

/** Return the steps from a node up to below the root, such as "loop md.c:219-231 in force md.c:212"; to be freed with
 * g_free. */
char *hiera_sampled_tree_describe(const HieraSampledTree *tree, guint32 node);

/** Compute the bounds of a share, in hundredths of a percent, from k hits in n independent samples. The true share lies
 * between them in 95 of 100 cases (Wilson 1927). */
void hiera_sample_bounds(gint64 k, gint64 n, gint64 *least, gint64 *most);

static inline const HieraSampledNode *hiera_sampled_tree_peek(const HieraSampledTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraSampledNode, node);
}
