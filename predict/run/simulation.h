/* One simulation of a recorded run. */
#ifndef HIERA_PREDICT_SIMULATION_H
#define HIERA_PREDICT_SIMULATION_H

#include "feeder.h"
#include "machine/machine_options.h"

typedef struct {
    Feeder *feeder;   /* NULL on the ideal network, where no operation is fed: */
    RankTimes *ideal; /* by index of the processor; NULL elsewhere */
    HieraSimResult result;
    Hosts hosts; /* of a run in parts, of which the first one does not stay */
} RunSimulation;

/* Simulate a run.
 *
 * @param simulation  to be cleared in any case
 * @param run         its ranks are on its hosts
 * @param speeds      decided
 * @param follower    is told all spans; NULL: nobody
 * @param error       as of hiera_simulate() */
gboolean simulation_run(RunSimulation *simulation, const RecordedRun *run, const MachineOptions *options,
                        const Speeds *speeds, const SpanFollower *follower, GError **error);
/* The same of a run that is read in parts, once. `first` becomes the simulation's.
 * @return also FALSE, without an error, if the run cannot be read in parts */
gboolean simulation_run_parts(RunSimulation *simulation, RunParts *parts, RecordedRun *first,
                              const MachineOptions *options, Speeds *speeds, GError **error);
/* Sum up what a simulation has made of a rank. @param rank  index of its processor */
RankTimes simulation_sum(const RunSimulation *simulation, guint32 rank);
void simulation_clear(RunSimulation *simulation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(RunSimulation, simulation_clear)

#endif
