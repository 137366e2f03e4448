/* See simulation.h. */
#include "simulation.h"

gboolean simulation_run(Simulation *simulation, const RecordedRun *run, const MachineOptions *options,
                        const Speeds *speeds, const SpanFollower *follower, GError **error)
{
    HieraMachine machine = machine_options_make(options, run->trace->n_processors);
    machine.class_speed = speeds_peek(speeds, &machine.n_classes);
    machine.n_hosts = run->hosts.names->len;
    machine.host = run->hosts.host;
    *simulation = (Simulation){.feeder = feeder_new(run, speeds)};
    if (follower)
        feeder_follow(simulation->feeder, follower);
    const HieraSimFeeder source = feeder_get(simulation->feeder);
    return hiera_simulate(&machine, &source, &simulation->result, error);
}

void simulation_clear(Simulation *simulation)
{
    hiera_sim_result_clear(&simulation->result);
    if (simulation->feeder)
        feeder_free(simulation->feeder);
    simulation->feeder = NULL;
}
