/* MPI types: which bytes they describe, copies of data by type, and calls that make types. See world.h. */
#include "handlers.h"
#include <string.h>

/* Range of the handles of types that the program makes: neither MPI library uses it. */
enum { NEW_TYPE = 0x70000000, NEW_GROUP = 0x71000000 };
/* Greatest number of blocks of a type; a type with more of them is treated as unknown. */
enum { MOST_BLOCKS = 1 << 16 };
#define MOST_BYTES ((guint64)16 << 20)
/* Limits of displacements and sizes, and of counts; larger ones are treated as unknown, since sums could overflow. */
#define MOST_PLACE ((gint64)1 << 60)
#define MOST_COUNT ((gint64)1 << 40)

/* --- finding the type of a handle --- */

void hiera_mpi_type_free(gpointer freed)
{
    HieraMpiType *type = freed;
    if (type->blocks)
        g_array_unref(type->blocks);
    g_free(type);
}

/* Alignment of a predefined type of some size: for a structure of a number and an int, that of the number; for complex
 * numbers, that of their parts, which is also that of `long double`. */
static gint64 alignment_of(gint64 size)
{
    if (size == 12)
        return 8;
    if (size == 6)
        return 4;
    if (size == 20)
        return 16;
    if (size == 1 || size == 2 || size == 4 || size == 8)
        return size;
    if (size >= 16)
        return 8;
    return 1;
}

static HieraMpiType *new_type(gint64 size, gint64 low, gint64 extent)
{
    HieraMpiType *type = g_new0(HieraMpiType, 1);
    *type = (HieraMpiType){size, low, extent, alignment_of(size), g_array_new(FALSE, FALSE, sizeof(HieraTypeBlock))};
    return type;
}

/* Whether a handle is in the range of types that the program has made. */
static gboolean is_made(const HieraWorld *world, guint64 handle)
{
    return handle >= NEW_TYPE && handle < NEW_GROUP && handle - NEW_TYPE < world->types->len;
}

const HieraMpiType *hiera_mpi_type(HieraWorld *world, guint32 rank, guint64 handle)
{
    if (is_made(world, handle))
        return world->types->pdata[handle - NEW_TYPE];
    gint64 size = hiera_mpi_basic_size(world, rank, handle);
    if (size < 0)
        return NULL;
    /* A pair of a number and an int has padding at its end, so that its extent is larger than its size. */
    gint64 extent = size == 12 ? 16 : size == 6 ? 8 : size == 20 ? 32 : size;
    HieraMpiType *type = g_hash_table_lookup(world->predefined, &size);
    if (!type) {
        const HieraTypeBlock block = {0, size};
        type = new_type(size, 0, extent);
        g_array_append_val(type->blocks, block);
        g_hash_table_insert(world->predefined, g_memdup2(&size, sizeof size), type);
    }
    return type;
}

/* --- copying data by type --- */

HieraMpiData hiera_mpi_data_of(const HieraWorld *world, HieraKnown address, HieraKnown count, const HieraMpiType *type)
{
    gboolean known = count.known && (gint64)count.bits >= 0 && (gint64)count.bits < MOST_COUNT &&
                     (!type || type->size == 0 || (gint64)count.bits <= MOST_PLACE / type->size);
    return (HieraMpiData){.address = address,
                          .count = known ? count.bits : 1,
                          .type = known ? type : NULL,
                          .bytes = known && type ? (gint64)count.bits * type->size : world->options->message_bytes};
}

HieraMpiData hiera_mpi_data(HieraWorld *world, guint32 rank, HieraMpiName buffer, HieraMpiName count, HieraMpiName type)
{
    HieraKnown handle = hiera_mpi_handle(world, rank, type);
    HieraKnown n = count == HIERA_P_NONE ? (HieraKnown){TRUE, 1} : hiera_mpi_integer(world, rank, count);
    if (!n.known || !handle.known)
        hiera_world_note(world, HIERA_NOTE_ASSUMED, "%s: its size is not known; --message is assumed",
                         world->calls[rank].name);
    return hiera_mpi_data_of(world, hiera_mpi_pointer(world, rank, buffer), n,
                             handle.known ? hiera_mpi_type(world, rank, handle.bits) : NULL);
}

