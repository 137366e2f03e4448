/* See call_encoder.h. */
#include "call_encoder.h"
#include <string.h>

#define DECLARED_MAX 16 /* of a call site; beyond, calls name what differs */

/* The number of a hieraCall and its attributes. */
typedef struct {
    guint number;
    GArray *attributes; /* HieraXmlAttribute; the values are the declarer's */
} Declared;

struct HieraDeclarer {
    const char *const *names;
    GHashTable *by_text;  /* text of the attributes → Declared */
    GHashTable *by_place; /* text of the call site → GPtrArray of Declared */
    GPtrArray *all;       /* Declared */
    GString *key;
    GStringChunk *values;
};

static void append_escaped(GString *out, const HieraXmlAttribute *attribute)
{
    for (const char *at = attribute->value; at < attribute->end; at++) {
        const char *escape = *at == '&'   ? "&amp;"
                             : *at == '<' ? "&lt;"
                             : *at == '>' ? "&gt;"
                             : *at == '"' ? "&quot;"
                                          : NULL;
        if (escape)
            g_string_append(out, escape);
        else if (*at == '\n' || *at == '\t' || *at == '\r')
            g_string_append_printf(out, "&#%d;", *at);
        else
            g_string_append_c(out, *at);
    }
}

void hiera_attribute_append(GString *out, const HieraXmlAttribute *attribute)
{
    g_string_append_c(out, ' ');
    if (attribute->prefix)
        g_string_append_printf(out, "%s:", attribute->prefix);
    g_string_append_printf(out, "%s=\"", attribute->name);
    append_escaped(out, attribute);
    g_string_append_c(out, '"');
}

void hiera_attributes_append(GString *out, const GArray *attributes)
{
    for (guint i = 0; i < attributes->len; i++)
        hiera_attribute_append(out, &g_array_index(attributes, HieraXmlAttribute, i));
}

static gsize length_of(const HieraXmlAttribute *attribute)
{
    return (gsize)(attribute->end - attribute->value);
}

static gboolean same_value(const HieraXmlAttribute *a, const HieraXmlAttribute *b)
{
    return length_of(a) == length_of(b) && memcmp(a->value, b->value, length_of(a)) == 0;
}

static gboolean is_among(const HieraDeclarer *declarer, const char *name, const HieraAttribute *attributes, guint n)
{
    for (guint i = 0; i < n; i++)
        if (declarer->names[attributes[i]] == name)
            return TRUE;
    return FALSE;
}

static gboolean is_site(const HieraDeclarer *declarer, const char *name)
{
    static const HieraAttribute site[] = {HIERA_ATTRIBUTE_LEVEL,     HIERA_ATTRIBUTE_CLASS, HIERA_ATTRIBUTE_METHOD,
                                          HIERA_ATTRIBUTE_OPERATION, HIERA_ATTRIBUTE_FILE,  HIERA_ATTRIBUTE_LINE};
    return is_among(declarer, name, site, G_N_ELEMENTS(site));
}

/* An argument that a `c` cannot name, since it says something else there. */
static gboolean is_taken(const HieraDeclarer *declarer, const char *name)
{
    static const HieraAttribute taken[] = {HIERA_ATTRIBUTE_R, HIERA_ATTRIBUTE_T, HIERA_ATTRIBUTE_D, HIERA_ATTRIBUTE_ID};
    return is_among(declarer, name, taken, G_N_ELEMENTS(taken));
}

/* How many attributes differ; -1 if a `c` that refers to @declared cannot say them. */
static int count_differences(const HieraDeclarer *declarer, const Declared *declared, const GArray *call)
{
    int differences = 0;
    if (declared->attributes->len != call->len)
        return -1;
    for (guint i = 0; i < call->len; i++) {
        const HieraXmlAttribute *a = &g_array_index(call, HieraXmlAttribute, i);
        const HieraXmlAttribute *b = &g_array_index(declared->attributes, HieraXmlAttribute, i);
        gboolean same = same_value(a, b);
        if (a->name != b->name || (!same && is_taken(declarer, a->name)))
            return -1;
        differences += !same;
    }
    return differences;
}

