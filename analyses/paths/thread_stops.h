/* What threads of OpenMP add to the dependences of calls: their joins (threads/thread_joins.h) in those times of a
 * processor in which its main thread calls MPI in a region. Elsewhere the main thread goes from call to call, whoever
 * computes for it: what one call waits for, the next one waits for as long.
 *
 * A thread that comes to a join is a join of its own, which depends on the one where it went on: between both it does
 * what takes as long as recorded. The main thread does that in the order of its calls, as a stop. */
#pragma once

#include "dependence_parts.h"

struct HieraThreadStops {
    GArray *stops;        /* Stop, see thread_stops.c */
    GArray *times, *rows; /* gint64, guint32 by join: when it comes; a row of its processor */
    GArray *edges;        /* HieraDependenceEdge: between joins, as indices */
};

/* Make calls of the stops. Behind, `call_of` (by row) has the new numbers of the others. */
void hiera_thread_stops_insert(const HieraThreadStops *stops, HieraDependences *of, guint32 *call_of);

/* Append the joins to those of `of`, and to `edges` (HieraDependenceEdge) what they depend on, and what stops do. */
void hiera_thread_stops_depend(const HieraThreadStops *stops, HieraDependences *of, GArray *edges);