void hiera_mpi_multiply(const HieraWorld *world, HieraMpiData *data, HieraKnown factor)
{
    HieraKnown count = {factor.known && factor.bits < (guint64)1 << 20 && data->count < (guint64)1 << 40,
                        data->count * factor.bits};
    *data = hiera_mpi_data_of(world, data->address, count, data->type);
}

/* Whether elements of a type, one after another, have no holes between them. */
static gboolean is_dense(const HieraMpiType *type)
{
    const HieraTypeBlock *only = type->blocks && type->blocks->len == 1 ? (HieraTypeBlock *)type->blocks->data : NULL;
    return only && only->at == 0 && only->n == type->extent;
}

/* Whether address and layout of data are known, and they are not too large to be copied. */
static gboolean is_known(const HieraMpiData *data)
{
    return data->address.known && data->address.bits != 0 && data->type && data->type->blocks && data->bytes >= 0 &&
           (guint64)data->bytes <= MOST_BYTES && data->count * MAX(data->type->blocks->len, 1) <= MOST_BYTES;
}

HieraKnownBytes *hiera_mpi_pack(HieraWorld *world, guint32 rank, const HieraMpiData *data)
{
    HieraKnownMemory *memory = hiera_world_memory(world, rank);
    if (!is_known(data) || data->bytes == 0)
        return NULL;
    if (is_dense(data->type) || data->count == 0)
        return hiera_known_memory_copy(memory, data->address.bits, (guint64)data->bytes);
    HieraKnownBytes *all = g_new0(HieraKnownBytes, 1);
    guint64 at = 0;
    all->n = (guint64)data->bytes;
    all->bytes = g_malloc0(all->n);
    all->known = g_malloc0(all->n);
    for (guint64 i = 0; i < data->count; i++) {
        for (guint k = 0; k < data->type->blocks->len; k++) {
            const HieraTypeBlock *block = &g_array_index(data->type->blocks, HieraTypeBlock, k);
            HieraKnownBytes *part = hiera_known_memory_copy(
                memory, data->address.bits + i * (guint64)data->type->extent + (guint64)block->at, (guint64)block->n);
            if (part) {
                memcpy(all->bytes + at, part->bytes, part->n);
                memcpy(all->known + at, part->known, part->n);
            }
            hiera_bytes_free(part);
            at += (guint64)block->n;
        }
    }
    return all;
}

/* Make a view of n bytes from an offset on (no copy). @param seen  receives the view. @return NULL: it is empty */
static HieraKnownBytes *view(const HieraKnownBytes *bytes, guint64 from, guint64 n, HieraKnownBytes *seen)
{
    if (!bytes || from >= bytes->n)
        return NULL;
    *seen = (HieraKnownBytes){MIN(n, bytes->n - from), bytes->bytes + from, bytes->known + from};
    return seen;
}

void hiera_mpi_unpack(HieraWorld *world, guint32 rank, const HieraMpiData *data, const HieraKnownBytes *bytes,
                      guint64 from, guint64 n)
{
    HieraKnownMemory *memory = hiera_world_memory(world, rank);
    HieraKnownBytes seen;
    guint64 at = 0;
    if (!data->address.known || data->address.bits == 0)
        return;
    n = MIN(n, (guint64)MAX(data->bytes, 0));
    if (!is_known(data)) { /* the data's layout is not known: make all bytes unknown that they may cover */
        guint64 reach = data->type ? data->count * (guint64)MAX(data->type->extent, 0) : (guint64)MAX(data->bytes, 0);
        hiera_known_memory_forget(memory, data->address.bits, MIN(reach, MOST_BYTES));
        return;
    }
    if (is_dense(data->type)) {
        hiera_known_memory_paste(memory, data->address.bits, n, view(bytes, from, n, &seen));
        return;
    }
    for (guint64 i = 0; i < data->count && at < n; i++) {
        for (guint k = 0; k < data->type->blocks->len && at < n; k++) {
            const HieraTypeBlock *block = &g_array_index(data->type->blocks, HieraTypeBlock, k);
            guint64 part = MIN((guint64)block->n, n - at);
            hiera_known_memory_paste(memory, data->address.bits + i * (guint64)data->type->extent + (guint64)block->at,
                                     part, view(bytes, from + at, part, &seen));
            at += part;
        }
    }
}

