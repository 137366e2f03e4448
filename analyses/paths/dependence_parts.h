/* Declarations shared by the files dependence_*.c. */
#pragma once

#include "dependences.h"

/* An edge: the node `to` depends on the node `from`. */
typedef struct {
    guint32 from, to;
} HieraDependenceEdge;

/* Return the edges (HieraDependenceEdge) of all calls, and count the joins of `of`, whose calls are known. To be freed
 * with g_array_unref.
 * @param call_of  by row: the call that the row is or is inside, or HIERA_NONE */
GArray *hiera_dependences_gather(HieraDependences *of, const HieraMatch *match, const guint32 *call_of);

/* Set the times of the joins, and leave out edges (HIERA_NONE) that contradict the recorded times.
 * @param times  gint64: the times of the last joins, if they are not those that they depend on; may be NULL */
void hiera_dependences_check_times(HieraDependences *of, const GArray *times);

typedef struct HieraThreadStops HieraThreadStops;
/* Find the dependences of calls, without their order; with the stops of threads, unless that is NULL. */
HieraDependences *hiera_dependences_make(const HieraMatch *match, const HieraThreadStops *stops);

/* Free the arrays of `of`, not `of` itself. */
void hiera_dependences_clear(HieraDependences *of);

/* Find the order of the nodes, and remove edges that form circles. Several processes remove the same edges, whatever
 * part of the run each has. @return whether there were circles */
gboolean hiera_dependences_order(HieraDependences *of);
