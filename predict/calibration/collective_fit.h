/* Fits those network parameters that only collectives depend on to measured collectives. */
#pragma once

#include "simulator/machine.h"

typedef struct {
    HieraSimCollective collective;
    gint64 bytes;
    guint count;     /* number of consecutive collectives that were measured */
    gdouble seconds; /* measured seconds per collective */
} TimedCollective;

typedef enum {
    COLLECTIVE_STEP,  /* the parameter step_overhead_ps */
    COLLECTIVE_OWN,   /* the parameter own_copy_ps_per_byte */
    COLLECTIVE_REDUCE /* the parameter reduce_ps_per_byte */
} CollectiveParameter;

/* Set a parameter. For each measured collective there is one value with which it is predicted as measured, since the
 * time grows with the parameter; of these values, the one that suits all best is taken (least sum of relative
 * deviations).
 *
 * @param machine  the parameter is set in both its networks */
void collective_fit(HieraMachine *machine, CollectiveParameter parameter, const TimedCollective *measured, guint n);
