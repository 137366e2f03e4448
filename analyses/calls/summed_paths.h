/** What operations that stand for several calls add to the rows of time by call path.
 *
 * Each moment belongs to the MPI call that is inside no other one, or else to the innermost operation, as of single
 * operations (span_cutter.h). In which order calls came is not known: computation between two calls belongs to the
 * operation around them, and to no node "before" the second one. */
#pragma once

#include "hiera_summed.h"
#include "path_rows.h"

/** Where one of them is in the call paths. */
typedef struct {
    guint32 caller, node; /* of the operation around it, and its own; the same if it is not in the scope */
    gboolean in_mpi;      /* an MPI call is around it */
} HieraSummedPath;

typedef void (*HieraSummedPathVisit)(const HieraSummed *summed, const HieraSummedPath *path, gpointer user);

/** Visit those of a processor, of all threads, in the order of the document; they get nodes. */
void hiera_summed_paths_visit(HieraCallPaths *paths, const HieraScope *scope, guint32 processor,
                              HieraSummedPathVisit visit, gpointer user);

/** Add those of the main thread of a processor; O(1) where nothing is summed up. To be called for processors in rising
 * order, for each one before its spans or after them: what an operation takes away from the time of the one around it
 * may be added first. */
void hiera_summed_paths_add(HieraPathRows *rows, guint32 processor);
