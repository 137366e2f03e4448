/* Reads arguments of MPI calls and writes their results, for Open MPI and MPICH, in C and Fortran. See world.h. */
#include "handlers.h"
#include <string.h>

enum { MPICH_NO_REQUEST = 0x2c000000 };
/* Greatest number of bytes of a text argument, such as a name, whose length is not known. */
enum { MOST_TEXT = 256 };

HieraKnownMemory *hiera_world_memory(const HieraWorld *world, guint32 rank)
{
    return world->processes[rank]->state.memory;
}

guint hiera_mpi_handle_width(const HieraWorld *world, const HieraCurrentCall *call)
{
    return world->is_openmpi && !call->fortran ? 8 : 4;
}

/* @return index of the call's parameter with this name; -1: it has none */
static gint find_place(const HieraCurrentCall *call, HieraMpiName name)
{
    for (guint i = 0; name != HIERA_P_NONE && i < call->function->n_parameters; i++)
        if (call->function->parameters[i].name == name)
            return (gint)i;
    return -1;
}

gboolean hiera_mpi_has(const HieraCurrentCall *call, HieraMpiName name)
{
    return find_place(call, name) >= 0;
}

/* Return the width in bytes of a parameter, or of an array's elements. In C, MPI_File is a pointer with MPICH, too. */
static guint width_of(const HieraWorld *world, const HieraCurrentCall *call, const HieraMpiParameter *parameter)
{
    switch ((HieraMpiWidth)parameter->width) {
    case HIERA_WIDTH_INTEGER:
        return 4;
    case HIERA_WIDTH_HANDLE:
        return !call->fortran && strcmp(parameter->class, "file") == 0 ? 8 : hiera_mpi_handle_width(world, call);
    default:
        return 8;
    }
}

/* Address of the data of an array with a gfortran descriptor: MPICH's module mpi_f08 passes buffers so. Unknown for
 * arrays with holes. */
static HieraKnown data_of_descriptor(HieraKnownMemory *memory, HieraKnown descriptor)
{
    enum { RANK = 28, DIMENSIONS = 40, SIZE_OF_DIMENSION = 24, LOWER = 8, UPPER = 16 };
    guint64 base = 0, n_dimensions = 0, step = 0, lower = 0, upper = 0, dense = 1;
    gboolean known = descriptor.known && hiera_known_memory_read(memory, descriptor.bits, 8, &base) &&
                     hiera_known_memory_read(memory, descriptor.bits + RANK, 1, &n_dimensions);
    for (guint64 i = 0; known && i < n_dimensions; i++) {
        guint64 at = descriptor.bits + DIMENSIONS + i * SIZE_OF_DIMENSION;
        known = hiera_known_memory_read(memory, at, 8, &step) &&
                hiera_known_memory_read(memory, at + LOWER, 8, &lower) &&
                hiera_known_memory_read(memory, at + UPPER, 8, &upper) && (step == dense || upper == lower);
        dense *= upper - lower + 1;
    }
    return (HieraKnown){known, base};
}

/* Return the argument of a parameter by its index. MPI_INIT and MPI_INIT_THREAD of Fortran lack argc and argv. */
static HieraKnown argument_at(HieraWorld *world, guint32 rank, guint place)
{
    const HieraCurrentCall *call = &world->calls[rank];
    guint missing = call->fortran && call->function->parameters[0].name == HIERA_P_ARGC ? 2 : 0;
    if (place < missing)
        return (HieraKnown){FALSE, 0};
    HieraKnown argument = hiera_process_argument(world->processes[rank], place - missing);
    gboolean described = call->function->parameters[place].width == HIERA_WIDTH_BUFFER && strstr(call->name, "_f08ts");
    return described ? data_of_descriptor(hiera_world_memory(world, rank), argument) : argument;
}

HieraKnown hiera_mpi_pointer(HieraWorld *world, guint32 rank, HieraMpiName name)
{
    gint place = find_place(&world->calls[rank], name);
    return place < 0 ? (HieraKnown){FALSE, 0} : argument_at(world, rank, (guint)place);
}

