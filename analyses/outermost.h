/** Units: the operations that a scope's level and depth pick out, each the outermost of its kind, and MPI inside them.
 *
 * What the measures of time have in common. Operations come in document order: what is inside the last unit or the last
 * MPI call is what is deeper in the same thread, until one comes that is not. */
#ifndef HIERA_OUTERMOST_H
#define HIERA_OUTERMOST_H

#include "hiera_graph.h"

/** The operation that encloses what follows. */
typedef struct {
    guint32 depth;  /* its depth, HIERA_NONE if nothing encloses what follows */
    guint32 thread; /* its thread */
} HieraInside;

#define HIERA_OUTSIDE ((HieraInside){HIERA_NONE, 0})

/** Whether an operation at a depth of a thread lies inside; if not, nothing encloses any more. */
static inline gboolean hiera_inside_holds(HieraInside *inside, guint32 depth, guint32 thread)
{
    if (inside->depth != HIERA_NONE && (thread != inside->thread || depth <= inside->depth))
        inside->depth = HIERA_NONE;
    return inside->depth != HIERA_NONE;
}

static inline void hiera_inside_enter(HieraInside *inside, guint32 depth, guint32 thread)
{
    *inside = (HieraInside){depth, thread};
}

/** Whether a scope picks out operations at all; if not, the unit is the processor. */
static inline gboolean hiera_scope_has_units(const HieraScope *scope)
{
    return scope->level != NULL || scope->depth >= 0;
}

/** Imbalance of a time over ranks: 1 − mean/max, the share of it that ranks lose on average because they are not all
 * alike; 1 minus POP's load balance. In hundredths of a percent, 0 if it is even.
 *
 * @param sum  over @n ranks; @max is the largest. Of times that are too large it is too. */
static inline gint64 hiera_imbalance(gint64 sum, guint n, gint64 max)
{
    if (sum == HIERA_TOO_LARGE || max == HIERA_TOO_LARGE)
        return HIERA_TOO_LARGE;
    return max > 0 ? (gint64)(10000 * (1 - (double)sum / n / (double)max) + 0.5) : 0;
}

#endif
