/* What combining two vectors in a reduction takes, from reductions that were measured. */
#ifndef HIERA_PREDICT_REDUCTION_FIT_H
#define HIERA_PREDICT_REDUCTION_FIT_H

#include "simulator/machine.h"

typedef struct {
    HieraSimCollective collective;
    gint64 bytes;
    gdouble seconds; /* of each of several after each other */
} TimedReduction;

/* For each one there is a time for a byte with which it is predicted as measured; of these the best one for all.
 *
 * @param machine  its networks' reduce_ps_per_byte is set
 * @param count    so many were measured after each other */
void reduction_fit(HieraMachine *machine, const TimedReduction *measured, guint n, guint count);

#endif
