#include "run.h"
#include "ends.h"
#include <string.h>

gboolean hiera_execution_calls_mpi(const HieraExecution *execution)
{
    for (guint i = 0; i < execution->vertices->len; i++)
        if (hiera_execution_vertex(execution, i)->kind == HIERA_VERTEX_COMMUNICATION)
            return TRUE;
    return FALSE;
}

gboolean hiera_execution_is_of_abi(const HieraExecution *execution)
{
    const HieraObject *program = g_ptr_array_index(execution->modules.program->objects, 0);
    static const char name[] = "libmpi_abi.so";
    return memmem(program->contents, program->n_bytes, name, strlen(name)) != NULL;
}

/* Add notes on processes that end without MPI_Finalize, for example since an error branch was taken at random. */
static void note_early_ends(const HieraExecution *execution, HieraWorld *world)
{
    gboolean calls = hiera_execution_calls_mpi(execution);
    for (guint32 i = 0; i < world->n; i++) {
        const HieraProcess *process = world->processes[i];
        gboolean before = calls && !world->calls[i].function, early = before || world->calls[i].is_inside;
        if (!process->ended || process->stuck || process->is_wanting || !early)
            continue;
        process->unknown[process->at] |= HIERA_UNKNOWN_END;
        g_autofree char *name = hiera_function_text(execution, hiera_execution_vertex(execution, process->at)->graph),
                        *place = hiera_place_text(execution, process->at), *drawn = hiera_drawn_text(process);
        hiera_world_note(world, HIERA_NOTE_PLAIN, "%s in %s ends a process %s (%s)%s",
                         process->ended_by ? process->ended_by : "the last return", name,
                         before ? "before it calls MPI" : "without MPI_Finalize", place,
                         *drawn ? drawn
                                : "; nothing was drawn before that: other --arguments, files or numbers of processes "
                                  "may be needed");
    }
}

static char *name_operation(gpointer context, guint32 rank, guint64 token)
{
    const HieraWorld *world = context;
    guint number = hiera_world_vertex(token);
    const HieraVertex *vertex = hiera_execution_vertex(world->execution, number);
    g_autofree char *function = hiera_function_text(world->execution, vertex->graph),
                    *place = hiera_place_text(world->execution, number),
                    *drawn = hiera_drawn_text(world->processes[rank]);
    return g_strdup_printf("%s of %s (%s%s)", vertex->name, function, place, drawn);
}

gboolean hiera_execution_run(const HieraExecution *execution, const HieraWalkOptions *options,
                             const HieraMachine *machine, const HieraWorldFollower *follower, HieraExecutionRun *run,
                             GError **error)
{
    hiera_world_init(&run->world, execution, options, follower);
    HieraSimFeeder feeder = hiera_world_feeder(&run->world);
    feeder.name = name_operation;
    gboolean good = hiera_simulate(machine, &feeder, &run->result, error);
    note_early_ends(execution, &run->world);
    for (guint32 i = 0; good && i < options->n_processes; i++) {
        const HieraProcess *process = run->world.processes[i];
        if (!process->stuck)
            continue;
        g_autofree char *name = hiera_function_text(execution, hiera_execution_vertex(execution, process->at)->graph),
                        *drawn = hiera_drawn_text(process);
        g_set_error(error, HIERA_SIMULATOR_ERROR, HIERA_SIMULATOR_ERROR_OPERATION, "process %u in %s: %s%s", i, name,
                    process->stuck, drawn);
        good = FALSE;
    }
    return good;
}

void hiera_execution_run_clear(HieraExecutionRun *run)
{
    if (run->world.processes) /* NULL: hiera_execution_run() was not called, so there is no world to clear */
        hiera_world_clear(&run->world);
    hiera_sim_result_clear(&run->result);
}