/* --- calls that make types --- */

/* Append n elements of a type at a displacement in bytes to another type. @return FALSE: it gets too large */
static gboolean add_elements(HieraMpiType *to, const HieraMpiType *type, gint64 at, gint64 n)
{
    gint64 reach = ABS(type->extent) + ABS(type->low) + type->size + 1;
    if (n < 0 || !type->blocks || ABS(at) > MOST_PLACE || n > MOST_PLACE / reach || to->size > MOST_PLACE)
        return FALSE;
    to->size += n * type->size;
    to->alignment = MAX(to->alignment, type->alignment);
    if (is_dense(type)) {
        const HieraTypeBlock block = {at, n * type->extent};
        HieraTypeBlock *last =
            to->blocks->len > 0 ? &g_array_index(to->blocks, HieraTypeBlock, to->blocks->len - 1) : NULL;
        if (last && last->at + last->n == at)
            last->n += block.n;
        else if (n > 0)
            g_array_append_val(to->blocks, block);
        return to->blocks->len <= MOST_BLOCKS;
    }
    if (n * (gint64)type->blocks->len > MOST_BLOCKS)
        return FALSE;
    for (gint64 i = 0; i < n; i++) {
        for (guint k = 0; k < type->blocks->len; k++) {
            HieraTypeBlock block = g_array_index(type->blocks, HieraTypeBlock, k);
            block.at += at + i * type->extent;
            g_array_append_val(to->blocks, block);
        }
    }
    return to->blocks->len <= MOST_BLOCKS;
}

/* Extend a type's bounds so that they include n elements of `old` at a displacement. */
static void widen(gint64 at, gint64 n, const HieraMpiType *old, gint64 *low, gint64 *high)
{
    if (n <= 0)
        return;
    *low = MIN(*low, at + old->low);
    *high = MAX(*high, at + (n - 1) * old->extent + old->low + old->extent);
}

/* Append the blocks of a contiguous, vector, indexed or struct type. @return FALSE: something is not known */
static gboolean add_blocks(HieraWorld *world, guint32 rank, HieraMpiType *made, HieraTypeRule rule,
                           const HieraMpiType *old)
{
    const HieraCurrentCall *call = &world->calls[rank];
    gboolean is_list = rule == HIERA_TYPE_INDEXED || rule == HIERA_TYPE_INDEXED_IN_BYTES,
             in_bytes = rule == HIERA_TYPE_VECTOR_IN_BYTES || rule == HIERA_TYPE_INDEXED_IN_BYTES;
    HieraKnown n = {TRUE, 1}, length = {TRUE, 1}, stride = {TRUE, 1};
    gint64 low = G_MAXINT64, high = G_MININT64;
    if (hiera_mpi_has(call, HIERA_P_COUNT))
        n = hiera_mpi_integer(world, rank, HIERA_P_COUNT);
    if (hiera_mpi_has(call, HIERA_P_BLOCKLENGTH))
        length = hiera_mpi_integer(world, rank, HIERA_P_BLOCKLENGTH);
    if (hiera_mpi_has(call, HIERA_P_STRIDE))
        stride = hiera_mpi_integer(world, rank, HIERA_P_STRIDE);
    if (!is_list && !hiera_mpi_has(call, HIERA_P_STRIDE)) { /* MPI_Type_contiguous: one block of `count` elements */
        length = n;
        n = (HieraKnown){TRUE, 1};
    }
    if (!n.known || n.bits > MOST_BLOCKS)
        return FALSE;
    for (guint64 i = 0; i < n.bits; i++) {
        const HieraMpiType *type = old;
        HieraKnown at = {stride.known, i * stride.bits}, each = length;
        if (is_list)
            at = hiera_mpi_element(world, rank, HIERA_P_DISPLACEMENTS, i);
        if (hiera_mpi_has(call, HIERA_P_BLOCKLENGTHS))
            each = hiera_mpi_element(world, rank, HIERA_P_BLOCKLENGTHS, i);
        if (hiera_mpi_has(call, HIERA_P_TYPES)) {
            HieraKnown handle = hiera_mpi_element(world, rank, HIERA_P_TYPES, i);
            type = handle.known ? hiera_mpi_type(world, rank, handle.bits) : NULL;
        }
        gint64 place = (gint64)(at.bits * (in_bytes || !type ? 1 : (guint64)type->extent));
        if (!type || !at.known || !each.known || !add_elements(made, type, place, (gint64)each.bits))
            return FALSE;
        widen(place, (gint64)each.bits, type, &low, &high);
    }
    made->low = low < high ? low : 0;
    made->extent = low < high ? high - low : 0;
    /* MPI_Type_create_struct: padding at the end, so that elements of an array are aligned. */
    if (hiera_mpi_has(call, HIERA_P_TYPES))
        made->extent = (made->extent + made->alignment - 1) / made->alignment * made->alignment;
    return TRUE;
}