/* Cut a number to its width in bytes; integers are extended with their sign, handles with zeros. */
static guint64 trim(guint64 bits, guint width, gboolean is_handle)
{
    if (width == 8)
        return bits;
    return is_handle ? bits & 0xffffffff : (guint64)(gint64)(gint32)bits;
}

static HieraKnown read_value(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean is_handle)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gint place = find_place(call, name);
    HieraKnown value = hiera_mpi_pointer(world, rank, name);
    if (place < 0)
        return value;
    const HieraMpiParameter *parameter = &call->function->parameters[place];
    guint width = width_of(world, call, parameter);
    if (value.known && (call->fortran || parameter->direction != HIERA_DIRECTION_VALUE))
        value.known = hiera_known_memory_read(hiera_world_memory(world, rank), value.bits, width, &value.bits);
    value.bits = trim(value.bits, width, is_handle);
    return value;
}

HieraKnown hiera_mpi_integer(HieraWorld *world, guint32 rank, HieraMpiName name)
{
    return read_value(world, rank, name, FALSE);
}

HieraKnown hiera_mpi_handle(HieraWorld *world, guint32 rank, HieraMpiName name)
{
    return read_value(world, rank, name, TRUE);
}

HieraKnown hiera_mpi_element(HieraWorld *world, guint32 rank, HieraMpiName name, guint64 i)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gint place = find_place(call, name);
    HieraKnown value = hiera_mpi_pointer(world, rank, name);
    if (place < 0)
        return value;
    HieraMpiWidth kind = call->function->parameters[place].width;
    guint width = width_of(world, call, &call->function->parameters[place]);
    value.known = value.known &&
                  hiera_known_memory_read(hiera_world_memory(world, rank), value.bits + i * width, width, &value.bits);
    value.bits = trim(value.bits, width, kind == HIERA_WIDTH_HANDLE);
    return value;
}

char *hiera_mpi_text(HieraWorld *world, guint32 rank, HieraMpiName name)
{
    HieraKnown at = hiera_mpi_pointer(world, rank, name);
    char text[MOST_TEXT];
    guint64 byte = 1;
    guint n = 0;
    while (at.known && byte != 0 && n < sizeof text) {
        if (!hiera_known_memory_read(hiera_world_memory(world, rank), at.bits + n, 1, &byte))
            return NULL;
        text[n++] = (char)byte;
    }
    return byte == 0 ? g_strdup(text) : NULL;
}

void hiera_mpi_write_element(HieraWorld *world, guint32 rank, HieraMpiName name, guint64 i, gboolean known,
                             guint64 bits)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gint place = find_place(call, name);
    HieraKnown to = hiera_mpi_pointer(world, rank, name);
    if (!to.known || to.bits == 0)
        return;
    guint width = width_of(world, call, &call->function->parameters[place]);
    hiera_known_memory_write(hiera_world_memory(world, rank), to.bits + i * width, width, known, bits);
}

void hiera_mpi_write(HieraWorld *world, guint32 rank, HieraMpiName name, gboolean known, guint64 bits)
{
    hiera_mpi_write_element(world, rank, name, 0, known, bits);
}

guint64 hiera_mpi_count_elements(HieraWorld *world, guint32 rank, const HieraMpiParameter *parameter)
{
    const HieraCurrentCall *call = &world->calls[rank];
    const HieraGroupOfRanks *own = hiera_world_group(world, call->group);
    guint member = hiera_group_member(own, rank);
    HieraKnown n = {TRUE, own->ranks->len};
    if (parameter->n_elements == 0)
        return 1;
    if (parameter->span == HIERA_SPAN_MEMBERS && own->is_inter)
        n.bits = hiera_world_group(world, own->remote)->ranks->len;
    if ((parameter->span == HIERA_SPAN_SOURCES || parameter->span == HIERA_SPAN_DESTINATIONS) &&
        member != HIERA_NO_VERTEX) {
        g_autoptr(GArray) members = hiera_mpi_neighbours(own, member, parameter->span == HIERA_SPAN_DESTINATIONS);
        return members->len;
    }
    if (parameter->length != HIERA_P_NONE && parameter->length != HIERA_P_OUTCOUNT)
        n = hiera_mpi_integer(world, rank, parameter->length);
    else if (hiera_mpi_has(call, HIERA_P_INCOUNT))
        n = hiera_mpi_integer(world, rank, HIERA_P_INCOUNT);
    return n.known && (gint64)n.bits >= 0 ? MIN(n.bits, 1 << 20) * parameter->n_elements : 0;
}

