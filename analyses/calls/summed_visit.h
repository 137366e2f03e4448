/** Summed operations, which stand for several calls, in document order, with the single or summed operations around
 * them. */
#pragma once

#include "hiera_measure.h"
#include "hiera_summed.h"

typedef struct {
    guint32 processor;     /* index in the trace */
    const HieraSite *unit; /* site of the scope's outermost operation around it, or itself; NULL: none */
    gboolean is_unit;      /* TRUE if it is this outermost operation itself */
    gboolean in_mpi;       /* TRUE if it is inside an MPI call */
} HieraSummedPlace;

typedef void (*HieraSummedVisit)(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user);

/** Visit the summed operations of all processors, by rank, including ranks outside the scope. Costs nothing if there
 * are none. */
void hiera_summed_visit(const HieraTrace *trace, const HieraScope *scope, HieraSummedVisit visit, gpointer user);

/** Visit the summed operations of one processor. */
void hiera_summed_visit_one(const HieraTrace *trace, guint32 processor, const HieraScope *scope, HieraSummedVisit visit,
                            gpointer user);
