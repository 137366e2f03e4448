/* See calls.h. Ids are found by a table of their text; names are compared by pointer. */
#include "calls.h"
#include <string.h>

struct HieraCalls {
    GHashTable *by_id;    /* text → HieraCall */
    GString *id;          /* of the one that is looked for */
    GStringChunk *values; /* of all attributes */
    GArray *merged;       /* HieraXmlAttribute */
    const char *name_id, *name_r, *name_t, *name_d, *name_level, *name_class;
};

static void call_free(gpointer data)
{
    HieraCall *call = data;
    g_free(call->attributes);
    g_free(call->reading);
    g_free(call);
}

HieraCalls *hiera_calls_new(HieraXml *xml)
{
    HieraCalls *calls = g_new0(HieraCalls, 1);
    calls->by_id = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, call_free);
    calls->id = g_string_new(NULL);
    calls->values = g_string_chunk_new(4096);
    calls->merged = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    const char **const names[] = {&calls->name_id, &calls->name_r,     &calls->name_t,
                                  &calls->name_d,  &calls->name_level, &calls->name_class};
    static const HieraAttribute numbers[] = {HIERA_ATTRIBUTE_ID, HIERA_ATTRIBUTE_R,     HIERA_ATTRIBUTE_T,
                                             HIERA_ATTRIBUTE_D,  HIERA_ATTRIBUTE_LEVEL, HIERA_ATTRIBUTE_CLASS};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        *names[i] = hiera_xml_intern(xml, hiera_attribute_name(numbers[i]));
    return calls;
}

void hiera_calls_free(HieraCalls *calls)
{
    if (!calls)
        return;
    g_hash_table_unref(calls->by_id);
    g_string_free(calls->id, TRUE);
    g_string_chunk_free(calls->values);
    g_array_unref(calls->merged);
    g_free(calls);
}

gboolean hiera_calls_declare(HieraCalls *calls, const HieraXmlAttribute *attributes, guint n)
{
    char *id = NULL;
    HieraCall *call = g_new0(HieraCall, 1);
    call->element = HIERA_ELEMENT_MPI;
    call->attributes = g_new(HieraXmlAttribute, n);
    for (guint i = 0; i < n; i++) {
        const HieraXmlAttribute *from = &attributes[i];
        gsize length = (gsize)(from->end - from->value);
        if (from->name == calls->name_id) {
            g_free(id);
            id = g_strndup(from->value, length);
            continue;
        }
        if (from->name == calls->name_class)
            call->element = HIERA_ELEMENT_OOPS;
        else if (from->name == calls->name_level && call->element == HIERA_ELEMENT_MPI)
            call->element = HIERA_ELEMENT_REGION;
        HieraXmlAttribute *to = &call->attributes[call->n_attributes++];
        *to = *from;
        to->value = g_string_chunk_insert_len(calls->values, from->value, (gssize)length);
        to->end = to->value + length;
    }
    if (id)
        g_hash_table_replace(calls->by_id, id, call);
    else
        call_free(call);
    return id != NULL;
}

/* Is this attribute of a `c` part of the spelling, and not of the call? */
static gboolean is_own(const HieraCalls *calls, const HieraXmlAttribute *attribute)
{
    return attribute->name == calls->name_r || attribute->name == calls->name_t || attribute->name == calls->name_d;
}

HieraCall *hiera_calls_find(HieraCalls *calls, const HieraXmlAttribute *attributes, guint n, gboolean *plain)
{
    g_string_truncate(calls->id, 0);
    *plain = TRUE;
    for (guint i = 0; i < n; i++) {
        if (attributes[i].name == calls->name_r)
            g_string_append_len(calls->id, attributes[i].value, attributes[i].end - attributes[i].value);
        *plain = *plain && is_own(calls, &attributes[i]);
    }
    return g_hash_table_lookup(calls->by_id, calls->id->str);
}

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

const HieraXmlAttribute *hiera_calls_merge(HieraCalls *calls, const HieraCall *call,
                                           const HieraXmlAttribute *attributes, guint n, guint *n_merged)
{
    g_array_set_size(calls->merged, 0);
    g_array_append_vals(calls->merged, call->attributes, call->n_attributes);
    for (guint i = 0; i < n; i++)
        if (!is_own(calls, &attributes[i]))
            put(calls->merged, call->n_attributes, &attributes[i]);
    *n_merged = calls->merged->len;
    return (const HieraXmlAttribute *)(void *)calls->merged->data;
}
