/* What MPI calls are in the simulation, and what they leave in memory. See world.h. */
#include "world.h"
#include <string.h>

/* --- collectives --- */

static void begin_collective(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    const HieraMpiFunction *function = call->function;
    HieraKnown root = hiera_mpi_integer(world, rank, function->peer),
               type = hiera_mpi_handle(world, rank, function->type);
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    guint64 number = 0;
    if (hiera_group_member(group, rank) == HIERA_NO_VERTEX)
        return;
    call->root = function->peer >= 0 && root.known && root.bits < group->ranks->len ? (guint)root.bits : 0;
    call->type = type.known ? type.bits : 0;
    call->bytes =
        function->detail == HIERA_SIM_BARRIER
            ? 0
            : hiera_mpi_bytes_or_default(world, hiera_mpi_find_bytes(world, rank, function->count, function->type));
    call->n_collectives++;
    if (function->request >= 0) {
        hiera_mpi_open_request(world, rank, &number);
        hiera_mpi_write(world, rank, function->request, hiera_mpi_handle_width(world, call), TRUE, number);
        HieraKnown to = hiera_mpi_pointer(world, rank, function->to);
        if (to.known && function->to >= 0)
            hiera_memory_forget(world->processes[rank]->state.memory, to.bits, (guint64)call->bytes);
    } else {
        hiera_gathering_enter(world, rank);
    }
    hiera_mpi_append(call, (HieraSimOperation){.kind = HIERA_SIM_COLLECTIVE,
                                               .collective = function->kind == HIERA_MPI_COLLECTIVE ? function->detail
                                                                                                    : HIERA_SIM_BARRIER,
                                               .peer = (gint32)g_array_index(group->ranks, guint32, call->root),
                                               .group = call->group,
                                               .bytes = call->bytes,
                                               .request = number,
                                               .token = hiera_mpi_new_token(world, rank)});
}

static void make_type(HieraWorld *world, guint32 rank)
{
    const HieraMpiFunction *function = world->calls[rank].function;
    HieraKnown n = hiera_mpi_integer(world, rank, function->count), each = {TRUE, 1},
               old = hiera_mpi_handle(world, rank, function->type);
    if (function->to_count >= 0)
        each = hiera_mpi_integer(world, rank, function->to_count);
    gint64 size = old.known ? hiera_mpi_type_size(world, old.bits) : -1;
    size = n.known && each.known && size >= 0 ? size * (gint64)n.bits * (gint64)each.bits : -1;
    hiera_mpi_write(world, rank, function->to, hiera_mpi_handle_width(world, &world->calls[rank]), TRUE,
                    hiera_mpi_type_handle(world, size));
}

static void write_count(HieraWorld *world, guint32 rank)
{
    const HieraMpiFunction *function = world->calls[rank].function;
    HieraKnown status = hiera_mpi_pointer(world, rank, function->status),
               type = hiera_mpi_handle(world, rank, function->type);
    gint64 size = type.known ? hiera_mpi_type_size(world, type.bits) : -1;
    guint64 n = 0;
    gboolean known =
        status.known && size > 0 &&
        hiera_memory_read(world->processes[rank]->state.memory, status.bits + (world->is_openmpi ? 16 : 0), 8, &n);
    hiera_mpi_write(world, rank, function->to, 4, known, known ? n / (guint64)size : 0);
}

/* --- all calls --- */

void hiera_mpi_begin(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    HieraProcess *process = world->processes[rank];
    call->name = hiera_execution_vertex(world->execution, process->at)->name;
    call->function = hiera_mpi_function(call->name, &call->fortran);
    call->is_open = TRUE;
    call->receive = 0;
    g_array_set_size(call->requests, 0);
    g_array_set_size(call->places, 0);
    g_array_set_size(call->completed, 0);
    call->group = call->function->kind == HIERA_MPI_LOCAL ? HIERA_WORLD
                                                          : hiera_mpi_group(world, rank, call->function->communicator);
    switch ((HieraMpiKind)call->function->kind) {
    case HIERA_MPI_SEND:
        hiera_mpi_begin_send(world, rank);
        break;
    case HIERA_MPI_RECEIVE:
        hiera_mpi_begin_receive(world, rank);
        break;
    case HIERA_MPI_EXCHANGE:
        hiera_mpi_begin_exchange(world, rank);
        break;
    case HIERA_MPI_START:
        hiera_mpi_begin_start(world, rank);
        break;
    case HIERA_MPI_WAIT:
        hiera_mpi_begin_wait(world, rank);
        break;
    case HIERA_MPI_COLLECTIVE:
    case HIERA_MPI_SPLIT:
    case HIERA_MPI_DUPLICATE:
    case HIERA_MPI_CART_CREATE:
    case HIERA_MPI_FINALIZE:
        begin_collective(world, rank);
        break;
    case HIERA_MPI_LOCAL:
        if (hiera_mpi_is_left_out(call->name))
            hiera_world_note(world, "%s takes no time in the simulation", call->name);
        break;
    default:
        break;
    }
}

void hiera_mpi_end(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    HieraProcess *process = world->processes[rank];
    const HieraMpiFunction *function = call->function;
    const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    gint8 status = function->status;
    if (call->receive > 0)
        hiera_mpi_end_receive(world, rank, call->receive,
                              status >= 0 ? hiera_mpi_pointer(world, rank, status) : (HieraKnown){FALSE, 0});
    if (call->gathering)
        hiera_gathering_leave(world, rank);
    switch ((HieraMpiKind)function->kind) {
    case HIERA_MPI_WAIT:
        hiera_mpi_end_wait(world, rank);
        break;
    case HIERA_MPI_RANK:
        hiera_mpi_write(world, rank, function->to, 4, TRUE,
                        call->group == HIERA_SELF ? 0 : hiera_group_member(group, rank));
        break;
    case HIERA_MPI_SIZE:
        hiera_mpi_write(world, rank, function->to, 4, TRUE, call->group == HIERA_SELF ? 1 : group->ranks->len);
        break;
    case HIERA_MPI_CART_CREATE:
        hiera_mpi_describe_grid(world, rank);
        break;
    case HIERA_MPI_CART_SHIFT:
        hiera_mpi_shift_in_grid(world, rank);
        break;
    case HIERA_MPI_CART_COORDS:
        hiera_mpi_write_coordinates(world, rank);
        break;
    case HIERA_MPI_CART_RANK:
        hiera_mpi_write_member(world, rank);
        break;
    case HIERA_MPI_DIMS_CREATE:
        hiera_mpi_create_dimensions(world, rank);
        break;
    case HIERA_MPI_TYPE:
        make_type(world, rank);
        break;
    case HIERA_MPI_TYPE_SIZE:
        hiera_mpi_write(world, rank, function->to, 4, hiera_mpi_handle(world, rank, function->type).known,
                        (guint64)hiera_mpi_type_size(world, hiera_mpi_handle(world, rank, function->type).bits));
        break;
    case HIERA_MPI_GET_COUNT:
        write_count(world, rank);
        break;
    case HIERA_MPI_ABORT:
        process->ended = TRUE;
        break;
    default:
        break;
    }
    hiera_forget_call(&process->state);
    process->state.registers[HIERA_RAX] = (HieraKnown){TRUE, 0};
    call->is_open = FALSE;
    if (!process->ended)
        hiera_process_pass(process);
}
