/* See convert.h. Elements are written while they are read, with the collector's layout. A call is first expanded to
 * full encoding, then written in the wanted encoding. */
#include "convert.h"
#include "call_encoder.h"
#include "dtd/names.h"
#include "element_attributes.h"
#include "full_elements.h"
#include <string.h>

#define INDENT_MAX     16 /* deepest element that is indented further than its parent */
#define OUT_BYTES      (1 << 16)
#define SECONDS_DIGITS 9

typedef struct {
    HieraFullElements *full; /* reads the trace */
    HieraEncoding encoding;
    const HieraConvertChanges *changes; /* changes to make while converting; NULL: none */
    FILE *file;
    GString *out;
    GPtrArray *open;           /* names of elements whose end tag is not written yet */
    gboolean tag_open;         /* whether the last start tag has no '>' yet */
    HieraCallEncoder *encoder; /* declarations of calls written so far */
    const GArray *whole;       /* HieraXmlAttribute: all attributes of the current call, in full encoding */
    GArray *stable;            /* attributes of the current call that go into its declaration */
    GArray *own;               /* attributes of the current call that go into its element `c` */
    const char *const *elements, *const *attributes;
    GHashTable *per_call; /* set of names in HIERA_PER_CALL_ATTRIBUTES */
} Conversion;

static void flush(Conversion *re)
{
    fwrite(re->out->str, 1, re->out->len, re->file);
    g_string_truncate(re->out, 0);
}

/* --- writing elements of XML --- */

static void begin_line(Conversion *re)
{
    if (re->tag_open)
        g_string_append_c(re->out, '>');
    re->tag_open = FALSE;
    if (re->open->len > 0)
        g_string_append_printf(re->out, "\n%*s", (int)(2 * MIN(re->open->len, INDENT_MAX)), "");
}

static void begin_element(Conversion *re, const char *name)
{
    begin_line(re);
    g_string_append_printf(re->out, "<%s", name);
    g_ptr_array_add(re->open, (gpointer)name);
    re->tag_open = TRUE;
}

static void end_element(gpointer user)
{
    Conversion *re = user;
    const char *name = g_ptr_array_steal_index(re->open, re->open->len - 1);
    if (re->tag_open) {
        g_string_append(re->out, "/>");
        re->tag_open = FALSE;
    } else {
        begin_line(re);
        g_string_append_printf(re->out, re->open->len > 0 ? "</%s>" : "\n</%s>\n", name);
    }
    if (re->out->len > OUT_BYTES)
        flush(re);
}

/* --- writing calls in compact encoding --- */

/* Read seconds that nanoseconds represent exactly: not negative, at most nine digits after the point. Return FALSE if
 * the attribute is missing or different. */
static gboolean read_seconds(const HieraXmlAttribute *attribute, gint64 *ns)
{
    const char *point = attribute ? memchr(attribute->value, '.', hiera_attribute_length(attribute)) : NULL;
    return attribute && hiera_attribute_length(attribute) > 0 && g_ascii_isdigit(*attribute->value) &&
           (!point || attribute->end - point - 1 <= SECONDS_DIGITS) &&
           hiera_seconds_parse(attribute->value, hiera_attribute_length(attribute), ns);
}

/* Divide re->whole, without times, into re->stable (attributes that other calls may share) and re->own. */
static void divide(Conversion *re)
{
    g_array_set_size(re->stable, 0);
    g_array_set_size(re->own, 0);
    for (guint i = 0; i < re->whole->len; i++) {
        HieraXmlAttribute *attribute = &g_array_index(re->whole, HieraXmlAttribute, i);
        if (attribute->name == re->attributes[HIERA_ATTRIBUTE_START_TIME] ||
            attribute->name == re->attributes[HIERA_ATTRIBUTE_FINISH_TIME])
            continue;
        gboolean is_own =
            !hiera_request_encoding_put_distances(hiera_full_elements_peek_requests(re->full), attribute) ||
            g_hash_table_contains(re->per_call, attribute->name);
        g_array_append_vals(is_own ? re->own : re->stable, attribute, 1);
    }
}