/* Append a part of an array, which is stored by rows (C) or by columns (Fortran). @return FALSE: something is not known
 */
static gboolean add_subarray(HieraWorld *world, guint32 rank, HieraMpiType *made, const HieraMpiType *old)
{
    HieraKnown n = hiera_mpi_integer(world, rank, HIERA_P_NDIMS), order = hiera_mpi_integer(world, rank, HIERA_P_ORDER);
    gint64 sizes[HIERA_MOST_DIMENSIONS], parts[HIERA_MOST_DIMENSIONS], starts[HIERA_MOST_DIMENSIONS];
    gint64 at[HIERA_MOST_DIMENSIONS] = {0}, all = 1, n_rows = 1;
    gboolean by_columns = order.known && order.bits == (world->is_openmpi ? 1 : 57);
    if (!n.known || !order.known || n.bits < 1 || n.bits > HIERA_MOST_DIMENSIONS || old->extent < 0)
        return FALSE;
    for (guint64 i = 0; i < n.bits; i++) { /* the last dimension is contiguous */
        guint64 from = by_columns ? n.bits - 1 - i : i;
        HieraKnown size = hiera_mpi_element(world, rank, HIERA_P_GSIZES, from),
                   part = hiera_mpi_element(world, rank, HIERA_P_SUBSIZES, from),
                   start = hiera_mpi_element(world, rank, HIERA_P_STARTS, from);
        if (!size.known || !part.known || !start.known || (gint64)part.bits < 1 || (gint64)start.bits < 0 ||
            (gint64)size.bits < 1 || all > MOST_PLACE / MAX(old->extent, 1) / (gint64)size.bits ||
            (gint64)(start.bits + part.bits) > (gint64)size.bits)
            return FALSE;
        sizes[i] = (gint64)size.bits;
        parts[i] = (gint64)part.bits;
        starts[i] = (gint64)start.bits;
        all *= sizes[i];
        n_rows *= i + 1 < n.bits ? parts[i] : 1;
        if (n_rows > MOST_BLOCKS)
            return FALSE;
    }
    for (gint64 row = 0; row < n_rows; row++) {
        gint64 place = 0;
        for (guint64 i = 0; i < n.bits; i++)
            place = place * sizes[i] + starts[i] + at[i];
        if (!add_elements(made, old, place * old->extent, parts[n.bits - 1]))
            return FALSE;
        for (gint64 i = (gint64)n.bits - 2; i >= 0 && ++at[i] == parts[i]; i--)
            at[i] = 0;
    }
    made->low = 0;
    made->extent = all * old->extent;
    return TRUE;
}

