/* See run.h. */
#include "run.h"

gboolean hiera_execution_run(const HieraExecution *execution, const HieraWalkOptions *options,
                             const HieraMachine *machine, const HieraWorldFollower *follower, HieraExecutionRun *run,
                             GError **error)
{
    hiera_world_init(&run->world, execution, options, follower);
    const HieraSimFeeder feeder = hiera_world_feeder(&run->world);
    gboolean good = hiera_simulate(machine, &feeder, &run->result, error);
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
