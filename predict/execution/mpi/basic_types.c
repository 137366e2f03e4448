/* Sizes of predefined MPI types, for Open MPI and MPICH. See handlers.h. */
#include "handlers.h"
#include <string.h>

enum { MPICH_TYPE = 0x4c };

/* By name of Open MPI's variable for a type, without `ompi_mpi_`: size of the type in bytes. */
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

/* By number - 1 of Open MPI's Fortran type (mpif-constants.h): its size in bytes; -1: it has none. */
static const gint64 fortran_types[] = {1, 1, -1, -1, 1, 4, 4, 1, 2, 4, 8, 16, 4, 4, 8, 16, 8, 8, 8, 16, 32, 16};

/* MPICH's types of a number and an index, as for MPI_MINLOC: size in bytes. */
static const struct {
    guint32 handle;
    gint64 size;
} mpich_pairs[] = {{0x8c000000, 8}, {0x8c000001, 12}, {0x8c000002, 12}, {0x8c000003, 6}, {0x8c000004, 20}};

gint64 hiera_mpi_basic_size(HieraWorld *world, guint32 rank, guint64 handle)
{
    const char *name = hiera_known_memory_name_at(hiera_world_memory(world, rank), handle);
    if (!world->is_openmpi) {
        for (guint i = 0; i < G_N_ELEMENTS(mpich_pairs); i++)
            if (mpich_pairs[i].handle == handle)
                return mpich_pairs[i].size;
        return handle >> 24 == MPICH_TYPE && (handle >> 8 & 0xff) != 0 ? (gint64)(handle >> 8 & 0xff) : -1;
    }
    if (!name)
        return handle > 0 && handle <= G_N_ELEMENTS(fortran_types) ? fortran_types[handle - 1] : -1;
    for (guint i = 0; g_str_has_prefix(name, "ompi_mpi_") && i < G_N_ELEMENTS(types); i++)
        if (strcmp(name + strlen("ompi_mpi_"), types[i].name) == 0)
            return types[i].size;
    return -1;
}

/* Return the size of gfortran's real kind with this precision. @param digits, exponent  decimal; -1: any */
static gint64 real_size(gint64 digits, gint64 exponent)
{
    if (digits <= 6 && exponent <= 37)
        return 4;
    if (digits <= 15 && exponent <= 307)
        return 8;
    if (digits <= 33 && exponent <= 4931)
        return 16;
    return -1;
}

static gint64 integer_size(gint64 digits)
{
    if (digits <= 2)
        return 1;
    if (digits <= 4)
        return 2;
    if (digits <= 9)
        return 4;
    if (digits <= 18)
        return 8;
    return -1;
}

gint64 hiera_mpi_size_asked_for(HieraWorld *world, guint32 rank)
{
    const char *name = world->calls[rank].function->name;
    HieraKnown size = hiera_mpi_integer(world, rank, HIERA_P_SIZE), digits = hiera_mpi_integer(world, rank, HIERA_P_P),
               range = hiera_mpi_integer(world, rank, HIERA_P_R);
    gint64 r = (gint32)range.bits, real = digits.known && range.known ? real_size((gint32)digits.bits, r) : -1;
    if (strcmp(name, "type_match_size") == 0)
        return size.known && size.bits <= HIERA_MPI_LARGEST_NAMED ? (gint64)size.bits : -1;
    if (strcmp(name, "type_create_f90_integer") == 0)
        return range.known ? integer_size(r) : -1;
    return real >= 0 && strcmp(name, "type_create_f90_complex") == 0 ? 2 * real : real;
}
