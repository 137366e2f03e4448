/* See run.h. */
#include "run.h"

/* Processes that end too early: where an error was drawn, or arguments are missing, say. */
static void note_early_ends(const HieraExecution *execution, HieraWorld *world)
{
    for (guint32 i = 0; i < world->n; i++) {
        const HieraProcess *process = world->processes[i];
        guint function = hiera_execution_vertex(execution, process->at)->graph;
        if (process->ended && !process->stuck && !process->is_wanting && world->calls[i].is_inside)
            hiera_world_note(world, "%s in %s ends a process without MPI_Finalize",
                             process->ended_by ? process->ended_by : "the last return",
                             hiera_execution_graph(execution, function)->name);
    }
}

gboolean hiera_execution_run(const HieraExecution *execution, const HieraWalkOptions *options,
                             const HieraMachine *machine, const HieraWorldFollower *follower, HieraExecutionRun *run,
                             GError **error)
{
    hiera_world_init(&run->world, execution, options, follower);
    const HieraSimFeeder feeder = hiera_world_feeder(&run->world);
    gboolean good = hiera_simulate(machine, &feeder, &run->result, error);
    note_early_ends(execution, &run->world);
    for (guint32 i = 0; good && i < options->n_processes; i++) {
        const HieraProcess *process = run->world.processes[i];
        if (!process->stuck)
            continue;
        g_set_error(error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_OPERATION, "process %u in %s: %s", i,
                    hiera_execution_graph(execution, hiera_execution_vertex(execution, process->at)->graph)->name,
                    process->stuck);
        good = FALSE;
    }
    return good;
}

void hiera_execution_run_clear(HieraExecutionRun *run)
{
    if (run->world.processes) /* it has begun */
        hiera_world_clear(&run->world);
    hiera_sim_result_clear(&run->result);
}
