#include "simulation.h"
#include "ideal_run.h"

static gboolean simulate(RunSimulation *simulation, const Hosts *hosts, guint32 n_ranks, const MachineOptions *options,
                         const Speeds *speeds, GError **error)
{
    HieraMachine machine = machine_options_make(options, n_ranks);
    machine.class_speed = speeds_peek(speeds, &machine.n_classes);
    machine.n_hosts = hosts->names->len;
    machine.host = hosts->host;
    const HieraSimFeeder source = feeder_get(simulation->feeder);
    return hiera_simulate(&machine, &source, &simulation->result, error);
}

gboolean simulation_run(RunSimulation *simulation, const RecordedRun *run, const MachineOptions *options,
                        const Speeds *speeds, const SpanFollower *follower, GError **error)
{
    *simulation = (RunSimulation){0};
    if (options->ideal) {
        simulation->ideal = ideal_run_simulate(run, speeds, follower, &simulation->result, error);
        return simulation->ideal != NULL;
    }
    simulation->feeder = feeder_new(run, speeds);
    if (follower)
        feeder_follow(simulation->feeder, follower);
    return simulate(simulation, &run->hosts, run->trace->n_processors, options, speeds, error);
}

gboolean simulation_run_parts(RunSimulation *simulation, RunParts *parts, RecordedRun *first,
                              const MachineOptions *options, Speeds *speeds, GError **error)
{
    guint32 n_ranks = first->trace->n_processors;
    *simulation = (RunSimulation){.hosts = first->hosts};
    first->hosts = (Hosts){0};
    simulation->feeder = feeder_new_of_parts(parts, first, speeds);
    return simulate(simulation, &simulation->hosts, n_ranks, options, speeds, error) && run_parts_are_complete(parts);
}

RankTimes simulation_sum(const RunSimulation *simulation, guint32 rank)
{
    return simulation->ideal ? simulation->ideal[rank] : feeder_sum(simulation->feeder, rank);
}

void simulation_clear(RunSimulation *simulation)
{
    hiera_sim_result_clear(&simulation->result);
    hosts_clear(&simulation->hosts);
    if (simulation->feeder)
        feeder_free(simulation->feeder);
    simulation->feeder = NULL;
    g_clear_pointer(&simulation->ideal, g_free);
}
