/** A tree of regions, functions, loops and lines, with the samples that were in them. */
#ifndef HIERA_ANALYSES_SAMPLE_TREE_H
#define HIERA_ANALYSES_SAMPLE_TREE_H

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
} HieraSampleNode;

/** A program or library of which nothing is known. */
typedef struct {
    const char *object, *problem; /* its path and why; owned by others */
    gint64 count;                 /* samples there */
} HieraSamplesUnknown;

typedef struct {
    GArray *nodes;      /* HieraSampleNode */
    GHashTable *places; /* parent and step → number of a node */
    GStringChunk *steps;
    GArray *unknown; /* HieraSamplesUnknown */
} HieraSampleTree;

void hiera_sample_tree_init(HieraSampleTree *tree);
void hiera_sample_tree_clear(HieraSampleTree *tree);

/** Add the samples of a place, in its region, function, loops and line. */
void hiera_sample_tree_add(HieraSampleTree *tree, HieraSamplesBy by, const HieraSampled *sampled);

/** Sort children: those with most time first. */
void hiera_sample_tree_sort(HieraSampleTree *tree);

static inline const HieraSampleNode *hiera_sample_tree_peek(const HieraSampleTree *tree, guint32 node)
{
    return &g_array_index(tree->nodes, HieraSampleNode, node);
}

#endif
