/* One simulation of a recorded run. */
#pragma once

#include "feeder.h"
#include "machine/machine_options.h"

typedef struct {
    Feeder *feeder;   /* source of the operations; NULL on the ideal network, which needs none */
    RankTimes *ideal; /* on the ideal network: times by index of the rank; NULL on others */
    HieraSimResult result;
    ActsFound threads; /* what was found of threads other than main threads */
    Hosts hosts;       /* hosts of a run in parts; kept here, since its first part is freed */
} RunSimulation;

/* Simulate a run.
 *
 * @param simulation  to be cleared in any case
 * @param run         its ranks are on its hosts
 * @param speeds      already decided
 * @param follower    callbacks for all spans; NULL: none
 * @param error       as of hiera_simulate() */
gboolean simulation_run(RunSimulation *simulation, const RecordedRun *run, const MachineOptions *options,
                        const Speeds *speeds, const SpanFollower *follower, GError **error);
/* Simulate a run that is read in parts, once; like simulation_run(). Takes ownership of `first`, the first part.
 * @return also FALSE, without an error, if the run cannot be read in parts */
gboolean simulation_run_parts(RunSimulation *simulation, RunParts *parts, RecordedRun *first,
                              const MachineOptions *options, Speeds *speeds, GError **error);
/* Return the sums of a rank's simulated times. @param rank  index of its root element in the trace */
RankTimes simulation_sum(const RunSimulation *simulation, guint32 rank);
void simulation_clear(RunSimulation *simulation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunSimulation, simulation_clear)
