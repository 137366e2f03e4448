#include "call_encoder.h"
#include "element_attributes.h"
#include <string.h>

#define DECLARED_MAX 16 /* greatest number of declarations of a call site; later calls use a similar one */

/* A declaration (hieraCall) that was written: its number, and the attributes that calls share. */
typedef struct {
    guint number;
    GArray *attributes; /* HieraXmlAttribute; the texts of the values are in the encoder's `values` */
} Declared;

struct HieraCallEncoder {
    const char *const *names; /* names of attributes, by HieraAttribute */
    GHashTable *by_text;      /* text of the attributes → Declared */
    GHashTable *by_place;     /* text of the call site → GPtrArray of Declared */
    GPtrArray *all;           /* Declared: all declarations, by number */
    GString *key;             /* text of the attributes of the current call: its key in `by_text` */
    GStringChunk *values;
};

static gboolean same_value(const HieraXmlAttribute *a, const HieraXmlAttribute *b)
{
    return hiera_attribute_length(a) == hiera_attribute_length(b) &&
           memcmp(a->value, b->value, hiera_attribute_length(a)) == 0;
}

static gboolean is_among(const HieraCallEncoder *encoder, const char *name, const HieraAttribute *attributes, guint n)
{
    for (guint i = 0; i < n; i++)
        if (encoder->names[attributes[i]] == name)
            return TRUE;
    return FALSE;
}

static gboolean is_site(const HieraCallEncoder *encoder, const char *name)
{
    static const HieraAttribute site[] = {HIERA_ATTRIBUTE_LEVEL,     HIERA_ATTRIBUTE_CLASS, HIERA_ATTRIBUTE_METHOD,
                                          HIERA_ATTRIBUTE_OPERATION, HIERA_ATTRIBUTE_FILE,  HIERA_ATTRIBUTE_LINE};
    return is_among(encoder, name, site, G_N_ELEMENTS(site));
}

/* Whether an element `c` cannot have an argument of this name, which means something else there (r, t, d, id). */
static gboolean is_taken(const HieraCallEncoder *encoder, const char *name)
{
    static const HieraAttribute taken[] = {HIERA_ATTRIBUTE_R, HIERA_ATTRIBUTE_T, HIERA_ATTRIBUTE_D, HIERA_ATTRIBUTE_ID};
    return is_among(encoder, name, taken, G_N_ELEMENTS(taken));
}

/* Return how many attributes' values in call and declaration differ; -1: the declaration does not fit the call. */
static int count_differences(const HieraCallEncoder *encoder, const Declared *declared, const GArray *call)
{
    int differences = 0;
    if (declared->attributes->len != call->len)
        return -1;
    for (guint i = 0; i < call->len; i++) {
        const HieraXmlAttribute *a = &g_array_index(call, HieraXmlAttribute, i);
        const HieraXmlAttribute *b = &g_array_index(declared->attributes, HieraXmlAttribute, i);
        gboolean same = same_value(a, b);
        if (a->name != b->name || (!same && is_taken(encoder, a->name)))
            return -1;
        differences += !same;
    }
    return differences;
}

/* Make a declaration of a call, whose attributes as text are in `key`. Return the declaration's number. */
static guint declare(HieraCallEncoder *encoder, GPtrArray *place, const GArray *call)
{
    Declared *declared = g_new0(Declared, 1);
    declared->number = encoder->all->len + 1;
    declared->attributes = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    for (guint i = 0; i < call->len; i++) {
        HieraXmlAttribute attribute = g_array_index(call, HieraXmlAttribute, i);
        gsize length = hiera_attribute_length(&attribute);
        attribute.value = g_string_chunk_insert_len(encoder->values, attribute.value, (gssize)length);
        attribute.end = attribute.value + length;
        g_array_append_val(declared->attributes, attribute);
    }
    g_ptr_array_add(encoder->all, declared);
    g_ptr_array_add(place, declared);
    g_hash_table_insert(encoder->by_text, g_strdup(encoder->key->str), declared);
    return declared->number;
}

static GPtrArray *find_place(HieraCallEncoder *encoder, const GArray *call)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < call->len; i++) {
        const HieraXmlAttribute *attribute = &g_array_index(call, HieraXmlAttribute, i);
        if (is_site(encoder, attribute->name))
            hiera_attribute_append(text, attribute);
    }
    GPtrArray *place = g_hash_table_lookup(encoder->by_place, text->str);
    if (!place) {
        place = g_ptr_array_new();
        g_hash_table_insert(encoder->by_place, g_strdup(text->str), place);
    }
    return place;
}

/* Return the declaration of a call site that differs least from the call; NULL if none fits, or if the call site may
 * have more declarations. */
static const Declared *find_similar(const HieraCallEncoder *encoder, const GPtrArray *place, const GArray *call)
{
    const Declared *best = NULL;
    int least = G_MAXINT;
    for (guint i = 0; i < place->len && place->len >= DECLARED_MAX; i++) {
        int differences = count_differences(encoder, place->pdata[i], call);
        if (differences >= 0 && differences < least) {
            least = differences;
            best = place->pdata[i];
        }
    }
    return best;
}

guint hiera_call_encoder_choose(HieraCallEncoder *encoder, const GArray *call, GArray *own, gboolean *is_new)
{
    g_string_truncate(encoder->key, 0);
    hiera_attributes_append(encoder->key, call);
    const Declared *known = g_hash_table_lookup(encoder->by_text, encoder->key->str);
    *is_new = FALSE;
    if (known)
        return known->number;
    GPtrArray *place = find_place(encoder, call);
    const Declared *similar = find_similar(encoder, place, call);
    *is_new = !similar;
    if (!similar)
        return declare(encoder, place, call);
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

HieraCallEncoder *hiera_call_encoder_new(const char *const attributes[HIERA_N_ATTRIBUTES])
{
    HieraCallEncoder *encoder = g_new0(HieraCallEncoder, 1);
    encoder->names = attributes;
    encoder->by_text = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    encoder->by_place = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)g_ptr_array_unref);
    encoder->all = g_ptr_array_new_with_free_func(declared_free);
    encoder->key = g_string_new(NULL);
    encoder->values = g_string_chunk_new(4096);
    return encoder;
}

void hiera_call_encoder_free(HieraCallEncoder *encoder)
{
    g_hash_table_unref(encoder->by_text);
    g_hash_table_unref(encoder->by_place);
    g_ptr_array_unref(encoder->all);
    g_string_free(encoder->key, TRUE);
    g_string_chunk_free(encoder->values);
    g_free(encoder);
}
