/* One simulation of a recorded run. */
#ifndef HIERA_PREDICT_SIMULATION_H
#define HIERA_PREDICT_SIMULATION_H

#include "feeder.h"
#include "options.h"

typedef struct {
    Feeder *feeder;
    HieraSimResult result;
} Simulation;

/* Simulate a run on the machine of the options, with these networks.
 *
 * @param simulation  to be cleared in any case
 * @param error       as of hiera_simulate() */
gboolean simulation_run(Simulation *simulation, const RecordedRun *run, const Options *options,
                        const HieraNetwork *between, const HieraNetwork *inside, GError **error);
/* The same on the networks of the options, with one who follows it. */
gboolean simulation_run_followed(Simulation *simulation, const RecordedRun *run, const Options *options,
                                 const SpanFollower *follower, GError **error);
void simulation_clear(Simulation *simulation);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(Simulation, simulation_clear)

#endif
