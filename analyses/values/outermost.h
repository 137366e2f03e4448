/** Outermost operations, for measures of time, which must count each moment once.
 *
 * A unit is an operation of the scope's level and depth that is inside no other such operation. Operations come in
 * document order: as long as they are in the same thread and deeper than the last unit (or MPI call), they are inside
 * it. */
#pragma once

#include "hiera_graph.h"

/** The outermost operation of a kind (unit or MPI call) that encloses the current operation. */
typedef struct {
    guint32 depth; /* depth of that operation; HIERA_NONE: there is none */
    guint32 thread;
} HieraInside;

#define HIERA_OUTSIDE ((HieraInside){HIERA_NONE, 0})

/** True if the next operation in document order, with this depth and thread, is inside the enclosing operation. If not,
 * the enclosing operation has ended, and `inside` becomes HIERA_OUTSIDE. */
static inline gboolean hiera_inside_holds(HieraInside *inside, guint32 depth, guint32 thread)
{
    if (inside->depth != HIERA_NONE && (thread != inside->thread || depth <= inside->depth))
        inside->depth = HIERA_NONE;
    return inside->depth != HIERA_NONE;
}

/** Set `inside` to an operation with this depth and thread: the next, deeper ones are inside it. */
static inline void hiera_inside_enter(HieraInside *inside, guint32 depth, guint32 thread)
{
    *inside = (HieraInside){depth, thread};
}

/** Whether a scope has a level, a depth or --where; if not, the unit is the whole processor. */
static inline gboolean hiera_scope_has_units(const HieraScope *scope)
{
    return scope->level || scope->depth >= 0 || scope->where;
}

/** Return the imbalance of a time over ranks, 1 − mean/max, in hundredths of a percent. This is 1 minus the load
 * balance of POP; 0 if all ranks take equally long.
 *
 * @param sum  nanoseconds of all ranks together
 * @param n    number of ranks
 * @param max  nanoseconds of the slowest rank
 * @return     HIERA_TOO_LARGE if `sum` or `max` is HIERA_TOO_LARGE */
static inline gint64 hiera_imbalance(gint64 sum, guint n, gint64 max)
{
    if (sum == HIERA_TOO_LARGE || max == HIERA_TOO_LARGE)
        return HIERA_TOO_LARGE;
    return max > 0 ? (gint64)(10000 * (1 - (double)sum / n / (double)max) + 0.5) : 0;
}
