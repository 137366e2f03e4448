/* Handles and arguments of MPI calls, of Open MPI and MPICH, in C and Fortran. See world.h. */
#include "world.h"
#include <string.h>

/* Handles of what the program makes, as integers that neither library has. */
enum { NEW_TYPE = 0x70000000, NEW_GROUP = 0x71000000 };
/* MPICH's constants (mpi.h; its ABI is kept since version 3.1). */
enum { MPICH_WORLD = 0x44000000, MPICH_SELF = 0x44000001, MPICH_TYPE = 0x4c, MPICH_NO_REQUEST = 0x2c000000 };

static guint width_of(gboolean is_pointer)
{
    return is_pointer ? 8 : 4;
}

guint hiera_mpi_handle_width(const HieraWorld *world, const HieraMpiCall *call)
{
    return width_of(world->is_openmpi && !call->fortran);
}

HieraKnown hiera_mpi_pointer(HieraWorld *world, guint32 rank, gint8 place)
{
    return place < 0 ? (HieraKnown){FALSE, 0} : hiera_process_argument(world->processes[rank], (guint)place);
}

HieraKnown hiera_mpi_integer(HieraWorld *world, guint32 rank, gint8 place)
{
    HieraKnown value = hiera_mpi_pointer(world, rank, place);
    if (world->calls[rank].fortran && value.known)
        value.known = hiera_memory_read(world->processes[rank]->state.memory, value.bits, 4, &value.bits);
    value.bits = (guint64)(gint64)(gint32)value.bits;
    return value;
}

HieraKnown hiera_mpi_handle(HieraWorld *world, guint32 rank, gint8 place)
{
    if (hiera_mpi_handle_width(world, &world->calls[rank]) == 8)
        return hiera_mpi_pointer(world, rank, place);
    HieraKnown value = hiera_mpi_integer(world, rank, place);
    value.bits &= 0xffffffff;
    return value;
}

void hiera_mpi_write(HieraWorld *world, guint32 rank, gint8 place, guint width, gboolean known, guint64 bits)
{
    HieraKnown to = hiera_mpi_pointer(world, rank, place);
    if (to.known && to.bits != 0)
        hiera_memory_write(world->processes[rank]->state.memory, to.bits, width, known, bits);
}

/* Names of Open MPI's types end so. */
static const struct {
    const char *name;
    gint64 size;
} types[] = {
    {"char", 1},
    {"unsigned_char", 1},
    {"byte", 1},
    {"int8_t", 1},
    {"uint8_t", 1},
    {"signed_char", 1},
    {"cxx_bool", 1},
    {"c_bool", 1},
    {"packed", 1},
    {"character", 1},
    {"short", 2},
    {"unsigned_short", 2},
    {"int16_t", 2},
    {"uint16_t", 2},
    {"int", 4},
    {"unsigned", 4},
    {"float", 4},
    {"int32_t", 4},
    {"uint32_t", 4},
    {"wchar", 4},
    {"integer", 4},
    {"real", 4},
    {"logical", 4},
    {"long", 8},
    {"unsigned_long", 8},
    {"double", 8},
    {"long_long_int", 8},
    {"unsigned_long_long", 8},
    {"int64_t", 8},
    {"uint64_t", 8},
    {"aint", 8},
    {"offset", 8},
    {"count", 8},
    {"dblprec", 8},
    {"2int", 8},
    {"float_int", 8},
    {"complex8", 8},
    {"c_float_complex", 8},
    {"cplex", 8},
    {"cxx_cplex", 8},
    {"integer8", 8},
    {"real8", 8},
    {"double_int", 12},
    {"long_int", 12},
    {"short_int", 6},
    {"long_double", 16},
    {"c_double_complex", 16},
    {"dblcplex", 16},
    {"cxx_dblcplex", 16},
    {"complex16", 16},
    {"integer1", 1},
    {"integer2", 2},
    {"integer4", 4},
    {"real4", 4},
};

