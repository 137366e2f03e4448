/* Begin and end of each MPI call, and calls that no other file of this folder handles. See world.h. */
#include "handlers.h"
#include <string.h>

/* Range of all handles that the simulation makes; MPI_…_c2f and f2c return them unchanged. */
enum { MADE_FROM = 0x70000000, MADE_TO = 0x7fffffff };
enum {
    NEW_HANDLE = 0x7a000000,
    MOST_HANDLES = 0x5000000
}; /* first handle that make_handles() makes, and greatest number of handles */

void hiera_mpi_begin(HieraWorld *world, guint32 rank)
{
    static const HieraMpiFunction unknown = {.name = "", .kind = "local"};
    HieraCurrentCall *call = &world->calls[rank];
    call->name = hiera_execution_vertex(world->execution, world->processes[rank]->at)->name;
    call->function = hiera_mpi_function(&world->functions, call->name, &call->fortran);
    if (!call->function)
        call->function = &unknown;
    call->is_open = TRUE;
    call->has_begun = FALSE;
    call->opened = 0;
    call->received.source = HIERA_RECEIVED_NOTHING;
    call->made = HIERA_NO_VERTEX;
    g_array_set_size(call->tokens, 0);
    g_array_set_size(call->requests, 0);
    g_array_set_size(call->handles, 0);
    g_array_set_size(call->places, 0);
    g_array_set_size(call->completed, 0);
    g_array_set_size(call->over, 0);
    call->group = hiera_mpi_group_of_call(world, rank);
    if (world->follower)
        world->follower->calls(world->follower->user, world, rank);
    hiera_mpi_forget_results(world, rank, !call->function->begin && !call->function->end);
    if (hiera_mpi_is_left_out(call->function))
        hiera_world_note(world, HIERA_NOTE_PLAIN, "%s takes no time in the simulation", call->name);
    else if (hiera_mpi_moves_file(call->function) && !world->options->has_files)
        hiera_world_note(world, HIERA_NOTE_PLAIN, "%s takes no time in the simulation: --files says how much",
                         call->name);
    if (call->function->begin)
        call->function->begin(world, rank);
}

/* Make handles of objects whose properties are not simulated (infos, operators, …), so that later calls can name them.
 */
static void make_handles(HieraWorld *world, guint32 rank)
{
    static const char *const classes[] = {"info", "op", "errhandler", "session", NULL};
    const HieraMpiFunction *function = world->calls[rank].function;
    for (guint i = 0; i < function->n_parameters && !strstr(function->name, "get_errhandler"); i++) {
        const HieraMpiParameter *parameter = &function->parameters[i];
        if (parameter->direction == HIERA_DIRECTION_OUT && parameter->n_elements == 0 &&
            g_strv_contains(classes, parameter->class) && world->n_handles < MOST_HANDLES)
            hiera_mpi_write(world, rank, parameter->name, TRUE, NEW_HANDLE + world->n_handles++);
    }
}

/* Return the C result of the MPI function: 0 (MPI_SUCCESS), or the value that the function computes. */
static HieraKnown find_result(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const char *name = call->function->name;
    HieraKnown first = hiera_process_argument(world->processes[rank], 0),
               second = hiera_process_argument(world->processes[rank], 1);
    if (g_str_has_suffix(name, "_c2f") || g_str_has_suffix(name, "_f2c")) {
        guint64 handle = first.bits & 0xffffffff;
        return (HieraKnown){first.known && handle >= MADE_FROM && handle <= MADE_TO, handle};
    }
    if (strcmp(name, "aint_add") == 0)
        return (HieraKnown){first.known && second.known, first.bits + second.bits};
    if (strcmp(name, "aint_diff") == 0)
        return (HieraKnown){first.known && second.known, first.bits - second.bits};
    return (HieraKnown){call->function->name[0] != 0, 0};
}

void hiera_mpi_end(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraProcess *process = world->processes[rank];
    if (call->function->end)
        call->function->end(world, rank);
    make_handles(world, rank);
    if (world->follower)
        world->follower->returns(world->follower->user, world, rank, call->now_ps);
    HieraKnown result = find_result(world, rank);
    hiera_forget_call(&process->state);
    process->state.registers[HIERA_RAX] = result;
    call->is_open = FALSE;
    if (!process->ended)
        hiera_process_pass(process);
}

void hiera_mpi_allocate(HieraWorld *world, guint32 rank)
{
    HieraKnown size = hiera_mpi_integer(world, rank, HIERA_P_SIZE);
    guint64 n = size.known ? MIN(size.bits, (guint64)1 << 40) : 1 << 20;
    hiera_mpi_write(world, rank, HIERA_P_BASEPTR, TRUE,
                    hiera_known_memory_allocate(hiera_world_memory(world, rank), n));
}

static void append_delay(HieraWorld *world, guint32 rank, gint64 bytes)
{
    const HieraWalkOptions *options = world->options;
    gdouble ps = options->file_call_ps + options->file_byte_ps * (gdouble)MAX(bytes, 0);
    if (options->has_files)
        hiera_mpi_append(&world->calls[rank],
                         (HieraSimOperation){.kind = HIERA_SIM_DELAY,
                                             .token = hiera_mpi_new_token(world, rank),
                                             .duration_ps = (gint64)MIN(ps, (gdouble)HIERA_SIM_LONGEST_PS)});
}

/* Begin a call on a file. Files do not exist: data read from them are unknown. The time of the data is spent when the
 * call begins, also if it does not block; then the members of a collective call meet. */
void hiera_mpi_begin_file(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    if (hiera_mpi_moves_file(call->function)) {
        HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_BUF, HIERA_P_COUNT, HIERA_P_TYPE);
        if (strstr(call->function->name, "read"))
            hiera_mpi_unpack(world, rank, &data, NULL, 0, (guint64)MAX(data.bytes, 0));
        append_delay(world, rank, data.bytes);
    }
    if (strcmp(call->function->kind, "io-all") == 0)
        hiera_mpi_begin_gathering(world, rank);
    else if (call->function->start == HIERA_MPI_MAKES_REQUEST)
        hiera_mpi_open_request(world, rank);
}

void hiera_mpi_end_init(HieraWorld *world, guint32 rank)
{
    HieraKnown required = hiera_mpi_integer(world, rank, HIERA_P_REQUIRED);
    hiera_mpi_end_collective(world, rank);
    hiera_mpi_write(world, rank, HIERA_P_PROVIDED, required.known, required.bits);
    world->calls[rank].is_inside = TRUE;
}

void hiera_mpi_begin_finalize(HieraWorld *world, guint32 rank)
{
    world->calls[rank].is_inside = FALSE;
    hiera_mpi_begin_gathering(world, rank);
}

void hiera_mpi_abort(HieraWorld *world, guint32 rank)
{
    HieraProcess *process = world->processes[rank];
    process->ended = TRUE;
    process->ended_by = "MPI_Abort";
    process->end_status = hiera_mpi_integer(world, rank, HIERA_P_ERRORCODE);
}
