/* Where a function is timed: events at its entry, its ends, its calls, and on the edges into and out of its loops. */
#ifndef HIERA_IMAGE_POINTS_H
#define HIERA_IMAGE_POINTS_H

#include "dtd/plan.h"
#include "image/flow/flow.h"

/* Not an event that is observed: a loop goes into its next iteration. */
enum { HIERA_POINT_NEXT = HIERA_PLAN_EVENTS };

typedef struct {
    guint8 kind; /* HieraPlanEvent or HIERA_POINT_NEXT */
    guint loop;  /* of events of loops: its number in the flow */
} HieraPoint;

typedef struct {
    const HieraFlow *flow;
    guint depth;       /* of the innermost loops that are timed */
    GHashTable *nodes; /* loop and block as one guint64: the block is in the loop */
} HieraPoints;

/* Make the points of a function and its loops down to a depth, 1: the outermost; `flow` must outlive them. To be freed
 * with hiera_points_clear */
HieraPoints hiera_points_of(const HieraFlow *flow, guint depth);
void hiera_points_clear(HieraPoints *points);

/* Add the events of the function's entry. @param events  HieraPoint, in the order in which they happen */
void hiera_points_entry(const HieraPoints *points, GArray *events);

/* Add the events between two blocks: loops are left, the inner ones first, loops are entered, the outer ones first, and
 * a loop begins again. */
void hiera_points_edge(const HieraPoints *points, guint from, guint to, GArray *events);

/* Add the events at a block to which tables of jumps lead, for which of their jumps it may be. Loops that run already,
 * and those that do not run, do not notice: so all that the block is in begin there, all others end. Nothing if no such
 * jump enters or leaves a loop. */
void hiera_points_landing(const HieraPoints *points, guint to, GArray *events);

/* Whether a table of jumps leads to a block. */
gboolean hiera_points_is_landing(const HieraPoints *points, guint block);

#endif
