/* Collectives, with what their members give and get. See world.h. */
#include "world.h"
#include <stdlib.h>
#include <string.h>

void hiera_gathering_free(gpointer freed)
{
    HieraGathering *gathering = freed;
    for (guint i = 0; i < gathering->n; i++)
        hiera_bytes_free(gathering->given[i]);
    g_free(gathering->given);
    g_free(gathering->color);
    g_free(gathering->key);
    g_free(gathering->new_group);
    g_free(gathering);
}

static guint64 key_of(const HieraMpiCall *call)
{
    return (guint64)call->group << 32 | (call->turn & 0xffffffff);
}

static gboolean is_in_place(guint64 buffer)
{
    return buffer == 1 || buffer == G_MAXUINT64;
}

/* How many bytes a member gives. */
static guint64 given_bytes(const HieraMpiCall *call, gboolean is_root, guint n)
{
    guint64 bytes = (guint64)MAX(call->bytes, 0);
    switch (call->function->detail) {
    case HIERA_SIM_BROADCAST:
        return is_root ? bytes : 0;
    case HIERA_SIM_SCATTER:
        return is_root ? bytes * n : 0;
    default:
        return bytes;
    }
}

void hiera_gathering_enter(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    HieraGroupOfRanks *group = hiera_world_group(world, call->group);
    guint member = hiera_group_member(group, rank), n = group->ranks->len;
    while (call->turns->len <= call->group)
        g_array_append_val(call->turns, (guint64){0});
    call->turn = g_array_index(call->turns, guint64, call->group)++;
    guint64 key = key_of(call);
    HieraGathering *gathering = g_hash_table_lookup(world->gatherings, &key);
    if (!gathering) {
        gathering = g_new0(HieraGathering, 1);
        gathering->n = n;
        gathering->given = g_new0(HieraKnownBytes *, n);
        gathering->color = g_new0(gint64, n);
        gathering->key = g_new0(gint64, n);
        g_hash_table_insert(world->gatherings, g_memdup2(&key, sizeof key), gathering);
    }
    call->gathering = gathering;
    if (call->function->kind == HIERA_MPI_SPLIT) {
        HieraKnown color = hiera_mpi_integer(world, rank, call->function->count),
                   order = hiera_mpi_integer(world, rank, call->function->tag);
        if (!color.known && call->function->count >= 0)
            hiera_world_note(world, "%s: its color is not known; 0 is assumed", call->name);
        gathering->color[member] = color.known ? (gint64)color.bits : 0;
        gathering->key[member] = order.known ? (gint64)order.bits : 0;
        return;
    }
    if (call->function->kind != HIERA_MPI_COLLECTIVE)
        return;
    HieraKnown from = hiera_mpi_pointer(world, rank, call->function->buffer),
               to = hiera_mpi_pointer(world, rank, call->function->to);
    guint64 bytes = given_bytes(call, member == call->root, n);
    if (from.known && is_in_place(from.bits))
        from = to;
    if (from.known)
        gathering->given[member] = hiera_memory_copy(world->processes[rank]->state.memory, from.bits, bytes);
}

/* --- reductions --- */

typedef enum { NO_OPERATION, SUM, PRODUCT, MAXIMUM, MINIMUM } Operation;

static Operation operation_of(HieraWorld *world, guint32 rank)
{
    static const struct {
        const char *name; /* Open MPI's */
        guint32 number;   /* MPICH's */
        guint32 fortran;  /* Open MPI's in Fortran */
        Operation operation;
    } all[] = {{"ompi_mpi_op_sum", 0x58000003, 3, SUM},
               {"ompi_mpi_op_prod", 0x58000004, 4, PRODUCT},
               {"ompi_mpi_op_max", 0x58000001, 1, MAXIMUM},
               {"ompi_mpi_op_min", 0x58000002, 2, MINIMUM}};
    HieraKnown handle = hiera_mpi_handle(world, rank, world->calls[rank].function->tag);
    const char *name = handle.known ? hiera_memory_name_at(world->processes[rank]->state.memory, handle.bits) : NULL;
    for (guint i = 0; handle.known && i < G_N_ELEMENTS(all); i++)
        if (handle.bits == (world->is_openmpi ? all[i].fortran : all[i].number) ||
            (name && strcmp(name, all[i].name) == 0))
            return all[i].operation;
    return NO_OPERATION;
}

