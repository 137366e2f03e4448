/* See exceptions.h. Format: the C++ ABI of Itanium, level 2, and gcc's except.c; it is described nowhere else. */
#include "exceptions.h"
#include "bytes.h"
#include "image/object/reader.h"
#include <dwarf.h>
#include <string.h>

/* --- reading exception tables --- */

/* Whether the personality routine is that of gcc for C or C++; how others use the data is not known. */
static gboolean is_known_routine(const HieraObject *object, HieraDecoder *decoder, const HieraFrameRules *rules)
{
    guint64 at = rules->personality;
    const char *name =
        rules->personality_is_pointer ? g_hash_table_lookup(object->imports, &at) : hiera_decoder_stub(decoder, at);
    return name && (strcmp(name, "__gxx_personality_v0") == 0 || strcmp(name, "__gcc_personality_v0") == 0);
}

/* Size in bytes of an encoded type; 0: the encoding is not known, or is relative to an unknown address. */
static guint size_of_type(const HieraObject *object, guint encoding)
{
    guint relative = encoding & 0x70, format = encoding & 0x0f;
    if (relative != DW_EH_PE_pcrel && !(relative == 0 && object->is_fixed))
        return 0;
    if (format == DW_EH_PE_udata4 || format == DW_EH_PE_sdata4)
        return 4;
    return format == DW_EH_PE_absptr || format == DW_EH_PE_udata8 || format == DW_EH_PE_sdata8 ? 8 : 0;
}

/* An exception table (.gcc_except_table) while it is read. */
typedef struct {
    HieraExceptions *exceptions;
    HieraReader reader;
    gsize actions, types; /* positions of the first action and of the end of the types */
    guint encoding;       /* encoding of types */
    guint64 n_types;
    GHashTable *seen; /* actions that were already read, by position */
} Table;

static gboolean read_sites(Table *table, const HieraSymbol *frame)
{
    HieraReader *reader = &table->reader;
    guint of_landings = (guint)hiera_reader_number(reader, 1);
    guint64 landings = of_landings == DW_EH_PE_omit ? frame->address : hiera_reader_encoded(reader, of_landings);
    table->encoding = (guint)hiera_reader_number(reader, 1);
    guint64 types = table->encoding == DW_EH_PE_omit ? 0 : hiera_reader_leb(reader);
    table->types = reader->at;
    guint encoding = (guint)hiera_reader_number(reader, 1);
    guint64 length = hiera_reader_leb(reader), last = frame->address;
    if (reader->bad || types > reader->n - table->types || length > reader->n - reader->at || (encoding & 0xf0))
        return FALSE;
    table->types += types;
    table->actions = reader->at + length;
    while (reader->at < table->actions) {
        HieraCallSite site = {.begin = frame->address + hiera_reader_encoded(reader, encoding)};
        site.end = site.begin + hiera_reader_encoded(reader, encoding);
        site.pad = hiera_reader_encoded(reader, encoding);
        site.action = hiera_reader_leb(reader);
        if (reader->bad || site.begin < last || site.end < site.begin || site.end > frame->address + frame->size)
            return FALSE;
        last = site.end;
        site.pad += site.pad != 0 ? landings : 0;
        g_array_append_val(table->exceptions->sites, site);
    }
    return reader->at == table->actions;
}

/* Read the list of types that a function may throw: numbers of types, and a zero. */
static gboolean read_list(Table *table, guint64 position)
{
    HieraReader reader = table->reader;
    if (table->encoding == DW_EH_PE_omit || position >= reader.n - table->types)
        return FALSE;
    reader.at = table->types + position;
    for (guint64 type = 1; type != 0 && !reader.bad;) {
        type = hiera_reader_leb(&reader);
        table->n_types = MAX(table->n_types, type);
    }
    table->exceptions->n_lists = MAX(table->exceptions->n_lists, reader.at - table->types);
    return !reader.bad;
}

/* Follow the actions of a call site, which describe the exceptions caught there, the innermost try first. A table with
 * more actions than the limit is in a damaged file. */
static gboolean read_actions(Table *table, guint64 action)
{
    guint limit = 64 * (table->exceptions->sites->len + 4);
    HieraReader reader = table->reader;
    reader.at = table->actions;
    for (gint64 next = (gint64)action - 1;;) {
        gint64 at = (gint64)reader.at + next;
        if (at < (gint64)table->actions || at >= (gint64)reader.n || g_hash_table_size(table->seen) > limit)
            return FALSE;
        if (!g_hash_table_add(table->seen, GSIZE_TO_POINTER(at))) /* this action was read already */
            return TRUE;
        reader.at = (gsize)at;
        gint64 filter = hiera_reader_signed_leb(&reader);
        gsize from = reader.at;
        next = hiera_reader_signed_leb(&reader);
        table->exceptions->n_actions = MAX(table->exceptions->n_actions, reader.at - table->actions);
        if (reader.bad || (filter < 0 && !read_list(table, (guint64) - (filter + 1))))
            return FALSE;
        table->n_types = MAX(table->n_types, (guint64)MAX(filter, 0));
        if (next == 0)
            return TRUE;
        reader.at = from;
    }
}

static gboolean read_types(Table *table, const HieraObject *object)
{
    HieraExceptions *exceptions = table->exceptions;
    guint64 first_page = hiera_object_first_page(object);
    gsize behind_actions = table->actions + exceptions->n_actions;
    exceptions->has_types = table->encoding != DW_EH_PE_omit;
    exceptions->are_pointers = (table->encoding & DW_EH_PE_indirect) != 0;
    if (!exceptions->has_types)
        return table->n_types == 0;
    guint size = size_of_type(object, table->encoding);
    if (table->types < behind_actions || (table->n_types > 0 && size == 0) ||
        (size > 0 && table->n_types > (table->types - behind_actions) / size))
        return FALSE;
    for (guint64 i = 1; i <= table->n_types; i++) {
        HieraReader reader = table->reader;
        reader.at = table->types - i * size;
        guint64 address = hiera_reader_encoded(&reader, table->encoding & 0x7f);
        if (reader.bad || (address != 0 && address - first_page > G_MAXINT32))
            return FALSE;
        g_array_append_val(exceptions->types, address);
    }
    return TRUE;
}