/* Open MPI's integers of Fortran (mpif-constants.h), from 1 on. */
static const gint64 fortran_types[] = {1, 1, -1, -1, 1, 4, 4, 1, 2, 4, 8, 16, 4, 4, 8, 16, 8, 8, 8, 16, 32, 16};

gint64 hiera_mpi_type_size(HieraWorld *world, guint64 handle)
{
    const char *name = hiera_memory_name_at(world->processes[0]->state.memory, handle);
    if (handle >= NEW_TYPE && handle < NEW_GROUP && handle - NEW_TYPE < world->types->len)
        return g_array_index(world->types, gint64, handle - NEW_TYPE);
    if (!world->is_openmpi)
        return handle >> 24 == MPICH_TYPE && (handle >> 8 & 0xff) != 0 ? (gint64)(handle >> 8 & 0xff) : -1;
    if (!name)
        return handle > 0 && handle <= G_N_ELEMENTS(fortran_types) ? fortran_types[handle - 1] : -1;
    for (guint i = 0; g_str_has_prefix(name, "ompi_mpi_") && i < G_N_ELEMENTS(types); i++)
        if (strcmp(name + strlen("ompi_mpi_"), types[i].name) == 0)
            return types[i].size;
    return -1;
}

guint64 hiera_mpi_type_handle(HieraWorld *world, gint64 size)
{
    g_array_append_val(world->types, size);
    return NEW_TYPE + world->types->len - 1;
}

guint64 hiera_mpi_group_handle(guint group)
{
    return NEW_GROUP + group;
}

guint hiera_mpi_group(HieraWorld *world, guint32 rank, gint8 place)
{
    HieraKnown handle = hiera_mpi_handle(world, rank, place);
    const char *name = handle.known ? hiera_memory_name_at(world->processes[rank]->state.memory, handle.bits) : NULL;
    if (place < 0)
        return HIERA_WORLD;
    if (world->calls[rank].fortran && handle.known && handle.bits < NEW_GROUP)
        world->is_openmpi = handle.bits >> 24 != MPICH_WORLD >> 24; /* executables in Fortran name no symbols of it */
    if (handle.known && handle.bits >= NEW_GROUP && handle.bits - NEW_GROUP < world->groups->len)
        return (guint)(handle.bits - NEW_GROUP);
    if (handle.known && (handle.bits == MPICH_SELF || (name && strcmp(name, "ompi_mpi_comm_self") == 0)))
        return HIERA_SELF;
    gboolean is_world = handle.known && (handle.bits == MPICH_WORLD || handle.bits == 0 ||
                                         (name && strcmp(name, "ompi_mpi_comm_world") == 0));
    if (!is_world)
        hiera_world_note(world, "%s: its communicator is not known; MPI_COMM_WORLD is assumed",
                         world->calls[rank].name);
    return HIERA_WORLD;
}

guint64 hiera_mpi_no_request(HieraWorld *world, guint32 rank)
{
    if (!world->is_openmpi)
        return MPICH_NO_REQUEST;
    return world->calls[rank].fortran
               ? 0
               : hiera_memory_address_of(world->processes[rank]->state.memory, "ompi_request_null");
}

HieraGroupOfRanks *hiera_world_group(const HieraWorld *world, guint group)
{
    return world->groups->pdata[group];
}

guint hiera_world_add_group(HieraWorld *world, const guint32 *ranks, guint n)
{
    HieraGroupOfRanks *group = g_new0(HieraGroupOfRanks, 1);
    group->ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_array_append_vals(group->ranks, ranks, n);
    g_ptr_array_add(world->groups, group);
    return world->groups->len - 1;
}

guint hiera_group_member(const HieraGroupOfRanks *group, guint32 rank)
{
    for (guint i = 0; i < group->ranks->len; i++)
        if (g_array_index(group->ranks, guint32, i) == rank)
            return i;
    return HIERA_NO_VERTEX;
}