/* Whether a type is a float; its size is known otherwise. @return FALSE if it is neither float nor integer */
static gboolean is_number(HieraWorld *world, guint64 handle, gboolean *is_float)
{
    const char *name = hiera_memory_name_at(world->processes[0]->state.memory, handle);
    static const guint32 mpich_floats[] = {0x4c00040a, 0x4c00080b, 0x4c00041c, 0x4c00081f},
                         mpich_integers[] = {0x4c000405, 0x4c000406, 0x4c000807, 0x4c000808,
                                             0x4c000809, 0x4c000819, 0x4c00041b};
    *is_float =
        name && (strstr(name, "double") || strstr(name, "float") || strstr(name, "dblprec") || strstr(name, "real"));
    if (name)
        return *is_float || strstr(name, "int") || strstr(name, "long") || strstr(name, "unsigned");
    if (world->is_openmpi) { /* in Fortran: MPI_INTEGER to MPI_INTEGER16, MPI_REAL to MPI_DOUBLE_PRECISION */
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

static gdouble combine(Operation operation, gdouble a, gdouble b)
{
    return operation == SUM ? a + b : operation == PRODUCT ? a * b : operation == MAXIMUM ? MAX(a, b) : MIN(a, b);
}

/* Elements are calculated as doubles: integers above 2^53 are not known afterwards. */
static gboolean read_number(const guint8 *bytes, gsize size, gboolean is_float, gdouble *number)
{
    gint32 small;
    gint64 large;
    gfloat half;
    if (is_float && size == 8)
        memcpy(number, bytes, 8);
    else if (is_float && size == 4) {
        memcpy(&half, bytes, 4);
        *number = (gdouble)half;
    } else if (size == 4) {
        memcpy(&small, bytes, 4);
        *number = small;
    } else {
        memcpy(&large, bytes, MIN(size, 8));
        *number = (gdouble)large;
        return size == 8 && large < (gint64)1 << 53 && large > -((gint64)1 << 53);
    }
    return TRUE;
}

static void write_number(guint8 *bytes, gsize size, gboolean is_float, gdouble number)
{
    gint64 integer = (gint64)CLAMP(number, -9e18, 9e18);
    gfloat half = (gfloat)number;
    memcpy(bytes, !is_float ? (const void *)&integer : size == 4 ? (const void *)&half : (const void *)&number, size);
}

/* What the members up to one of them give together; NULL if not all is known. */
static HieraKnownBytes *reduce(HieraWorld *world, guint32 rank, guint n)
{
    const HieraMpiCall *call = &world->calls[rank];
    Operation operation = operation_of(world, rank);
    gboolean is_float = FALSE,
             good = operation != NO_OPERATION && call->bytes > 0 && is_number(world, call->type, &is_float);
    gsize size = (gsize)MAX(hiera_mpi_type_size(world, call->type), 0);
    for (guint i = 0; i < n; i++)
        good &= call->gathering->given[i] != NULL;
    if (!good || (size != 4 && size != 8))
        return NULL;
    HieraKnownBytes *sum = g_new0(HieraKnownBytes, 1);
    sum->n = (guint64)call->bytes;
    sum->bytes = g_memdup2(call->gathering->given[0]->bytes, sum->n);
    sum->known = g_memdup2(call->gathering->given[0]->known, sum->n);
    for (guint i = 1; i < n; i++) {
        const HieraKnownBytes *given = call->gathering->given[i];
        for (gsize at = 0; at + size <= MIN(sum->n, given->n); at += size) {
            gdouble a, b;
            gboolean known = !memchr(sum->known + at, 0, size) && !memchr(given->known + at, 0, size) &&
                             read_number(sum->bytes + at, size, is_float, &a) &&
                             read_number(given->bytes + at, size, is_float, &b);
            memset(sum->known + at, known, size);
            if (known)
                write_number(sum->bytes + at, size, is_float, combine(operation, a, b));
        }
    }
    return sum;
}

/* --- leaving --- */

static int compare_members(gconstpointer a, gconstpointer b, gpointer data)
{
    const HieraGathering *gathering = data;
    guint x = *(const guint *)a, y = *(const guint *)b;
    if (gathering->key[x] != gathering->key[y])
        return gathering->key[x] < gathering->key[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* All have entered a split. Duplicates and grids are splits with one color. */
static void make_groups(HieraWorld *world, const HieraMpiCall *call)
{
    HieraGathering *gathering = call->gathering;
    gathering->new_group = g_new(guint, gathering->n);
    for (guint i = 0; i < gathering->n; i++)
        gathering->new_group[i] = HIERA_NO_VERTEX;
    for (guint i = 0; i < gathering->n; i++) {
        g_autoptr(GArray) members = g_array_new(FALSE, FALSE, sizeof(guint));
        g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
        if (gathering->new_group[i] != HIERA_NO_VERTEX || gathering->color[i] < 0)
            continue;
        for (guint k = i; k < gathering->n; k++)
            if (gathering->color[k] == gathering->color[i])
                g_array_append_val(members, k);
        g_array_sort_with_data(members, compare_members, gathering);
        for (guint k = 0; k < members->len; k++) {
            const HieraGroupOfRanks *group = hiera_world_group(world, call->group);
            g_array_append_val(ranks, g_array_index(group->ranks, guint32, g_array_index(members, guint, k)));
        }
        guint made = hiera_world_add_group(world, (const guint32 *)ranks->data, ranks->len);
        for (guint k = 0; k < members->len; k++)
            gathering->new_group[g_array_index(members, guint, k)] = made;
    }
}

static void paste(HieraWorld *world, guint32 rank, guint64 offset, guint64 n, const HieraKnownBytes *bytes)
{
    HieraKnown to = hiera_mpi_pointer(world, rank, world->calls[rank].function->to);
    if (to.known)
        hiera_memory_paste(world->processes[rank]->state.memory, to.bits + offset, n, bytes);
}

static void take_slice(HieraWorld *world, guint32 rank, guint member)
{
    const HieraMpiCall *call = &world->calls[rank];
    const HieraKnownBytes *all = call->gathering->given[call->root];
    guint64 n = (guint64)MAX(call->bytes, 0);
    HieraKnownBytes slice = {.n = n};
    if (all && all->n >= n * (member + 1)) {
        slice.bytes = all->bytes + n * member;
        slice.known = all->known + n * member;
    }
    paste(world, rank, 0, n, slice.bytes ? &slice : NULL);
}

static void take(HieraWorld *world, guint32 rank, guint member)
{
    const HieraMpiCall *call = &world->calls[rank];
    const HieraGathering *gathering = call->gathering;
    guint64 n = (guint64)MAX(call->bytes, 0);
    HieraKnownBytes *sum;
    switch ((HieraSimCollective)call->function->detail) {
    case HIERA_SIM_BARRIER:
        break;
    case HIERA_SIM_BROADCAST:
        if (member != call->root)
            paste(world, rank, 0, n, gathering->given[call->root]);
        break;
    case HIERA_SIM_SCATTER:
        take_slice(world, rank, member);
        break;
    case HIERA_SIM_GATHER:
    case HIERA_SIM_ALLGATHER:
        for (guint i = 0; i < gathering->n && (call->function->detail == HIERA_SIM_ALLGATHER || member == call->root);
             i++)
            paste(world, rank, n * i, n, gathering->given[i]);
        break;
    case HIERA_SIM_REDUCE:
        if (member != call->root)
            break;
        sum = reduce(world, rank, gathering->n);
        paste(world, rank, 0, n, sum);
        hiera_bytes_free(sum);
        break;
    case HIERA_SIM_ALLREDUCE:
    case HIERA_SIM_SCAN:
        sum = reduce(world, rank, call->function->detail == HIERA_SIM_SCAN ? member + 1 : gathering->n);
        paste(world, rank, 0, n, sum);
        hiera_bytes_free(sum);
        break;
    default:
        paste(world, rank, 0, n * gathering->n, NULL);
        break;
    }
}

void hiera_gathering_leave(HieraWorld *world, guint32 rank)
{
    HieraMpiCall *call = &world->calls[rank];
    HieraGathering *gathering = call->gathering;
    guint member = hiera_group_member(hiera_world_group(world, call->group), rank);
    guint64 key = key_of(call);
    if (call->function->kind != HIERA_MPI_COLLECTIVE && call->function->kind != HIERA_MPI_FINALIZE) {
        if (!gathering->new_group)
            make_groups(world, call);
        call->made = gathering->new_group[member];
        hiera_mpi_write(world, rank, call->function->to, hiera_mpi_handle_width(world, call), TRUE,
                        call->made == HIERA_NO_VERTEX ? 0 : hiera_mpi_group_handle(call->made));
    } else {
        take(world, rank, member);
    }
    call->gathering = NULL;
    if (++gathering->n_left == gathering->n)
        g_hash_table_remove(world->gatherings, &key);
}
