/* One simulation of a recorded run. */
#ifndef HIERA_PREDICT_SIMULATION_H
#define HIERA_PREDICT_SIMULATION_H

#include "feeder.h"
#include "machine/machine_options.h"

typedef struct {
    Feeder *feeder;
    HieraSimResult result;
} Simulation;

/* Simulate a run.
 *
 * @param simulation  to be cleared in any case
 * @param run         its ranks are on its hosts
 * @param speeds      decided
 * @param follower    is told all spans; NULL: nobody
 * @param error       as of hiera_simulate() */
gboolean simulation_run(Simulation *simulation, const RecordedRun *run, const MachineOptions *options,
                        const Speeds *speeds, const SpanFollower *follower, GError **error);
void simulation_clear(Simulation *simulation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Simulation, simulation_clear)

#endif
