/* Exact sums of the whole run: by call path and rank, by time and rank, and the critical path. */
#ifndef HIERA_SUMS_H
#define HIERA_SUMS_H

#include "lanes.h"
#include "worst.h"

/* What the block `tree` has. */
typedef struct {
    GByteArray *block; /* but for the worst operations of each path, */
    guint n_nodes;
    struct HieraTreeWorst *worst; /* which are here */
} HieraTree;

/* Make it. Of several processes all call it; that of the one that leads is whole.
 * @param waits  of the whole run, by row
 * @return free it with hiera_tree_free() */
HieraTree *hiera_tree_make(const HieraScene *scene, const GArray *waits);
void hiera_tree_free(HieraTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTree, hiera_tree_free)
/* Write the blocks `tree` and `counted`.
 * @param scene  of all operations
 * @param known  gets the worst operations of the paths */
void hiera_tree_write(const HieraTree *tree, const HieraScene *scene, HieraWorst *known, FILE *stream);
/* Write the block `critical`. @param waits  of the whole run */
void hiera_critical_write(const HieraScene *scene, const GArray *waits, FILE *stream);

#endif