static gboolean fill_type(HieraWorld *world, guint32 rank, HieraMpiType *made, const HieraMpiType *old)
{
    HieraTypeRule rule = world->calls[rank].function->detail;
    HieraKnown low, extent;
    switch (rule) {
    case HIERA_TYPE_VECTOR:
    case HIERA_TYPE_VECTOR_IN_BYTES:
    case HIERA_TYPE_INDEXED:
    case HIERA_TYPE_INDEXED_IN_BYTES:
        return (old || hiera_mpi_has(&world->calls[rank], HIERA_P_TYPES)) && add_blocks(world, rank, made, rule, old);
    case HIERA_TYPE_SUBARRAY:
        return old && add_subarray(world, rank, made, old);
    case HIERA_TYPE_RESIZED:
        low = hiera_mpi_integer(world, rank, HIERA_P_LB);
        extent = hiera_mpi_integer(world, rank, HIERA_P_EXTENT);
        if (!old || !low.known || !extent.known || ABS((gint64)low.bits) > MOST_COUNT ||
            ABS((gint64)extent.bits) > MOST_COUNT || !add_elements(made, old, 0, 1))
            return FALSE;
        made->low = (gint64)low.bits;
        made->extent = (gint64)extent.bits;
        return TRUE;
    default:
        return FALSE;
    }
}

/* Add a type to world->types, in the place of a freed one if there is any. @return its index */
static guint keep_type(HieraWorld *world, HieraMpiType *made)
{
    guint n_free = world->free_types->len, number = world->types->len;
    if (n_free == 0) {
        g_ptr_array_add(world->types, made);
        return number;
    }
    number = g_array_index(world->free_types, guint, n_free - 1);
    g_array_set_size(world->free_types, n_free - 1);
    world->types->pdata[number] = made;
    return number;
}

void hiera_mpi_make_type(HieraWorld *world, guint32 rank)
{
    HieraKnown handle = hiera_mpi_handle(world, rank, HIERA_P_OLDTYPE);
    const HieraMpiType *old = handle.known ? hiera_mpi_type(world, rank, handle.bits) : NULL;
    HieraMpiType *made = new_type(0, 0, 0);
    gboolean good = fill_type(world, rank, made, old);
    if (!good) {
        hiera_mpi_type_free(made);
        made = NULL;
    }
    hiera_mpi_write(world, rank, HIERA_P_NEWTYPE, TRUE, NEW_TYPE + keep_type(world, made));
}

/* Write the handle of a predefined type of the size that the call asks for: one handle for each size. */
void hiera_mpi_name_type(HieraWorld *world, guint32 rank)
{
    HieraMpiName name = hiera_mpi_has(&world->calls[rank], HIERA_P_NEWTYPE) ? HIERA_P_NEWTYPE : HIERA_P_TYPE;
    gint64 size = hiera_mpi_size_asked_for(world, rank);
    if (size >= 0 && world->named_types[size] == 0) {
        const HieraTypeBlock block = {0, size};
        HieraMpiType *made = new_type(size, 0, size);
        g_array_append_val(made->blocks, block);
        world->named_types[size] = NEW_TYPE + keep_type(world, made);
    }
    hiera_mpi_write(world, rank, name, size >= 0, size >= 0 ? world->named_types[size] : 0);
}

/* Whether hiera_mpi_name_type() has returned this type; the program must not free it. */
static gboolean is_named(const HieraWorld *world, const HieraMpiType *type, guint64 handle)
{
    return type->size <= HIERA_MPI_LARGEST_NAMED && world->named_types[type->size] == handle;
}

void hiera_mpi_free_type(HieraWorld *world, guint32 rank)
{
    HieraCurrentCall *call = &world->calls[rank];
    HieraKnown handle = hiera_mpi_handle(world, rank, HIERA_P_TYPE);
    const HieraMpiType *freed =
        handle.known && is_made(world, handle.bits) ? hiera_mpi_type(world, rank, handle.bits) : NULL;
    if (freed && !is_named(world, freed, handle.bits)) {
        guint number = (guint)(handle.bits - NEW_TYPE);
        g_ptr_array_add(call->freed_types, g_steal_pointer(&world->types->pdata[number]));
        g_array_append_val(world->free_types, number);
    }
    if (g_hash_table_size(call->open) == 0) /* no open request can need a freed type: free all of them */
        g_ptr_array_set_size(call->freed_types, 0);
    hiera_mpi_write(world, rank, HIERA_P_TYPE, FALSE, 0);
}

