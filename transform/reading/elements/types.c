/* See types.h. The collector finds the same arguments in its records (collector/mpi/write/call_asked.c). */
#include "types.h"
#include "refused.h"
#include <string.h>

enum {
    LIST_BYTES = 1024, /* longer lists of counts or datatypes are not kept: every rank may have another one */
    LIST_MOST = 64
};

typedef struct {
    gint64 size;           /* in bytes; -1: not known */
    const char *signature; /* interned; "": not known */
} Type;

void hiera_types_declare(HieraReadContext *context, const HieraAttributes *attributes)
{
    Type type = {hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_SIZE, 0, G_MAXINT64, -1),
                 hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_SIGNATURE])};
    const char *id = hiera_read_context_intern(context, attributes->at[HIERA_ATTRIBUTE_ID]);
    const Type *known = g_hash_table_lookup(context->types, id);
    if (known && known->size == type.size && known->signature == type.signature)
        return;
    context->communicators.n_changes += known != NULL;
    g_hash_table_replace(context->types, (gpointer)id, g_memdup2(&type, sizeof type));
}

static gboolean receives(HieraKind kind)
{
    return kind == HIERA_KIND_RECEIVE || kind == HIERA_KIND_SEND_RECEIVE;
}

static gint64 multiply(gint64 a, gint64 b)
{
    gint64 product;
    return a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product) ? -1 : product;
}

gint64 hiera_types_read_posted(HieraReadContext *context, const HieraAttributes *attributes, const HieraSite *site)
{
    gboolean sends_too = attributes->at[HIERA_ATTRIBUTE_RTYPE] != NULL;
    const HieraXmlAttribute *type = attributes->at[sends_too ? HIERA_ATTRIBUTE_RTYPE : HIERA_ATTRIBUTE_TYPE];
    if (!type || !(receives(site->kind) || receives(site->starts)))
        return -1;
    gint64 count = hiera_argument_number(&context->place, attributes,
                                         sends_too ? HIERA_ATTRIBUTE_RCOUNT : HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, -1);
    gint64 partitions =
        hiera_argument_number(&context->place, attributes, HIERA_ATTRIBUTE_PARTITIONS, 0, G_MAXINT64, 1);
    const Type *known = g_hash_table_lookup(context->types, hiera_read_context_intern(context, type));
    return count == 0 ? 0 : multiply(multiply(count, partitions), known ? known->size : -1);
}

/* --- the data of a call --- */

/* Append a line about a datatype: KEY, its name, size and signature, separated by tabs. */
static void put_type(GString *text, HieraReadContext *context, char key, const char *id, gsize length)
{
    const char *name = hiera_cache_intern(context->cache, id, length);
    const Type *type = g_hash_table_lookup(context->types, name);
    g_string_append_printf(text, "%c%s\t%" G_GINT64_FORMAT "\t%s\n", key, name, type ? type->size : -1,
                           type ? type->signature : "");
}

/* Append a line for each datatype of a list, unless there are many. */
static void put_types(GString *text, HieraReadContext *context, char key, const HieraXmlAttribute *list)
{
    g_autofree char *ids = list ? g_strndup(list->value, hiera_attribute_length(list)) : NULL;
    g_auto(GStrv) names = ids ? g_strsplit(ids, " ", LIST_MOST + 1) : NULL;
    guint n = names ? g_strv_length(names) : 0;
    for (guint i = 0; i < n && n <= LIST_MOST; i++)
        put_type(text, context, key, names[i], strlen(names[i]));
}

/* Append a line with a value; an empty one if it is too long. */
static void put_value(GString *text, char key, const HieraXmlAttribute *value)
{
    gsize length = value ? hiera_attribute_length(value) : 0;
    if (value)
        g_string_append_printf(text, "%c%.*s\n", key, length <= LIST_BYTES ? (int)length : 0, value->value);
}

/* Append a line with the values of arguments, with tabs in between; nothing if the call lacks one of them. */
static void put_values(GString *text, char key, const HieraXmlAttribute *all, guint n, const char *const *names)
{
    gsize before = text->len;
    g_string_append_c(text, key);
    for (guint k = 0; names[k]; k++) {
        guint i = 0;
        while (i < n && strcmp(all[i].name, names[k]) != 0)
            i++;
        if (i == n || hiera_attribute_length(&all[i]) > LIST_BYTES) {
            g_string_truncate(text, before);
            return;
        }
        g_string_append_len(text, all[i].value, (gssize)hiera_attribute_length(&all[i]));
        g_string_append_c(text, names[k + 1] ? '\t' : '\n');
    }
}

static void put_datatypes(GString *text, HieraReadContext *context, const HieraAttributes *attributes)
{
    static const struct {
        HieraAttribute attribute;
        char key;
    } types[] = {{HIERA_ATTRIBUTE_TYPE, 't'},       {HIERA_ATTRIBUTE_STYPE, 's'},    {HIERA_ATTRIBUTE_RTYPE, 'r'},
                 {HIERA_ATTRIBUTE_ETYPE, 's'},      {HIERA_ATTRIBUTE_FILETYPE, 'r'}, {HIERA_ATTRIBUTE_ORIGIN_TYPE, 's'},
                 {HIERA_ATTRIBUTE_TARGET_TYPE, 'r'}};
    for (guint i = 0; i < G_N_ELEMENTS(types); i++) {
        const HieraXmlAttribute *type = attributes->at[types[i].attribute];
        if (type)
            put_type(text, context, types[i].key, type->value, hiera_attribute_length(type));
    }
    put_types(text, context, 'S', attributes->at[HIERA_ATTRIBUTE_STYPES]);
    put_types(text, context, 'R', attributes->at[HIERA_ATTRIBUTE_RTYPES]);
    if (text->len == 0)
        return;
    put_value(text, 'o', attributes->at[HIERA_ATTRIBUTE_OP]);
    put_value(text, 'c', attributes->at[HIERA_ATTRIBUTE_SCOUNTS]);
    put_value(text, 'd', attributes->at[HIERA_ATTRIBUTE_RCOUNTS]);
}

const char *hiera_types_read_data(HieraReadContext *context, const HieraAttributes *attributes,
                                  const HieraXmlAttribute *all, guint n, const HieraOperation *operation)
{
    static const char *const made[] = {"newtype", NULL}, *const window[] = {"size", "disp_unit", NULL};
    static const char *const access[] = {"origin_count", "target_disp", "target_count", NULL};
    static const char *const vector[] = {"count", "blocklength", "stride", NULL}, *const oldtype[] = {"oldtype", NULL};
    if (attributes->at[HIERA_ATTRIBUTE_CALLS])
        return NULL;
    g_autoptr(GString) text = g_string_new(NULL);
    put_datatypes(text, context, attributes);
    put_values(text, 'n', all, n, made);
    put_values(text, 'v', all, n, vector);
    put_values(text, 'O', all, n, oldtype);
    if (attributes->at[HIERA_ATTRIBUTE_WIN])
        put_values(text, attributes->at[HIERA_ATTRIBUTE_TARGET_RANK] ? 'a' : 'w', all, n,
                   attributes->at[HIERA_ATTRIBUTE_TARGET_RANK] ? access : window);
    gsize before = text->len;
    hiera_refused_read(context, all, n, operation, "!", "\n", text);
    if (text->len > before)
        g_string_append_c(text, '\n');
    return text->len > 0 ? hiera_cache_intern(context->cache, text->str, text->len) : NULL;
}
