/* One simulation of a recorded run. */
#pragma once

#include "feeder.h"
#include "machine/machine_options.h"

typedef struct {
    Feeder *feeder;   /* NULL on the ideal network, which has no feeder */
    RankTimes *ideal; /* by index of the rank; NULL with other networks */
    HieraSimResult result;
    Hosts hosts; /* hosts of a run in parts, of which the first part is freed */
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
/* The same for a run that is read in parts, once. Takes ownership of `first`.
 * @return also FALSE, without an error, if the run cannot be read in parts */
gboolean simulation_run_parts(RunSimulation *simulation, RunParts *parts, RecordedRun *first,
                              const MachineOptions *options, Speeds *speeds, GError **error);
/* Return the sums of the simulated times of a rank. @param rank  index of its root element */
RankTimes simulation_sum(const RunSimulation *simulation, guint32 rank);
void simulation_clear(RunSimulation *simulation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunSimulation, simulation_clear)
