/** Adds summed operations, which stand for several calls, to the rows of time by call path.
 *
 * As for single operations (span_cutter.h), each moment belongs to the outermost MPI call, or else to the innermost
 * operation. The order of calls is unknown: computation between two calls belongs to the
 * operation around them, and to no node "before" the second one. */
#pragma once

#include "hiera_summed.h"
#include "path_rows.h"

/** Where a summed operation is in the call paths. */
typedef struct {
    guint32 caller, node; /* `caller`: of the operation around it; `node`: its own, or that of the caller if it is not
                             in the scope */
    const HieraSite
        *around;     /* call site of the operation around it, also of one that is not in the scope; NULL: none */
    gboolean in_mpi; /* TRUE if the summed operation is inside an MPI call */
} HieraSummedPath;

typedef void (*HieraSummedPathVisit)(const HieraSummed *summed, const HieraSummedPath *path, gpointer user);

/** Make nodes for a processor's summed operations, of all its threads, and visit each, in document order. */
void hiera_summed_paths_visit(HieraCallPaths *paths, const HieraScope *scope, guint32 processor,
                              HieraSummedPathVisit visit, gpointer user);

/** Return the activity of a thread that is in an operation, but in no operation inside and in no MPI call. */
typedef HieraDoing (*HieraSiteDoes)(const HieraSite *site);

/** Add the summed operations of a processor's main thread; O(1) if there are none. Call it for processors in ascending
 * order, and for each one before or after its spans: the time subtracted from an enclosing operation
 * may be added first. */
void hiera_summed_paths_add(HieraPathRows *rows, guint32 processor, HieraSiteDoes outside);
