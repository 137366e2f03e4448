/* Change of a run's waiting by changes of computation and messages: the difference between simulations with and without
 * the changes. */
#pragma once

#include "run/recorded_run.h"
#include "run/simulation.h"

/* Changes that --speed and --message-size make to the recorded runs, and the machine on which waiting is simulated. */
typedef struct {
    MachineOptions machine; /* simulated machine */
    Speeds *speeds;         /* factors on computation, already decided for the run */
    Sizes *sizes;           /* factors on message sizes, already decided for the run */
} ScalingChanges;

/* @return by row: how much longer the operation waits with the changes, ns; NULL: a simulation does not end */
gint64 *scaling_waiting_difference(RecordedRun *run, const ScalingChanges *changes, GError **error);
