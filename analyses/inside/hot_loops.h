/** In which loop a region computes: of its samples outside of MPI calls and of the regions inside it, those of threads
 * without records too, the loop that has most.
 *
 * Samples know the names of the operations around them, not their lines: call sites with the same names share them. */
#pragma once

#include "calls/call_tree.h"
#include "hiera_measure.h"

typedef struct HieraHotLoops HieraHotLoops;

/** Make an empty set; to be freed with hiera_hot_loops_free. */
HieraHotLoops *hiera_hot_loops_new(void);
void hiera_hot_loops_free(HieraHotLoops *loops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraHotLoops, hiera_hot_loops_free)

/** Whether all operations that a measure asks about are those of the samples: the scope is narrowed to ranks alone. */
gboolean hiera_hot_loops_suit(const HieraScope *scope);

/** Add the samples at a place. Those inside MPI calls count for the share of a region in all samples, and for nothing
 * else. */
void hiera_hot_loops_add(HieraHotLoops *loops, const HieraSampled *sampled);

/** Make a set of all samples of a trace. Of several processes all call it; that of the one that leads has those of all.
 *
 * @return to be freed; NULL if there are none, or not all operations that the scope asks about are those of the samples
 */
HieraHotLoops *hiera_hot_loops_gather(const HieraTrace *trace, const HieraScope *scope);

/** Return where a node of a call tree computes, like "computes in loop md.c:219-231 in force md.c:212: 71.2 % of 320
 * samples (66.0 % to 75.9 %)"; for the time before a call "step as a whole computes in …", of the operation around it.
 *
 * @param processors  guint32, rising: the samples of these, which must be those of a trace; NULL: of all
 * @return the sentence, to be freed with g_free; NULL if the node is a call of MPI, or has less than 1 % of all samples
 */
char *hiera_hot_loops_tell(const HieraHotLoops *loops, const HieraCallTree *tree, const HieraCatalog *catalog,
                           guint32 node, const GArray *processors);

/** Gets what a region of a processor computes in.
 *
 * @param path     names of the operations, HIERA_PATH_SEPARATOR between them; "": outside of all operations
 * @param further  of threads beside the main thread */
typedef void (*HieraHotLoopVisit)(guint32 processor, const char *path, gboolean further, const char *sentence,
                                  gpointer user);

/** Visit the regions that have 1 % of all samples at least, those with most samples first, and of each its processors
 * in rising order; the samples must be those of a trace, in its order. */
void hiera_hot_loops_visit(const HieraHotLoops *loops, HieraHotLoopVisit visit, gpointer user);