static guint declare(HieraDeclarer *declarer, GPtrArray *place, const GArray *call)
{
    Declared *declared = g_new0(Declared, 1);
    declared->number = declarer->all->len + 1;
    declared->attributes = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    for (guint i = 0; i < call->len; i++) {
        HieraXmlAttribute attribute = g_array_index(call, HieraXmlAttribute, i);
        gsize length = length_of(&attribute);
        attribute.value = g_string_chunk_insert_len(declarer->values, attribute.value, (gssize)length);
        attribute.end = attribute.value + length;
        g_array_append_val(declared->attributes, attribute);
    }
    g_ptr_array_add(declarer->all, declared);
    g_ptr_array_add(place, declared);
    g_hash_table_insert(declarer->by_text, g_strdup(declarer->key->str), declared);
    return declared->number;
}

static GPtrArray *find_place(HieraDeclarer *declarer, const GArray *call)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < call->len; i++) {
        const HieraXmlAttribute *attribute = &g_array_index(call, HieraXmlAttribute, i);
        if (is_site(declarer, attribute->name))
            hiera_attribute_append(text, attribute);
    }
    GPtrArray *place = g_hash_table_lookup(declarer->by_place, text->str);
    if (!place) {
        place = g_ptr_array_new();
        g_hash_table_insert(declarer->by_place, g_strdup(text->str), place);
    }
    return place;
}

/* Of those of a call site that has many, the one from which least differs; NULL if there is none. */
static const Declared *find_similar(const HieraDeclarer *declarer, const GPtrArray *place, const GArray *call)
{
    const Declared *best = NULL;
    int least = G_MAXINT;
    for (guint i = 0; i < place->len && place->len >= DECLARED_MAX; i++) {
        int differences = count_differences(declarer, place->pdata[i], call);
        if (differences >= 0 && differences < least) {
            least = differences;
            best = place->pdata[i];
        }
    }
    return best;
}

guint hiera_declarer_choose(HieraDeclarer *declarer, const GArray *call, GArray *own, gboolean *is_new)
{
    g_string_truncate(declarer->key, 0);
    hiera_attributes_append(declarer->key, call);
    const Declared *known = g_hash_table_lookup(declarer->by_text, declarer->key->str);
    *is_new = FALSE;
    if (known)
        return known->number;
    GPtrArray *place = find_place(declarer, call);
    const Declared *similar = find_similar(declarer, place, call);
    *is_new = !similar;
    if (!similar)
        return declare(declarer, place, call);
    for (guint i = 0; i < call->len; i++) {
        const HieraXmlAttribute *a = &g_array_index(call, HieraXmlAttribute, i);
        if (!same_value(a, &g_array_index(similar->attributes, HieraXmlAttribute, i)))
            g_array_append_vals(own, a, 1);
    }
    return similar->number;
}

static void declared_free(gpointer data)
{
    Declared *declared = data;
    g_array_unref(declared->attributes);
    g_free(declared);
}

HieraDeclarer *hiera_declarer_new(const char *const attributes[HIERA_N_ATTRIBUTES])
{
    HieraDeclarer *declarer = g_new0(HieraDeclarer, 1);
    declarer->names = attributes;
    declarer->by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    declarer->by_place = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    declarer->all = g_ptr_array_new_with_free_func(declared_free);
    declarer->key = g_string_new(NULL);
    declarer->values = g_string_chunk_new(4096);
    return declarer;
}

void hiera_declarer_free(HieraDeclarer *declarer)
{
    g_hash_table_unref(declarer->by_text);
    g_hash_table_unref(declarer->by_place);
    g_ptr_array_unref(declarer->all);
    g_string_free(declarer->key, TRUE);
    g_string_chunk_free(declarer->values);
    g_free(declarer);
}
