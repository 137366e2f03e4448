/* Collectives of all processes, simulated on measured networks. */
#ifndef HIERA_PREDICT_COLLECTIVE_CHECK_H
#define HIERA_PREDICT_COLLECTIVE_CHECK_H

#include "simulator/machine.h"

/* How long each of `count` collectives after each other takes rank 0.
 * @param bytes  as of an operation
 * @return seconds; negative if they cannot be simulated */
gdouble collective_check_predict(const HieraMachine *machine, HieraSimCollective collective, gint64 bytes, guint count);

#endif
