/** Alignment of the call trees of several runs: which nodes are the same place of the program.
 *
 * Children of aligned nodes are aligned in three passes: those of the same level, class, operation, file and line; of
 * the rest those of the same file, in the order of their lines (lines have moved); of the rest those of the same name,
 * in the order of files and lines. Only the last part of a path to a file counts, so that the source may lie in another
 * folder. */
#pragma once

#include "calls/call_tree.h"

typedef struct {
    guint n_runs;
    GArray *nodes;  /* guint32: node of place i in run r at i * n_runs + r; HIERA_NONE: r has no such place */
    guint32 **rows; /* by run, then node: place that has the node */
} HieraTreeAlignment;

/** Align trees. Place 0 is node 0 of all trees; the index of a place is greater than that of its parent, and depends
 * only on the contents of the call sites.
 *
 * @param trees     n_runs of them
 * @param catalogs  by run: the call sites of its tree */
void hiera_tree_alignment_init(HieraTreeAlignment *alignment, const HieraCallTree *const *trees,
                               const HieraCatalog *const *catalogs, guint n_runs);
void hiera_tree_alignment_clear(HieraTreeAlignment *alignment);

/** Return the number of places. */
guint32 hiera_tree_alignment_count(const HieraTreeAlignment *alignment);

/** Return the node that a place has in a run; HIERA_NONE: the run does not have the place. */
guint32 hiera_tree_alignment_node(const HieraTreeAlignment *alignment, guint32 place, guint run);
