/* Timing points of a function: events at its entry, its ends, its calls, and on the edges into and out of its loops. */
#pragma once

#include "dtd/plan.h"
#include "induction.h"

/* Internal point, not a reported event: a loop begins its next iteration. */
enum { HIERA_POINT_NEXT = HIERA_PLAN_EVENTS };

typedef struct {
    guint8 kind;       /* HieraPlanEvent or HIERA_POINT_NEXT */
    guint loop;        /* for events of loops: number of the loop in the flow */
    guint has_changed; /* 1: what changes in each iteration has changed in the last one, of a loop that is left */
} HieraPoint;

typedef struct {
    const HieraFlow *flow;
    const guint *loops;               /* by loop: its number in the plan; HIERA_PLAN_NO_LOOP: it is not timed */
    const HieraInduction *inductions; /* by loop */
    GHashTable *nodes;                /* set of (loop, block) pairs, as one guint64 each: the block is in the loop */
} HieraPoints;

/* Make the points of a function and its loops. `flow` and what is known of its loops must outlive them. Free them with
 * hiera_points_clear. */
HieraPoints hiera_points_of(const HieraFlow *flow, const guint *loops, const HieraInduction *inductions);
void hiera_points_clear(HieraPoints *points);

/* Add the events of the function's entry. @param events  HieraPoint, in the order in which they happen */
void hiera_points_entry(const HieraPoints *points, GArray *events);

/* Add the events on the edge between two blocks: loops that are left, inner ones first; loops that are entered, outer
 * ones first; a loop that begins its next iteration. */
void hiera_points_edge(const HieraPoints *points, guint from, guint to, GArray *events);

/* Add the events at a block to which jump tables lead, valid for any of these jumps. The begin of a running loop and
 * the end of a loop that does not run are ignored: so all loops around the block begin there, all others end. No events
 * if no such jump enters or leaves a loop. */
void hiera_points_landing(const HieraPoints *points, guint to, GArray *events);

/* Whether a jump table leads to a block. */
gboolean hiera_points_is_landing(const HieraPoints *points, guint block);
