#include "simulation.h"
#include "ideal_run.h"

static gboolean simulate(RunSimulation *simulation, const Hosts *hosts, const MachineOptions *options,
                         const Speeds *speeds, GError **error)
{
    guint32 n_threads;
    const guint32 *owner = feeder_peek_owners(simulation->feeder, &n_threads);
    HieraMachine machine = machine_options_make(options, n_threads);
    g_autofree guint32 *host = g_new(guint32, (gsize)n_threads + 1);
    for (guint32 i = 0; i < n_threads; i++)
        host[i] = hosts->host[owner[i]];
    machine.class_speed = speeds_peek(speeds, &machine.n_classes);
    machine.n_hosts = hosts->names->len;
    machine.host = host;
    machine.core_set = options->rank_cores > 0 ? owner : NULL;
    const HieraSimFeeder source = feeder_get(simulation->feeder);
    gboolean ended = hiera_simulate(&machine, &source, &simulation->result, error);
    for (guint32 i = 0; i < simulation->result.n_stuck; i++) {
        HieraSimStuck *stuck = &simulation->result.stuck[i];
        stuck->rank = owner[stuck->rank];
        stuck->waits_for = owner[stuck->waits_for];
    }
    return ended;
}

gboolean simulation_run(RunSimulation *simulation, const RecordedRun *run, const MachineOptions *options,
                        const Speeds *speeds, const SpanFollower *follower, GError **error)
{
    *simulation = (RunSimulation){0};
    if (options->ideal) {
        simulation->ideal = ideal_run_simulate(run, speeds, follower, &simulation->result, error);
        return simulation->ideal != NULL;
    }
    simulation->threads = (ActsFound){.n_threads = options->threads, .args = options->args};
    simulation->feeder = feeder_new(run, speeds, &simulation->threads);
    if (follower)
        feeder_follow(simulation->feeder, follower);
    return simulate(simulation, &run->hosts, options, speeds, error);
}

gboolean simulation_run_parts(RunSimulation *simulation, RunParts *parts, RecordedRun *first,
                              const MachineOptions *options, Speeds *speeds, GError **error)
{
    *simulation = (RunSimulation){.hosts = first->hosts};
    first->hosts = (Hosts){0};
    simulation->feeder = feeder_new_of_parts(parts, first, speeds);
    return simulate(simulation, &simulation->hosts, options, speeds, error) && run_parts_are_complete(parts);
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
