/* Reductions of data whose values are known. See world.h. */
#include "handlers.h"
#include <math.h>
#include <string.h>

typedef enum {
    NO_OPERATION,
    SUM,
    PRODUCT,
    MAXIMUM,
    MINIMUM,
    LOGICAL_AND,
    LOGICAL_OR,
    LOGICAL_XOR,
    BITS_AND,
    BITS_OR,
    BITS_XOR,
    REPLACE,
    NOTHING
} Operation;

static Operation operation_of(HieraWorld *world, guint32 rank, guint64 handle)
{
    static const struct {
        const char *name;
        Operation operation;
    } all[] = {{"MPI_MAX", MAXIMUM},      {"MPI_MIN", MINIMUM},   {"MPI_SUM", SUM},         {"MPI_PROD", PRODUCT},
               {"MPI_LAND", LOGICAL_AND}, {"MPI_BAND", BITS_AND}, {"MPI_LOR", LOGICAL_OR},  {"MPI_BOR", BITS_OR},
               {"MPI_LXOR", LOGICAL_XOR}, {"MPI_BXOR", BITS_XOR}, {"MPI_REPLACE", REPLACE}, {"MPI_NO_OP", NOTHING}};
    g_autofree char *name = hiera_mpi_predefined_name(world, rank, "op", handle);
    for (guint i = 0; name && i < G_N_ELEMENTS(all); i++)
        if (strcmp(name, all[i].name) == 0)
            return all[i].operation;
    return NO_OPERATION;
}

/* Whether a type is one number, integer or float, so that it can be reduced. @param is_float  receives which */
static gboolean is_number(HieraWorld *world, guint32 rank, guint64 handle, gboolean *is_float)
{
    const char *name = hiera_known_memory_name_at(hiera_world_memory(world, rank), handle);
    static const guint32 mpich_floats[] = {0x4c00040a, 0x4c00080b, 0x4c00041c, 0x4c00081f},
                         mpich_integers[] = {0x4c000405, 0x4c000406, 0x4c000807, 0x4c000808,
                                             0x4c000809, 0x4c000819, 0x4c00041b};
    *is_float =
        name && (strstr(name, "double") || strstr(name, "float") || strstr(name, "dblprec") || strstr(name, "real"));
    if (name)
        return *is_float || strstr(name, "int") || strstr(name, "long") || strstr(name, "unsigned");
    if (world->is_openmpi) { /* numbers of Open MPI's Fortran types: 7 to 12 are integers, 13 to 17 reals */
        *is_float = handle >= 13 && handle <= 17;
        return *is_float || (handle >= 7 && handle <= 12);
    }
    for (guint i = 0; i < G_N_ELEMENTS(mpich_floats); i++)
        if (handle == mpich_floats[i])
            return *is_float = TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(mpich_integers); i++)
        if (handle == mpich_integers[i])
            return TRUE;
    return FALSE;
}

static gdouble combine_floats(Operation operation, gdouble a, gdouble b)
{
    if (operation == SUM)
        return a + b;
    if (operation == PRODUCT)
        return a * b;
    if (operation == MAXIMUM)
        return MAX(a, b);
    return MIN(a, b);
}

/* Combine two integers. Sums and products wrap around on overflow, as in the machine. */
static gint64 combine_integers(Operation operation, gint64 a, gint64 b)
{
    switch (operation) {
    case SUM:
        return (gint64)((guint64)a + (guint64)b);
    case PRODUCT:
        return (gint64)((guint64)a * (guint64)b);
    case MAXIMUM:
        return MAX(a, b);
    case MINIMUM:
        return MIN(a, b);
    case LOGICAL_AND:
        return a && b;
    case LOGICAL_OR:
        return a || b;
    case LOGICAL_XOR:
        return !a != !b;
    case BITS_AND:
        return a & b;
    case BITS_OR:
        return a | b;
    default:
        return a ^ b;
    }
}

/* Combine an element of `size` bytes with another one: *to = operation(*to, *from). */
static void combine(Operation operation, guint8 *to, const guint8 *from, gsize size, gboolean is_float)
{
    gdouble a, b;
    gfloat half, other;
    gint32 small, second;
    gint64 large, big;
    if (is_float && size == 8) {
        memcpy(&a, to, 8);
        memcpy(&b, from, 8);
        a = combine_floats(operation, a, b);
        memcpy(to, &a, 8);
    } else if (is_float) {
        memcpy(&half, to, 4);
        memcpy(&other, from, 4);
        half = (gfloat)combine_floats(operation, (gdouble)half, (gdouble)other);
        memcpy(to, &half, 4);
    } else if (size == 4) {
        memcpy(&small, to, 4);
        memcpy(&second, from, 4);
        small = (gint32)combine_integers(operation, small, second);
        memcpy(to, &small, 4);
    } else {
        memcpy(&large, to, 8);
        memcpy(&big, from, 8);
        large = combine_integers(operation, large, big);
        memcpy(to, &large, 8);
    }
}

gboolean hiera_mpi_combine(HieraWorld *world, guint32 rank, HieraKnownBytes *to, const HieraKnownBytes *from,
                           guint64 type, guint64 handle)
{
    const HieraMpiType *of = hiera_mpi_type(world, rank, type);
    Operation operation = operation_of(world, rank, handle);
    gboolean is_float = FALSE, plain = operation == REPLACE || operation == NOTHING;
    gsize size = of ? (gsize)of->size : 0;
    if (plain)
        size = 1;
    else if (operation == NO_OPERATION || !is_number(world, rank, type, &is_float) || (size != 4 && size != 8) ||
             (is_float && operation >= LOGICAL_AND))
        return FALSE;
    for (gsize at = 0; at + size <= MIN(to->n, from->n); at += size) {
        gboolean known = !memchr(to->known + at, 0, size) && !memchr(from->known + at, 0, size);
        if (operation == REPLACE) {
            to->bytes[at] = from->bytes[at];
            to->known[at] = from->known[at];
        } else if (!plain) {
            memset(to->known + at, known, size);
            if (known)
                combine(operation, to->bytes + at, from->bytes + at, size, is_float);
        }
    }
    return TRUE;
}