static void declare(Conversion *re, guint number)
{
    begin_line(re);
    g_string_append_printf(re->out, "<%s id=\"c%u\"", re->elements[HIERA_ELEMENT_CALL], number);
    hiera_attributes_append(re->out, re->stable);
    g_string_append(re->out, "/>");
}

/* Write the call in re->whole as a `c`. Return FALSE if a `c` cannot express it: it stands for several calls, its times
 * are not exact nanoseconds, or its attributes would make a `c` stand for another element. */
static gboolean write_compact(Conversion *re, HieraElement element)
{
    const HieraXmlAttribute *whole = (const HieraXmlAttribute *)(void *)re->whole->data;
    const HieraXmlAttribute *finish =
        hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_FINISH_TIME]);
    gboolean class_named = hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_CLASS]) != NULL;
    gboolean level_named = hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_LEVEL]) != NULL;
    gboolean open = finish && hiera_attribute_length(finish) == 0;
    gboolean several = hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_CALLS]) != NULL;
    gint64 start_ns, finish_ns = 0;
    if (several ||
        !read_seconds(hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_START_TIME]),
                      &start_ns) ||
        !(open || (read_seconds(finish, &finish_ns) && finish_ns >= start_ns)) ||
        element != (class_named   ? HIERA_ELEMENT_OOPS
                    : level_named ? HIERA_ELEMENT_REGION
                                  : HIERA_ELEMENT_MPI))
        return FALSE;
    divide(re);
    gboolean is_new;
    guint number = hiera_call_encoder_choose(re->encoder, re->stable, re->own, &is_new);
    if (is_new)
        declare(re, number);
    begin_element(re, re->elements[HIERA_ELEMENT_USE]);
    g_string_append_printf(re->out, " r=\"c%u\" t=\"%" G_GINT64_FORMAT "\"", number, start_ns);
    if (!open)
        g_string_append_printf(re->out, " d=\"%" G_GINT64_FORMAT "\"", finish_ns - start_ns);
    hiera_attributes_append(re->out, re->own);
    return TRUE;
}

static void start_element(gpointer user, HieraElement element, const char *name, GArray *attributes)
{
    Conversion *re = user;
    re->whole = attributes;
    if (re->changes)
        re->changes->element(re->changes->user, element, attributes);
    if (re->encoding == HIERA_ENCODING_COMPACT && hiera_element_is_call(element) && write_compact(re, element))
        return;
    begin_element(re, name);
    hiera_attributes_append(re->out, attributes);
}

static void conversion_init(Conversion *re)
{
    static const char *const per_call[] = {
#define X(name) name,
        HIERA_PER_CALL_ATTRIBUTES(X)
#undef X
    };
    re->out = g_string_sized_new(2 * OUT_BYTES);
    re->open = g_ptr_array_new();
    re->stable = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    re->own = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    re->per_call = g_hash_table_new(g_direct_hash, g_direct_equal);
    re->elements = hiera_full_elements_peek_elements(re->full);
    re->attributes = hiera_full_elements_peek_attributes(re->full);
    re->encoder = hiera_call_encoder_new(re->attributes);
    for (guint i = 0; i < G_N_ELEMENTS(per_call); i++)
        g_hash_table_add(re->per_call, (gpointer)hiera_full_elements_intern(re->full, per_call[i]));
}

static void conversion_clear(Conversion *re)
{
    hiera_call_encoder_free(re->encoder);
    g_string_free(re->out, TRUE);
    g_ptr_array_unref(re->open);
    g_array_unref(re->stable);
    g_array_unref(re->own);
    g_hash_table_unref(re->per_call);
}

gboolean hiera_convert(const char *path, HieraEncoding encoding, const HieraConvertChanges *changes, guint index,
                       FILE *out, GError **error)
{
    static const HieraFullElementsEvents events = {start_element, end_element, NULL};
    Conversion re = {.encoding = encoding, .changes = changes, .file = out};
    g_autoptr(HieraFullElements) full = hiera_full_elements_new(path, &events, &re, error);
    if (!full)
        return FALSE;
    re.full = full;
    conversion_init(&re);
    if (changes)
        changes->begin(changes->user, index, re.attributes);
    g_string_append(re.out, HIERA_TRACE_PROLOGUE);
    gboolean used = hiera_full_elements_visit(full, error);
    flush(&re);
    conversion_clear(&re);
    return used;
}
