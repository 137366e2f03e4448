/* Fits parameters of collectives that work in steps to measured collectives. */
#pragma once

#include "simulator/machine.h"

typedef struct {
    HieraSimCollective collective;
    gint64 bytes;
    guint count;     /* number of consecutive collectives that were measured */
    gdouble seconds; /* time of each, in seconds */
} TimedCollective;

typedef enum {
    COLLECTIVE_STEP,  /* fits step_overhead_ps */
    COLLECTIVE_OWN,   /* fits own_copy_ps_per_byte */
    COLLECTIVE_REDUCE /* fits reduce_ps_per_byte */
} CollectiveParameter;

/* Set a parameter. For each measured collective there is one value with which it is predicted as measured, since the
 * time grows with the parameter; of these values, the one that suits all best is taken (least sum of relative
 * deviations).
 *
 * @param machine  the parameter is set in both its networks */
void collective_fit(HieraMachine *machine, CollectiveParameter parameter, const TimedCollective *measured, guint n);
