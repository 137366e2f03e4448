/* How a run's waiting changes with what is computed and sent: as its simulations with and without the changes differ.
 */
#ifndef HIERA_PREDICT_SCALING_WAITING_H
#define HIERA_PREDICT_SCALING_WAITING_H

#include "run/recorded_run.h"
#include "run/simulation.h"

/* What of the recorded runs is changed. */
typedef struct {
    MachineOptions machine; /* what it is simulated on */
    Speeds *speeds;         /* decided for the run */
    Sizes *sizes;           /* likewise */
} ScalingChanges;

/* @return how much longer each row waits, in nanoseconds, by row; NULL if a simulation does not end */
gint64 *scaling_waiting_difference(RecordedRun *run, const ScalingChanges *changes, GError **error);

#endif