/* --- calls that return properties of types --- */

static void tell_count(HieraWorld *world, guint32 rank, const HieraMpiType *type)
{
    HieraKnown status = hiera_mpi_pointer(world, rank, HIERA_P_STATUS);
    guint64 n = 0;
    gboolean known = status.known && type && type->size > 0 &&
                     hiera_known_memory_read(hiera_world_memory(world, rank),
                                             status.bits + (world->is_openmpi ? 16 : 0), world->is_openmpi ? 8 : 4, &n);
    hiera_mpi_write(world, rank, HIERA_P_COUNT, known,
                    !known                         ? 0
                    : n % (guint64)type->size == 0 ? n / (guint64)type->size
                                                   : (guint64)(gint64)HIERA_MPI_UNDEFINED);
}

void hiera_mpi_tell_type(HieraWorld *world, guint32 rank)
{
    const HieraCurrentCall *call = &world->calls[rank];
    HieraKnown handle = hiera_mpi_handle(world, rank, HIERA_P_TYPE), n = {TRUE, 1},
               location = hiera_mpi_pointer(world, rank, HIERA_P_LOCATION);
    const HieraMpiType *type = handle.known ? hiera_mpi_type(world, rank, handle.bits) : NULL;
    if (hiera_mpi_has(call, HIERA_P_STATUS))
        tell_count(world, rank, type);
    if (hiera_mpi_has(call, HIERA_P_INCOUNT))
        n = hiera_mpi_integer(world, rank, HIERA_P_INCOUNT);
    if (hiera_mpi_has(call, HIERA_P_SIZE))
        hiera_mpi_write(world, rank, HIERA_P_SIZE, type && n.known, type ? (guint64)type->size * n.bits : 0);
    if (hiera_mpi_has(call, HIERA_P_EXTENT))
        hiera_mpi_write(world, rank, HIERA_P_EXTENT, type != NULL, type ? (guint64)type->extent : 0);
    if (hiera_mpi_has(call, HIERA_P_LB))
        hiera_mpi_write(world, rank, HIERA_P_LB, type != NULL, type ? (guint64)type->low : 0);
    if (hiera_mpi_has(call, HIERA_P_ADDRESS))
        hiera_mpi_write(world, rank, HIERA_P_ADDRESS, location.known, location.bits);
}

void hiera_mpi_pack_call(HieraWorld *world, guint32 rank)
{
    HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_INBUF, HIERA_P_INCOUNT, HIERA_P_TYPE);
    HieraKnown to = hiera_mpi_pointer(world, rank, HIERA_P_OUTBUF),
               at = hiera_mpi_integer(world, rank, HIERA_P_POSITION);
    HieraKnownBytes *bytes = hiera_mpi_pack(world, rank, &data);
    if (to.known && at.known)
        hiera_known_memory_paste(hiera_world_memory(world, rank), to.bits + at.bits, (guint64)data.bytes, bytes);
    hiera_mpi_write(world, rank, HIERA_P_POSITION, at.known && data.type, at.bits + (guint64)data.bytes);
    hiera_bytes_free(bytes);
}

void hiera_mpi_unpack_call(HieraWorld *world, guint32 rank)
{
    HieraMpiData data = hiera_mpi_data(world, rank, HIERA_P_OUTBUF, HIERA_P_OUTCOUNT, HIERA_P_TYPE);
    HieraKnown from = hiera_mpi_pointer(world, rank, HIERA_P_INBUF),
               at = hiera_mpi_integer(world, rank, HIERA_P_POSITION);
    HieraKnownBytes *bytes =
        from.known && at.known && data.type
            ? hiera_known_memory_copy(hiera_world_memory(world, rank), from.bits + at.bits, (guint64)data.bytes)
            : NULL;
    hiera_mpi_unpack(world, rank, &data, bytes, 0, (guint64)data.bytes);
    hiera_mpi_write(world, rank, HIERA_P_POSITION, at.known && data.type, at.bits + (guint64)data.bytes);
    hiera_bytes_free(bytes);
}
