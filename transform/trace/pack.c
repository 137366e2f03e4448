/* See hiera_pack.h. Packer and unpacker number the texts in the order in which they are met, from 1; 0 is NULL. */
#include "pack.h"
#include <string.h>

enum { MUCH = 1 << 20 }; /* number of packed bytes that are flushed at once: so few that they stay in the CPU cache */

struct HieraPacker {
    guint8 *bytes;
    gsize n, room;
    HieraPackerFlush *flush; /* takes the bytes when there are many; NULL: all bytes stay in memory */
    gpointer user;           /* argument of `flush` */
    GHashTable *texts;       /* text that was packed → its number */
};

struct HieraUnpacker {
    guint8 *bytes;
    gsize at, n;
    HieraUnpackerFill *fill;
    gpointer user;
    HieraCatalog *catalog;
    GByteArray *text;      /* buffer for one text while it is looked up */
    GPtrArray *texts;      /* texts by their number in the packer */
    GPtrArray *sites;      /* HieraSite of this process, by its id in the packing process */
    GArray *communicators; /* guint32: index of the communicator in this process, by its index in the packing process */
    gboolean keeps_numbers; /* whether ids and indices of both processes are the same */
};

HieraPacker *hiera_packer_new(void)
{
    HieraPacker *packer = g_new0(HieraPacker, 1);
    packer->texts = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    return packer;
}

void hiera_packer_free(HieraPacker *packer)
{
    g_free(packer->bytes);
    g_hash_table_unref(packer->texts);
    g_free(packer);
}

const guint8 *hiera_packer_peek(const HieraPacker *packer, gsize *n)
{
    *n = packer->n;
    return packer->bytes;
}

void hiera_packer_flush_by(HieraPacker *packer, HieraPackerFlush *flush, gpointer user)
{
    packer->flush = flush;
    packer->user = user;
}

void hiera_packer_flush(HieraPacker *packer)
{
    if (packer->n > 0)
        packer->flush(packer->user, packer->bytes, packer->n);
    packer->n = 0;
}

static void append(HieraPacker *to, gconstpointer bytes, gsize n)
{
    if (to->room - to->n < n) {
        to->room = MAX(to->n + n, 2 * to->room);
        to->bytes = g_realloc(to->bytes, to->room);
    }
    memcpy(to->bytes + to->n, bytes, n);
    to->n += n;
    if (to->flush && to->n >= MUCH)
        hiera_packer_flush(to);
}

void hiera_pack_bytes(HieraPacker *to, gconstpointer bytes, gsize n)
{
    for (gsize done = 0, part; done < n; done += part) {
        part = to->flush ? MIN(n - done, MUCH - to->n) : n;
        append(to, (const guint8 *)bytes + done, part);
    }
}

void hiera_pack_number(HieraPacker *to, gint64 number)
{
    hiera_pack_bytes(to, &number, sizeof number);
}

void hiera_pack_array(HieraPacker *to, const GArray *array)
{
    hiera_pack_number(to, array->len);
    hiera_pack_bytes(to, array->data, (gsize)array->len * g_array_get_element_size((GArray *)array));
}

void hiera_pack_text(HieraPacker *to, const char *text)
{
    gpointer number = text ? g_hash_table_lookup(to->texts, text) : NULL;
    gboolean is_new = text && !number;
    if (is_new) {
        number = GUINT_TO_POINTER(g_hash_table_size(to->texts) + 1);
        g_hash_table_insert(to->texts, g_strdup(text), number);
    }
    hiera_pack_number(to, GPOINTER_TO_UINT(number));
    if (is_new) {
        gsize length = strlen(text);
        hiera_pack_number(to, (gint64)length);
        hiera_pack_bytes(to, text, length);
    }
}

HieraUnpacker *hiera_unpacker_new(HieraCatalog *catalog, HieraUnpackerFill *fill, gpointer user)
{
    HieraUnpacker *unpacker = g_new0(HieraUnpacker, 1);
    unpacker->catalog = catalog;
    unpacker->fill = fill;
    unpacker->user = user;
    unpacker->text = g_byte_array_new();
    unpacker->texts = g_ptr_array_new();
    g_ptr_array_add(unpacker->texts, NULL);
    unpacker->sites = g_ptr_array_new();
    unpacker->communicators = g_array_new(FALSE, FALSE, sizeof(guint32));
    return unpacker;
}

