/* Exact sums over the whole run for the page, by call path and rank; and the critical path. */
#pragma once

#include "paths/critical_walk.h"
#include "timeline/lanes.h"
#include "worst.h"

/* What the page's block `tree` is made of: call paths (nodes), and sums in each for each rank. */
typedef struct {
    GByteArray *block; /* bytes of the block without the worst operations of each call path */
    guint n_nodes;
    struct HieraTreeWorst *worst; /* the worst operations of each call path, in each metric */
} HieraTree;

/* Make the tree of call paths with its sums. With several processes, all must call it; only the tree of process 0 is
 * complete.
 * @param waits  HieraWait of the whole run, by row
 * @return free it with hiera_tree_free() */
HieraTree *hiera_tree_make(const HieraScene *scene, const GArray *waits);
void hiera_tree_free(HieraTree *tree);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraTree, hiera_tree_free)
/* Write the block `tree`. @param known  the worst operations of call paths are added to its `wanted` */
void hiera_tree_write(const HieraTree *tree, HieraWorst *known, FILE *stream);

/* Find the critical path. With several processes, all must call it, and all get it. To be cleared with
 * hiera_critical_path_clear(). @param waits  of the whole run, by row */
void hiera_page_path_find(HieraCriticalPath *path, const HieraScene *scene, const GArray *waits);
/* Write the block `critical`: the longest segments of the critical path. */
void hiera_critical_write(const HieraScene *scene, const HieraCriticalPath *path, FILE *stream);
