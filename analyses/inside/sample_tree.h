/** A tree of regions, functions, loops and lines, with the samples that were in them. */
#pragma once

#include "hiera_measure.h"

/** How deep the tree is. */
typedef enum {
    HIERA_SAMPLES_BY_LOOP,
    HIERA_SAMPLES_BY_LINE,
    HIERA_SAMPLES_BY_FUNCTION,
    HIERA_SAMPLES_BY_REGION
} HieraSamplesBy;

/** Of a node and all below it. */
typedef struct {
    guint32 parent, first, next; /* numbers of nodes; 0: none. Node 0 is the root */
    const char *step;            /* its text, owned by the tree */
    gint64 count, time_ns;       /* samples, and the time for which they stand */
    gint64 mpi_ns;               /* of that inside MPI calls */
} HieraSampledNode;

/** A program or library of which nothing is known. */
typedef struct {
    const char *object, *problem; /* its path and why; owned by others */
    gint64 count;                 /* samples there */
} HieraSamplesUnknown;

typedef struct {
    GArray *nodes;      /* HieraSampledNode */
    GHashTable *places; /* parent and step → number of a node */
    GStringChunk *steps;
    GArray *unknown; /* HieraSamplesUnknown */
} HieraSampledTree;

void hiera_sampled_tree_init(HieraSampledTree *tree);
void hiera_sampled_tree_clear(HieraSampledTree *tree);

/** Add the samples of a place, in its region, function, loops and line. */
void hiera_sampled_tree_add(HieraSampledTree *tree, HieraSamplesBy by, const HieraSampled *sampled);

/** Sort children: those with most time first. */
void hiera_sampled_tree_sort(HieraSampledTree *tree);

/** From a node down, always into the child that has most, as long as that has half of its parent. Requires
 * hiera_sampled_tree_sort(). @return the node itself if no child of it has */
guint32 hiera_sampled_tree_find_hottest(const HieraSampledTree *tree, guint32 from);

/** Return the steps from a node up to below the root, like "loop md.c:219-231 in force md.c:212"; to be freed with
 * g_free.
 */
char *hiera_sampled_tree_describe(const HieraSampledTree *tree, guint32 node);

/** The bounds of a share, in hundredths of a percent: of n independent samples k were there. They hold 95 times of a
 * hundred (Wilson 1927). */
void hiera_sample_bounds(gint64 k, gint64 n, gint64 *least, gint64 *most);

static inline const HieraSampledNode *hiera_sampled_tree_peek(const HieraSampledTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraSampledNode, node);
}