void hiera_unpacker_free(HieraUnpacker *unpacker)
{
    g_free(unpacker->bytes);
    g_byte_array_unref(unpacker->text);
    g_ptr_array_unref(unpacker->texts);
    g_ptr_array_unref(unpacker->sites);
    g_array_unref(unpacker->communicators);
    g_free(unpacker);
}

void hiera_unpacker_fetch(HieraUnpacker *unpacker)
{
    g_free(unpacker->bytes);
    unpacker->bytes = unpacker->fill(unpacker->user, &unpacker->n);
    unpacker->at = 0;
}

void hiera_unpack_bytes(HieraUnpacker *from, gpointer bytes, gsize n)
{
    for (gsize done = 0, part; done < n; done += part) {
        if (from->at == from->n)
            hiera_unpacker_fetch(from);
        part = MIN(n - done, from->n - from->at);
        memcpy((guint8 *)bytes + done, from->bytes + from->at, part);
        from->at += part;
    }
}

gint64 hiera_unpack_number(HieraUnpacker *from)
{
    gint64 number;
    hiera_unpack_bytes(from, &number, sizeof number);
    return number;
}

void hiera_unpack_array(HieraUnpacker *from, GArray *array)
{
    guint before = array->len, n = (guint)hiera_unpack_number(from), size = g_array_get_element_size(array);
    g_array_set_size(array, before + n);
    hiera_unpack_bytes(from, array->data + (gsize)before * size, (gsize)n * size);
}

const char *hiera_unpack_text(HieraUnpacker *from)
{
    guint number = (guint)hiera_unpack_number(from);
    if (number == from->texts->len) {
        g_byte_array_set_size(from->text, (guint)hiera_unpack_number(from));
        hiera_unpack_bytes(from, from->text->data, from->text->len);
        g_ptr_array_add(from->texts,
                        (gpointer)hiera_catalog_intern(from->catalog, (const char *)from->text->data, from->text->len));
    }
    return g_ptr_array_index(from->texts, number);
}

/* --- packing a catalog --- */

const HieraSite *hiera_unpack_site(const HieraUnpacker *from, guint32 id)
{
    return from->keeps_numbers ? hiera_catalog_peek_site(from->catalog, id) : g_ptr_array_index(from->sites, id);
}

guint32 hiera_unpack_communicator(const HieraUnpacker *from, guint32 index)
{
    return index == HIERA_NONE || from->keeps_numbers ? index : g_array_index(from->communicators, guint32, index);
}

const HieraTraceCounter *hiera_unpack_counter(HieraUnpacker *from)
{
    return hiera_catalog_find_counter(from->catalog, hiera_unpack_text(from));
}

static void pack_site(const HieraSite *site, HieraPacker *to)
{
    const char *const texts[] = {site->level, site->operation, site->class_name, site->file};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        hiera_pack_text(to, texts[i]);
    hiera_pack_number(to, site->line);
}

static void unpack_site(HieraUnpacker *from)
{
    HieraSite key = {.level = hiera_unpack_text(from)};
    key.operation = hiera_unpack_text(from);
    key.class_name = hiera_unpack_text(from);
    key.file = hiera_unpack_text(from);
    key.line = (guint32)hiera_unpack_number(from);
    g_ptr_array_add(from->sites, (gpointer)hiera_catalog_site(from->catalog, &key));
}

static void pack_communicator(const HieraCommunicator *communicator, HieraPacker *to)
{
    hiera_pack_text(to, communicator->id);
    hiera_pack_text(to, communicator->ranks_text);
    hiera_pack_text(to, communicator->remote_text);
    hiera_pack_text(to, *communicator->name ? communicator->name : NULL);
    hiera_pack_text(to, communicator->dims ? communicator->dims_text : NULL);
    hiera_pack_number(to, communicator->object);
}

