/** Tree of regions, functions, loops and lines, with the samples found in them. */
#pragma once

#include "hiera_measure.h"

/** The depth of the tree. */
typedef enum {
    HIERA_SAMPLES_BY_LOOP,
    HIERA_SAMPLES_BY_LINE,
    HIERA_SAMPLES_BY_FUNCTION,
    HIERA_SAMPLES_BY_REGION
} HieraSamplesBy;

/** Sums of a node and all nodes below it. */
typedef struct {
    guint32 parent, first, next; /* node numbers; 0: none. Node 0 is the root */
    const char *step;            /* its text, owned by the tree */
    gint64 count, time_ns;       /* number of samples, and the time that they represent */
    gint64 mpi_ns;               /* part of time_ns inside MPI calls */
} HieraSampledNode;

/** A program or library without information about functions and loops. */
typedef struct {
    const char *object, *problem; /* its path, and the reason; owned by others */
    gint64 count;                 /* number of samples there */
} HieraSamplesUnknown;

typedef struct {
    GArray *nodes;      /* array of HieraSampledNode */
    GHashTable *places; /* (parent, step) → node number */
    GStringChunk *steps;
    GArray *unknown; /* array of HieraSamplesUnknown */
} HieraSampledTree;

void hiera_sampled_tree_init(HieraSampledTree *tree);
void hiera_sampled_tree_clear(HieraSampledTree *tree);

/** Add the samples of one place to its region, function, loops and line. */
void hiera_sampled_tree_add(HieraSampledTree *tree, HieraSamplesBy by, const HieraSampled *sampled);

/** Sort the children of all nodes: most time first. */
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
