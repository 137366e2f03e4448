/** Operations that stand for several calls, in the document, and what is around them: single operations or others with
 * sums. */
#pragma once

#include "hiera_measure.h"
#include "hiera_summed.h"

typedef struct {
    guint32 processor;     /* index in the trace */
    const HieraSite *unit; /* of the outermost operation of the scope around it, or itself; NULL: there is none */
    gboolean is_unit;      /* it is that operation */
    gboolean in_mpi;       /* an MPI call is around it */
} HieraSummedPlace;

typedef void (*HieraSummedVisit)(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user);

/** Visit those of all processors, by rank, whatever the ranks of the scope. Costs nothing where nothing is summed up.
 */
void hiera_summed_visit(const HieraTrace *trace, const HieraScope *scope, HieraSummedVisit visit, gpointer user);

/** Visit those of one processor. */
void hiera_summed_visit_one(const HieraTrace *trace, guint32 processor, const HieraScope *scope, HieraSummedVisit visit,
                            gpointer user);
