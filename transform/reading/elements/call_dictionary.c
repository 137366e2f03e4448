/* See call_dictionary.h. Hiera writes the ids c1, c2, …: such a declaration is found by its number, others by the
 * text of the id. Names of attributes are compared by pointer. */
#include "call_dictionary.h"
#include <string.h>

#define LONGEST_ID 7 /* bytes of the longest id that is found by number, c999999; limits the size of `by_number` */

struct HieraCallDictionary {
    GPtrArray *by_number; /* HieraDeclaredCall or NULL, by n of the id "cn" */
    GHashTable *by_id;    /* other ids, as texts → HieraDeclaredCall */
    GArray *merged;       /* HieraXmlAttribute: result of hiera_call_dictionary_merge() */
    guint n_replaced;
    const char *name_id, *name_r, *name_t, *name_d, *name_level, *name_class;
};

static void call_free(gpointer data)
{
    HieraDeclaredCall *call = data;
    if (!call)
        return;
    g_free(call->attributes);
    g_free(call->values);
    g_free(call->reading);
    g_free(call);
}

HieraCallDictionary *hiera_call_dictionary_new(HieraXml *xml)
{
    HieraCallDictionary *dictionary = g_new0(HieraCallDictionary, 1);
    dictionary->by_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, call_free);
    dictionary->by_number = g_ptr_array_new_with_free_func(call_free);
    dictionary->merged = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    const char **const names[] = {&dictionary->name_id, &dictionary->name_r,     &dictionary->name_t,
                                  &dictionary->name_d,  &dictionary->name_level, &dictionary->name_class};
    static const HieraAttribute numbers[] = {HIERA_ATTRIBUTE_ID, HIERA_ATTRIBUTE_R,     HIERA_ATTRIBUTE_T,
                                             HIERA_ATTRIBUTE_D,  HIERA_ATTRIBUTE_LEVEL, HIERA_ATTRIBUTE_CLASS};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        *names[i] = hiera_xml_intern(xml, hiera_attribute_name(numbers[i]));
    return dictionary;
}

void hiera_call_dictionary_free(HieraCallDictionary *dictionary)
{
    if (!dictionary)
        return;
    g_hash_table_unref(dictionary->by_id);
    g_ptr_array_unref(dictionary->by_number);
    g_array_unref(dictionary->merged);
    g_free(dictionary);
}

/* Return n of an id "cn" with n from 1; -1 for other ids, also for "c01", so that each id has its own number. */
static gssize read_number(const char *id, gsize length)
{
    gssize number = 0;
    if (length < 2 || length > LONGEST_ID || id[0] != 'c' || id[1] == '0')
        return -1;
    for (gsize i = 1; i < length; i++) {
        if (!g_ascii_isdigit(id[i]))
            return -1;
        number = number * 10 + (id[i] - '0');
    }
    return number;
}

static void add_call(HieraCallDictionary *dictionary, const HieraXmlAttribute *id, HieraDeclaredCall *call)
{
    gsize length = (gsize)(id->end - id->value);
    gssize number = read_number(id->value, length);
    if (number < 0) {
        dictionary->n_replaced += !g_hash_table_replace(dictionary->by_id, g_strndup(id->value, length), call);
        return;
    }
    if ((guint)number >= dictionary->by_number->len)
        g_ptr_array_set_size(dictionary->by_number, (gint)number + 1);
    dictionary->n_replaced += dictionary->by_number->pdata[number] != NULL;
    call_free(dictionary->by_number->pdata[number]);
    dictionary->by_number->pdata[number] = call;
}

static gsize count_bytes(const HieraXmlAttribute *attributes, guint n)
{
    gsize sum = 0;
    for (guint i = 0; i < n; i++)
        sum += (gsize)(attributes[i].end - attributes[i].value);
    return sum;
}

static void copy_attributes(const HieraCallDictionary *dictionary, HieraDeclaredCall *call,
                            const HieraXmlAttribute *attributes, guint n)
{
    char *value = call->values = g_malloc(count_bytes(attributes, n) + 1);
    call->attributes = g_new(HieraXmlAttribute, n);
    for (guint i = 0; i < n; i++) {
        gsize length = (gsize)(attributes[i].end - attributes[i].value);
        if (attributes[i].name == dictionary->name_id)
            continue;
        HieraXmlAttribute *to = &call->attributes[call->n_attributes++];
        *to = attributes[i];
        to->value = memcpy(value, attributes[i].value, length);
        to->end = value += length;
    }
}

gboolean hiera_call_dictionary_declare(HieraCallDictionary *dictionary, const HieraXmlAttribute *attributes, guint n)
{
    const HieraXmlAttribute *id = NULL;
    HieraElement element = HIERA_ELEMENT_MPI;
    for (guint i = 0; i < n; i++) {
        if (attributes[i].name == dictionary->name_id)
            id = &attributes[i];
        else if (attributes[i].name == dictionary->name_class)
            element = HIERA_ELEMENT_OOPS;
        else if (attributes[i].name == dictionary->name_level && element == HIERA_ELEMENT_MPI)
            element = HIERA_ELEMENT_REGION;
    }
    if (!id)
        return FALSE;
    HieraDeclaredCall *call = g_new0(HieraDeclaredCall, 1);
    call->element = element;
    copy_attributes(dictionary, call, attributes, n);
    add_call(dictionary, id, call);
    return TRUE;
}

/* Whether an attribute of a `c` belongs to the compact encoding (`r`, `t`, `d`), not to the call. */
static gboolean is_own(const HieraCallDictionary *dictionary, const HieraXmlAttribute *attribute)
{
    return attribute->name == dictionary->name_r || attribute->name == dictionary->name_t ||
           attribute->name == dictionary->name_d;
}

guint hiera_call_dictionary_count_replaced(const HieraCallDictionary *dictionary)
{
    return dictionary->n_replaced;
}

HieraDeclaredCall *hiera_call_dictionary_find(const HieraCallDictionary *dictionary, const HieraXmlAttribute *r)
{
    if (!r || !r->value) /* in a call of a loop, `r` can be without value */
        return NULL;
    gsize length = (gsize)(r->end - r->value);
    gssize number = read_number(r->value, length);
    if (number >= 0)
        return (guint)number < dictionary->by_number->len ? dictionary->by_number->pdata[number] : NULL;
    g_autofree char *id = g_strndup(r->value, length);
    return g_hash_table_lookup(dictionary->by_id, id);
}

/* Replace the declared attribute with this attribute's name (one of the first n_declared), or append the attribute. */
static void put(GArray *merged, guint n_declared, const HieraXmlAttribute *attribute)
{
    for (guint i = 0; i < n_declared; i++) {
        if (g_array_index(merged, HieraXmlAttribute, i).name == attribute->name) {
            g_array_index(merged, HieraXmlAttribute, i) = *attribute;
            return;
        }
    }
    g_array_append_vals(merged, attribute, 1);
}

const HieraXmlAttribute *hiera_call_dictionary_merge(HieraCallDictionary *dictionary, const HieraDeclaredCall *call,
                                                     const HieraXmlAttribute *attributes, guint n, guint *n_merged)
{
    g_array_set_size(dictionary->merged, 0);
    g_array_append_vals(dictionary->merged, call->attributes, call->n_attributes);
    for (guint i = 0; i < n; i++)
        if (!is_own(dictionary, &attributes[i]))
            put(dictionary->merged, call->n_attributes, &attributes[i]);
    *n_merged = dictionary->merged->len;
    return (const HieraXmlAttribute *)(void *)dictionary->merged->data;
}
