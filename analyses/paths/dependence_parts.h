/* The parts of dependence_calls.c. */
#pragma once

#include "dependences.h"

/* `to` depends on `from`: nodes. */
typedef struct {
    guint32 from, to;
} HieraDependenceEdge;

/* Return the edges (HieraDependenceEdge) of all calls, and count the joins of `of`, whose calls are known. To be freed
 * with g_array_unref.
 * @param call_of  by row: the call that it is or is in, or HIERA_NONE */
GArray *hiera_dependences_gather(HieraDependences *of, const HieraMatch *match, const guint32 *call_of);

/* Find the times of the joins, and leave out edges that contradict the recorded times. */
void hiera_dependences_check_times(HieraDependences *of);

/* Free what it points to. */
void hiera_dependences_clear(HieraDependences *of);

/* Find the order of the nodes, and leave out edges that form circles: of several processes the same ones, whatever part
 * of the run each has. @return whether there were some */
gboolean hiera_dependences_order(HieraDependences *of);