char *hiera_exceptions_read(const HieraObject *object, HieraDecoder *decoder, const HieraSymbol *frame,
                            const HieraFrameRules *rules, HieraExceptions *exceptions)
{
    *exceptions = (HieraExceptions){.sites = g_array_new(FALSE, FALSE, sizeof(HieraCallSite)),
                                    .types = g_array_new(FALSE, FALSE, sizeof(guint64))};
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    Table table = {exceptions, {.address = frame->lsda}, 0, 0, 0, 0, seen};
    if (!is_known_routine(object, decoder, rules))
        return g_strdup("exceptions in it are handled by a routine that is not known");
    table.reader.bytes = hiera_object_bytes(object, frame->lsda, 1, &table.reader.n);
    gboolean good = table.reader.bytes && read_sites(&table, frame);
    for (guint i = 0; good && i < exceptions->sites->len; i++) {
        guint64 action = g_array_index(exceptions->sites, HieraCallSite, i).action;
        good = action <= table.reader.n && (action == 0 || read_actions(&table, action));
    }
    if (!good || !read_types(&table, object))
        return g_strdup("its table of exceptions is not understood");
    exceptions->actions = table.reader.bytes + table.actions;
    exceptions->lists = table.reader.bytes + table.types;
    return NULL;
}

void hiera_exceptions_clear(HieraExceptions *exceptions)
{
    g_array_unref(exceptions->sites);
    g_array_unref(exceptions->types);
}

/* --- writing exception tables --- */

/* Make the part of the exception data that follows the position of types: call sites and actions. */
static GByteArray *sites_and_actions(const HieraExceptions *exceptions, const GArray *sites)
{
    GByteArray *bytes = g_byte_array_new();
    g_autoptr(GByteArray) table = g_byte_array_new();
    for (guint i = 0; i < sites->len; i++) {
        const HieraCopiedSite *site = &g_array_index(sites, HieraCopiedSite, i);
        hiera_bytes_number(table, site->begin, 4);
        hiera_bytes_number(table, site->n, 4);
        hiera_bytes_number(table, site->pad, 4);
        hiera_bytes_leb(table, site->action);
    }
    hiera_bytes_number(bytes, DW_EH_PE_udata4, 1);
    hiera_bytes_leb(bytes, table->len);
    g_byte_array_append(bytes, table->data, table->len);
    if (exceptions->n_actions > 0)
        g_byte_array_append(bytes, exceptions->actions, (guint)exceptions->n_actions);
    return bytes;
}

static void put_type(HieraCodeOut *out, guint64 address, guint64 begin)
{
    guint32 at = hiera_code_gap(out);
    const HieraPlanFixup fixup = {HIERA_PLAN_FILE_32, at, at, (gint32)(address - begin)};
    if (address != 0)
        g_array_append_val(out->fixups, fixup);
}

guint32 hiera_exceptions_write(const HieraExceptions *exceptions, const GArray *sites, guint64 begin, HieraCodeOut *out)
{
    enum { RELATIVE = DW_EH_PE_pcrel | DW_EH_PE_sdata4 };
    guint32 position = out->bytes->len;
    g_autoptr(GByteArray) rest = sites_and_actions(exceptions, sites);
    hiera_bytes_number(out->bytes, RELATIVE, 1);
    hiera_bytes_number(out->bytes, -(guint64)out->bytes->len,
                       4); /* landing pads are relative to the begin of the area */
    if (exceptions->has_types) {
        hiera_bytes_number(out->bytes, RELATIVE | (exceptions->are_pointers ? DW_EH_PE_indirect : 0), 1);
        hiera_bytes_leb(out->bytes, rest->len + 4 * (guint64)exceptions->types->len);
    } else {
        hiera_bytes_number(out->bytes, DW_EH_PE_omit, 1);
    }
    g_byte_array_append(out->bytes, rest->data, rest->len);
    for (guint i = exceptions->types->len; i > 0; i--)
        put_type(out, g_array_index(exceptions->types, guint64, i - 1), begin);
    if (exceptions->n_lists > 0)
        g_byte_array_append(out->bytes, exceptions->lists, (guint)exceptions->n_lists);
    return position;
}

/* The linker takes all functions of libgcc's unwinder from one place, the shared library or the archive. An unwinder
 * has to find the tables of all files, and asks the C library for them. A statically linked program has its own
 * unwinder. */
gboolean hiera_exceptions_are_own(const HieraObject *object)
{
    GHashTableIter iter;
    gpointer import = NULL;
    gboolean finds_tables = FALSE, is_elsewhere = FALSE;
    for (guint i = 0; i < object->symbols->len; i++)
        if (strcmp(g_array_index(object->symbols, HieraSymbol, i).name, "_Unwind_RaiseException") == 0)
            return TRUE;
    g_hash_table_iter_init(&iter, object->imports);
    while (g_hash_table_iter_next(&iter, NULL, &import)) {
        finds_tables |= strcmp(import, "_dl_find_object") == 0 || strcmp(import, "dl_iterate_phdr") == 0;
        is_elsewhere |= g_str_has_prefix(import, "_Unwind_");
    }
    return object->is_linked_alone || (finds_tables && !is_elsewhere);
}
