/** Summed operations, which stand for several calls, in document order, with the single or summed operations around
 * them. */
#pragma once

#include "hiera_measure.h"
#include "hiera_summed.h"

typedef struct {
    guint32 processor;     /* index of the processor in the trace */
    const HieraSite *unit; /* site of the scope's outermost operation around it, or its own; NULL: not in the scope */
    gboolean is_unit;      /* TRUE if the summed operation itself is this outermost operation */
    gboolean in_mpi;       /* TRUE if the summed operation is inside an MPI call */
} HieraSummedPlace;

typedef void (*HieraSummedVisit)(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user);

/** Visit the summed operations of all processors, by rank, including ranks outside the scope. Costs nothing if there
 * are none. */
void hiera_summed_visit(const HieraTrace *trace, const HieraScope *scope, HieraSummedVisit visit, gpointer user);

/** Visit the summed operations of one processor, in document order. */
void hiera_summed_visit_one(const HieraTrace *trace, guint32 processor, const HieraScope *scope, HieraSummedVisit visit,
                            gpointer user);
