/* Parameters of collectives in steps, from collectives that were measured. */
#ifndef HIERA_PREDICT_COLLECTIVE_FIT_H
#define HIERA_PREDICT_COLLECTIVE_FIT_H

#include "simulator/machine.h"

typedef struct {
    HieraSimCollective collective;
    gint64 bytes;
    guint count;     /* so many after each other were measured */
    gdouble seconds; /* of each */
} TimedCollective;

typedef enum {
    COLLECTIVE_STEP,  /* step_overhead_ps */
    COLLECTIVE_OWN,   /* own_copy_ps_per_byte */
    COLLECTIVE_REDUCE /* reduce_ps_per_byte */
} CollectiveParameter;

/* For each one there is a value of the parameter with which it is predicted as measured, since the time grows with it;
 * of these the best one for all (least sum of relative deviations).
 *
 * @param machine  the parameter is set in both its networks */
void collective_fit(HieraMachine *machine, CollectiveParameter parameter, const TimedCollective *measured, guint n);

#endif
