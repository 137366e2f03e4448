/* Predicts the time of consecutive collectives of all ranks, by simulation. */
#pragma once

#include "simulator/machine.h"

/* Return the time that each of `count` consecutive collectives takes on rank 0.
 * @param bytes  as in an operation
 * @return seconds; negative if they cannot be simulated */
gdouble collective_check_predict(const HieraMachine *machine, HieraSimCollective collective, gint64 bytes, guint count);
