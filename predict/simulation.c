/* See simulation.h. */
#include "simulation.h"

static HieraMachine make_machine(const RecordedRun *run, const Options *options)
{
    HieraMachine machine = {.n_ranks = run->trace->n_processors, .links = options->links, .cores = options->cores};
    machine.class_speed = speeds_peek(options->speeds, &machine.n_classes);
    for (guint i = 0; options->one_step && i < HIERA_SIM_N_COLLECTIVES; i++)
        machine.algorithm[i] = HIERA_SIM_ONE_STEP;
    return machine;
}

/* @param follower  NULL: none */
static gboolean simulate(Simulation *simulation, const RecordedRun *run, const Options *options,
                         const HieraNetwork *between, const HieraNetwork *inside, const SpanFollower *follower,
                         GError **error)
{
    HieraMachine machine = make_machine(run, options);
    machine.between = *between;
    machine.inside = *inside;
    machine.n_hosts = run->hosts.names->len;
    machine.host = run->hosts.host;
    *simulation = (Simulation){.feeder = feeder_new(run, options->speeds)};
    if (follower)
        feeder_follow(simulation->feeder, follower);
    const HieraSimFeeder source = feeder_get(simulation->feeder);
    return hiera_simulate(&machine, &source, &simulation->result, error);
}

gboolean simulation_run(Simulation *simulation, const RecordedRun *run, const Options *options,
                        const HieraNetwork *between, const HieraNetwork *inside, GError **error)
{
    return simulate(simulation, run, options, between, inside, NULL, error);
}

gboolean simulation_run_followed(Simulation *simulation, const RecordedRun *run, const Options *options,
                                 const SpanFollower *follower, GError **error)
{
    return simulate(simulation, run, options, &options->between, &options->inside, follower, error);
}

void simulation_clear(Simulation *simulation)
{
    hiera_sim_result_clear(&simulation->result);
    if (simulation->feeder)
        feeder_free(simulation->feeder);
    simulation->feeder = NULL;
}
