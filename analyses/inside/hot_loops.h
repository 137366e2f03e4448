/** Finds the loop in which a region computes: the loop with most of the region's samples outside of MPI calls and of
 * inner regions. Threads without records are included.
 *
 * Samples know the names of the operations around them, not their lines: call sites with the same names share them. */
#pragma once

#include "calls/call_tree.h"
#include "hiera_measure.h"

typedef struct HieraHotLoops HieraHotLoops;

/** Make an empty set of samples; to be freed with hiera_hot_loops_free. */
HieraHotLoops *hiera_hot_loops_new(void);
void hiera_hot_loops_free(HieraHotLoops *loops);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraHotLoops, hiera_hot_loops_free)

/** Whether the scope is narrowed by ranks only: samples cannot be limited to levels or times. */
gboolean hiera_hot_loops_suit(const HieraScope *scope);

/** Add the samples at one address. Samples inside MPI calls belong to no region, but to the number of all samples. */
void hiera_hot_loops_add(HieraHotLoops *loops, const HieraSampled *sampled);

/** Make a set of all samples of a trace. If there are several processes, all call it; process 0 gets the samples of
 * all.
 *
 * @return to be freed; NULL if there are no samples, or the scope is narrowed by more than ranks */
HieraHotLoops *hiera_hot_loops_gather(const HieraTrace *trace, const HieraScope *scope);

/** Return a sentence about the loop in which a node of a call tree computes, such as "computes in loop md.c:219-231 in
 * force md.c:212: 71.2 % of 320 samples (66.0 % to 75.9 %)". For time before a call it is about the operation around:
 * "step as a whole computes in …".
 *
 * @param processors  guint32, ascending: only samples of these, which must be those of a trace; NULL: samples of all
 * @return the sentence, to be freed with g_free; NULL if the node is an MPI call, or has less than 1 % of all samples
 */
char *hiera_hot_loops_tell(const HieraHotLoops *loops, const HieraCallTree *tree, const HieraCatalog *catalog,
                           guint32 node, const GArray *processors);

/** Called with the sentence about a region of a processor.
 *
 * @param path     names of the operations, separated by HIERA_PATH_SEPARATOR; "": outside of all operations
 * @param further  TRUE for threads other than the main thread */
typedef void (*HieraHotLoopVisit)(guint32 processor, const char *path, gboolean further, const char *sentence,
                                  gpointer user);

/** Visit the regions that have at least 1 % of all samples, those with most samples first, and for each region its
 * processors in ascending order; the samples must be those of a trace, in its order. */
void hiera_hot_loops_visit(const HieraHotLoops *loops, HieraHotLoopVisit visit, gpointer user);