static void unpack_communicator(HieraUnpacker *from)
{
    const char *id = hiera_unpack_text(from), *ranks = hiera_unpack_text(from), *remote = hiera_unpack_text(from);
    const char *name = hiera_unpack_text(from), *dims = hiera_unpack_text(from);
    const HieraCommunicator *communicator = hiera_catalog_communicator(from->catalog, id, ranks, remote, name);
    if (hiera_unpack_number(from))
        hiera_catalog_object(from->catalog, id, communicator, NULL);
    if (dims)
        hiera_catalog_set_dims(from->catalog, communicator->index, dims);
    g_array_append_val(from->communicators, communicator->index);
}

static void pack_counter(const HieraTraceCounter *counter, HieraPacker *to)
{
    hiera_pack_text(to, counter->name);
    hiera_pack_text(to, counter->unit);
    hiera_pack_number(to, counter->level);
}

static void unpack_counter(HieraUnpacker *from)
{
    const char *name = hiera_unpack_text(from), *unit = hiera_unpack_text(from);
    hiera_catalog_counter(from->catalog, name, unit, (gboolean)hiera_unpack_number(from));
}

static void pack_neighbors(const HieraNeighbors *neighbors, HieraPacker *to)
{
    g_autofree char *in = hiera_ranks_format(neighbors->in), *out = hiera_ranks_format(neighbors->out);
    hiera_pack_number(to, neighbors->communicator);
    hiera_pack_number(to, neighbors->rank);
    hiera_pack_text(to, in);
    hiera_pack_text(to, out);
}

static void unpack_neighbors(HieraUnpacker *from)
{
    guint32 communicator = hiera_unpack_communicator(from, (guint32)hiera_unpack_number(from));
    guint32 rank = (guint32)hiera_unpack_number(from);
    const char *in = hiera_unpack_text(from), *out = hiera_unpack_text(from);
    hiera_catalog_set_neighbors(from->catalog, communicator, rank, in, out);
}

#define PACK_TEXT(member)   hiera_pack_text(to, record->member);
#define UNPACK_TEXT(member) record.member = hiera_unpack_text(from);
#define X(type, name, TEXTS)                                                                                           \
    void hiera_pack_##name(HieraPacker *to, const type *record)                                                        \
    {                                                                                                                  \
        hiera_pack_bytes(to, record, sizeof *record);                                                                  \
        TEXTS(PACK_TEXT)                                                                                               \
    }                                                                                                                  \
    type hiera_unpack_##name(HieraUnpacker *from)                                                                      \
    {                                                                                                                  \
        type record;                                                                                                   \
        hiera_unpack_bytes(from, &record, sizeof record);                                                              \
        TEXTS(UNPACK_TEXT)                                                                                             \
        return record;                                                                                                 \
    }
HIERA_RECORDS(X)
#undef X

void hiera_catalog_pack(HieraCatalog *catalog, HieraPacker *to)
{
    guint32 n_sites = hiera_catalog_count_sites(catalog), n_comms = hiera_catalog_count_communicators(catalog);
    g_autoptr(GPtrArray) counters = hiera_catalog_list_counters(catalog);
    g_autoptr(GPtrArray) neighbors = hiera_catalog_list_neighbors(catalog);
    hiera_pack_number(to, n_sites);
    for (guint32 i = 0; i < n_sites; i++)
        pack_site(hiera_catalog_peek_site(catalog, i), to);
    hiera_pack_number(to, n_comms);
    for (guint32 i = 0; i < n_comms; i++)
        pack_communicator(hiera_catalog_peek_communicator(catalog, i), to);
    hiera_pack_number(to, counters->len);
    for (guint i = 0; i < counters->len; i++)
        pack_counter(g_ptr_array_index(counters, i), to);
    hiera_pack_number(to, neighbors->len);
    for (guint i = 0; i < neighbors->len; i++)
        pack_neighbors(g_ptr_array_index(neighbors, i), to);
}

static void unpack_each(HieraUnpacker *from, void (*unpack)(HieraUnpacker *from))
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        unpack(from);
}

void hiera_unpacker_keep_numbers(HieraUnpacker *from)
{
    from->keeps_numbers = TRUE;
}

void hiera_catalog_unpack(HieraUnpacker *from)
{
    unpack_each(from, unpack_site);
    unpack_each(from, unpack_communicator);
    unpack_each(from, unpack_counter);
    unpack_each(from, unpack_neighbors);
}
