/* Change of a run's waiting by changes of computation and messages: the difference between simulations with and without
 * the changes. */
#pragma once

#include "run/recorded_run.h"
#include "run/simulation.h"

/* Changes of the recorded runs. */
typedef struct {
    MachineOptions machine; /* simulated machine */
    Speeds *speeds;         /* already decided for the run */
    Sizes *sizes;           /* already decided for the run */
} ScalingChanges;

/* @return increase of the waiting time by row, in nanoseconds; NULL if a simulation does not end */
gint64 *scaling_waiting_difference(RecordedRun *run, const ScalingChanges *changes, GError **error);