void hiera_mpi_forget_results(HieraWorld *world, guint32 rank, gboolean all)
{
    const HieraCurrentCall *call = &world->calls[rank];
    for (guint i = 0; i < call->function->n_parameters; i++) {
        const HieraMpiParameter *parameter = &call->function->parameters[i];
        HieraKnown at = argument_at(world, rank, i);
        guint64 n = 0;
        gboolean is_data = parameter->width == HIERA_WIDTH_BUFFER && !all,
                 changes = all && parameter->direction == HIERA_DIRECTION_INOUT &&
                           parameter->width != HIERA_WIDTH_HANDLE; /* MPI_Type_commit does not change its handle */
        if (!at.known || at.bits < 4096 || is_data || (parameter->direction != HIERA_DIRECTION_OUT && !changes))
            continue;
        if (parameter->width == HIERA_WIDTH_TEXT)
            n = MOST_TEXT;
        else
            n = hiera_mpi_count_elements(world, rank, parameter) * (parameter->width == HIERA_WIDTH_STATUS
                                                                        ? hiera_mpi_status_width(world)
                                                                        : width_of(world, call, parameter));
        hiera_known_memory_forget(hiera_world_memory(world, rank), at.bits, n);
    }
}

gint32 hiera_mpi_any_source(const HieraWorld *world)
{
    return world->is_openmpi ? -1 : -2;
}

gint32 hiera_mpi_no_process(const HieraWorld *world)
{
    return world->is_openmpi ? -2 : -1;
}

guint hiera_mpi_status_width(const HieraWorld *world)
{
    return world->is_openmpi ? 24 : 20;
}

/* Whether an address is that of the variable `name`, in a file of the program or in the MPI library. */
static gboolean is_variable(HieraWorld *world, guint32 rank, guint64 address, const char *name)
{
    const GPtrArray *objects = world->execution->modules.program->objects;
    for (guint i = 0; i < objects->len; i++) {
        const HieraSymbol *found = hiera_object_variable(objects->pdata[i], address);
        if (found && found->address == address && strcmp(found->name, name) == 0)
            return TRUE;
    }
    return address == hiera_known_memory_address_of(hiera_world_memory(world, rank), name);
}

/* Whether an address is MPI_IN_PLACE, which is a variable in Fortran. */
static gboolean is_in_place_in_fortran(HieraWorld *world, guint32 rank, guint64 address)
{
    enum { BEHIND_BOTTOM = 4 }; /* offset of MPI_IN_PLACE behind MPI_BOTTOM in MPICH's COMMON block MPIPRIV1 */
    return is_variable(world, rank, address, "mpi_fortran_in_place_") ||
           is_variable(world, rank, address - BEHIND_BOTTOM, "mpipriv1_") ||
           is_variable(world, rank, address, "MPIR_F08_MPI_IN_PLACE");
}

gboolean hiera_mpi_is_in_place(HieraWorld *world, guint32 rank, HieraKnown address)
{
    if (!address.known)
        return FALSE;
    return world->calls[rank].fortran ? is_in_place_in_fortran(world, rank, address.bits)
                                      : address.bits == (world->is_openmpi ? 1 : G_MAXUINT64);
}

static guint64 nothing(HieraWorld *world, guint32 rank, const char *name)
{
    if (!world->is_openmpi)
        return MPICH_NO_REQUEST;
    return world->calls[rank].fortran ? 0 : hiera_known_memory_address_of(hiera_world_memory(world, rank), name);
}

guint64 hiera_mpi_no_request(HieraWorld *world, guint32 rank)
{
    return nothing(world, rank, "ompi_request_null");
}

guint64 hiera_mpi_no_message(HieraWorld *world, guint32 rank)
{
    return nothing(world, rank, "ompi_message_null");
}
