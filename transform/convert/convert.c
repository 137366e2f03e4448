/* See convert.h. Elements are written while they are read, with the collector's layout. A call is first expanded to
 * its full spelling, then written in the spelling that was asked for. */
#include "convert.h"
#include "call_encoder.h"
#include "call_places.h"
#include "element_attributes.h"
#include "reading/call_dictionary.h"
#include "request_spelling.h"
#include <string.h>

#define INDENT_MAX     16 /* levels */
#define OUT_BYTES      (1 << 16)
#define TIME_BYTES     32
#define NS_PER_SECOND  G_GINT64_CONSTANT(1000000000)
#define SECONDS_DIGITS 9

typedef struct {
    HieraXml *xml;
    HieraSpelling spelling;
    FILE *file;
    GString *out;
    GPtrArray *open;            /* names of open elements, as they are written; NULL: the element is not written */
    guint depth;                /* open elements that are written */
    gboolean tag_open;          /* the last start tag has no '>' yet */
    gboolean begun;             /* an element has been read */
    HieraCallDictionary *calls; /* declarations that are read */
    HieraCallEncoder *encoder;  /* declarations that are written */
    GArray *whole;              /* HieraXmlAttribute: all attributes of the current call, in full spelling */
    GArray *stable;             /* those that go into its declaration */
    GArray *own;                /* those that go into its `c` */
    char times[2][TIME_BYTES];  /* text of start_time and finish_time */
    const char *elements[HIERA_N_ELEMENTS], *attributes[HIERA_N_ATTRIBUTES];
    GHashTable *per_call; /* names of HIERA_PER_CALL_ATTRIBUTES */
    HieraRequestSpelling *requests;
    HieraCallPlaces *places;
} Conversion;

static void flush(Conversion *re)
{
    fwrite(re->out->str, 1, re->out->len, re->file);
    g_string_truncate(re->out, 0);
}

/* --- elements --- */

static void begin_line(Conversion *re)
{
    if (re->tag_open)
        g_string_append_c(re->out, '>');
    re->tag_open = FALSE;
    if (re->depth > 0)
        g_string_append_printf(re->out, "\n%*s", (int)(2 * MIN(re->depth, INDENT_MAX)), "");
}

static void begin_element(Conversion *re, const char *name)
{
    begin_line(re);
    g_string_append_printf(re->out, "<%s", name);
    g_ptr_array_add(re->open, (gpointer)name);
    re->depth++;
    re->tag_open = TRUE;
}

static void end_element(gpointer user, const char *name)
{
    Conversion *re = user;
    if (re->open->len == 0)
        return;
    const char *written = g_ptr_array_steal_index(re->open, re->open->len - 1);
    (void)name;
    re->depth -= written != NULL;
    if (written && re->tag_open) {
        g_string_append(re->out, "/>");
        re->tag_open = FALSE;
    } else if (written) {
        begin_line(re);
        g_string_append_printf(re->out, re->open->len > 0 ? "</%s>" : "\n</%s>\n", written);
    }
    if (re->out->len > OUT_BYTES)
        flush(re);
}

static void copy_element(Conversion *re, const char *name, const HieraXmlAttribute *attributes, guint n)
{
    begin_element(re, name);
    for (guint i = 0; i < n; i++)
        hiera_attribute_append(re->out, &attributes[i]);
}

/* --- the current call in full spelling --- */

/* Read an integer number of nanoseconds. Return FALSE if the attribute is missing or not valid. */
static gboolean read_ns(const HieraXmlAttribute *attribute, gint64 *ns)
{
    g_autofree char *text = attribute ? g_strndup(attribute->value, hiera_attribute_length(attribute)) : g_strdup("");
    guint64 value;
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXINT64 / 2, &value, NULL))
        return FALSE;
    *ns = (gint64)value;
    return TRUE;
}

/* Read seconds that nanoseconds represent exactly: not negative, at most nine digits after the point. Return FALSE if
 * the attribute is missing or different. */
static gboolean read_seconds(const HieraXmlAttribute *attribute, gint64 *ns)
{
    const char *point = attribute ? memchr(attribute->value, '.', hiera_attribute_length(attribute)) : NULL;
    return attribute && hiera_attribute_length(attribute) > 0 && g_ascii_isdigit(*attribute->value) &&
           (!point || attribute->end - point - 1 <= SECONDS_DIGITS) &&
           hiera_seconds_parse(attribute->value, hiera_attribute_length(attribute), ns);
}

static void add_time(Conversion *re, HieraAttribute attribute, gint64 ns, gboolean known)
{
    HieraXmlAttribute time = {.name = re->attributes[attribute]};
    char *text = re->times[attribute == HIERA_ATTRIBUTE_FINISH_TIME];
    int n = known ? g_snprintf(text, TIME_BYTES, "%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, ns / NS_PER_SECOND,
                               ns % NS_PER_SECOND)
                  : 0;
    time.value = text;
    time.end = text + n;
    g_array_append_val(re->whole, time);
}

/* Expand a `c`: put the attributes of its call into re->whole, the times after the line as the collector does. */
static void expand(Conversion *re, const HieraDeclaredCall *call, const HieraXmlAttribute *attributes, guint n)
{
    guint n_merged;
    gint64 start = 0, duration = 0;
    gboolean started = read_ns(hiera_attribute_find(attributes, n, re->attributes[HIERA_ATTRIBUTE_T]), &start);
    gboolean ended = read_ns(hiera_attribute_find(attributes, n, re->attributes[HIERA_ATTRIBUTE_D]), &duration);
    const HieraXmlAttribute *merged = hiera_call_dictionary_merge(re->calls, call, attributes, n, &n_merged);
    gboolean timed = FALSE;
    g_array_set_size(re->whole, 0);
    for (guint i = 0; i < n_merged; i++) {
        g_array_append_val(re->whole, merged[i]);
        if (merged[i].name == re->attributes[HIERA_ATTRIBUTE_LINE] || (i + 1 == n_merged && !timed)) {
            add_time(re, HIERA_ATTRIBUTE_START_TIME, start, started);
            add_time(re, HIERA_ATTRIBUTE_FINISH_TIME, start + duration, started && ended);
            timed = TRUE;
        }
    }
}

/* --- compact spelling --- */

/* Divide re->whole, without times, into attributes that can repeat and attributes of this call. */
static void divide(Conversion *re)
{
    g_array_set_size(re->stable, 0);
    g_array_set_size(re->own, 0);
    for (guint i = 0; i < re->whole->len; i++) {
        HieraXmlAttribute *attribute = &g_array_index(re->whole, HieraXmlAttribute, i);
        if (attribute->name == re->attributes[HIERA_ATTRIBUTE_START_TIME] ||
            attribute->name == re->attributes[HIERA_ATTRIBUTE_FINISH_TIME])
            continue;
        gboolean is_own = !hiera_request_spelling_put_distances(re->requests, attribute) ||
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

/* Write the call in re->whole as a `c`. Return FALSE if a `c` cannot express it: its times are not exact nanoseconds,
 * or its attributes would make a `c` stand for another element. */
static gboolean write_compact(Conversion *re, HieraElement element)
{
    const HieraXmlAttribute *whole = (const HieraXmlAttribute *)(void *)re->whole->data;
    const HieraXmlAttribute *finish =
        hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_FINISH_TIME]);
    gboolean class_named = hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_CLASS]) != NULL;
    gboolean level_named = hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_LEVEL]) != NULL;
    gboolean open = finish && hiera_attribute_length(finish) == 0;
    gint64 start_ns, finish_ns = 0;
    if (!read_seconds(hiera_attribute_find(whole, re->whole->len, re->attributes[HIERA_ATTRIBUTE_START_TIME]),
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

static void write_call(Conversion *re, HieraElement element)
{
    hiera_call_places_find(re->places, re->whole);
    hiera_request_spelling_put_numbers(re->requests, re->whole);
    if (re->spelling == HIERA_SPELLING_COMPACT && write_compact(re, element))
        return;
    begin_element(re, re->elements[element]);
    hiera_attributes_append(re->out, re->whole);
}

/* --- events --- */

static HieraElement element_of(const Conversion *re, const char *name)
{
    for (int i = 0; i < HIERA_N_ELEMENTS; i++)
        if (re->elements[i] == name)
            return (HieraElement)i;
    return HIERA_N_ELEMENTS;
}

static void start_element(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    (void)note;
    Conversion *re = user;
    re->begun = TRUE;
    HieraElement element = element_of(re, name);
    const HieraDeclaredCall *call =
        element == HIERA_ELEMENT_USE
            ? hiera_call_dictionary_find(re->calls,
                                         hiera_attribute_find(attributes, n, re->attributes[HIERA_ATTRIBUTE_R]))
            : NULL;
    if (element == HIERA_ELEMENT_CALL && hiera_call_dictionary_declare(re->calls, attributes, n)) {
        g_ptr_array_add(re->open, NULL); /* not copied: the encoder makes declarations of its own */
    } else if (call) {
        expand(re, call, attributes, n);
        write_call(re, call->element);
    } else if (element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_REGION) {
        g_array_set_size(re->whole, 0);
        g_array_append_vals(re->whole, attributes, n);
        write_call(re, element);
    } else {
        if (element == HIERA_ELEMENT_THREAD)
            hiera_request_spelling_begin_section(re->requests);
        if (element == HIERA_ELEMENT_OBJECT)
            hiera_call_places_declare_object(re->places, attributes, n);
        copy_element(re, name, attributes, n);
    }
}

static void add_element_name(const char *name, int number, gpointer user)
{
    Conversion *re = user;
    if (!re->elements[number]) /* the standard spelling comes first, the paper's spelling later */
        re->elements[number] = hiera_xml_intern(re->xml, name);
}

static void add_attribute_name(const char *name, int number, gpointer user)
{
    Conversion *re = user;
    if (!re->attributes[number])
        re->attributes[number] = hiera_xml_intern(re->xml, name);
}

static void conversion_init(Conversion *re, HieraInputFile *source, const char *path)
{
    static const HieraXmlEvents events = {start_element, end_element, NULL, NULL};
    static const char *const per_call[] = {
#define X(name) name,
        HIERA_PER_CALL_ATTRIBUTES(X)
#undef X
    };
    re->xml = hiera_xml_new(source, &events, re);
    re->out = g_string_sized_new(2 * OUT_BYTES);
    re->open = g_ptr_array_new();
    re->calls = hiera_call_dictionary_new(re->xml);
    re->whole = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    re->stable = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    re->own = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    re->per_call = g_hash_table_new(g_direct_hash, g_direct_equal);
    hiera_vocabulary_elements(add_element_name, re);
    hiera_vocabulary_attributes(add_attribute_name, re);
    re->encoder = hiera_call_encoder_new(re->attributes);
    re->requests = hiera_request_spelling_new(re->xml);
    re->places = hiera_call_places_new(re->attributes, path);
    for (guint i = 0; i < G_N_ELEMENTS(per_call); i++)
        g_hash_table_add(re->per_call, (gpointer)hiera_xml_intern(re->xml, per_call[i]));
}

static void conversion_clear(Conversion *re)
{
    hiera_call_dictionary_free(re->calls);
    hiera_call_encoder_free(re->encoder);
    hiera_request_spelling_free(re->requests);
    hiera_call_places_free(re->places);
    hiera_xml_free(re->xml);
    g_string_free(re->out, TRUE);
    g_ptr_array_unref(re->open);
    g_array_unref(re->whole);
    g_array_unref(re->stable);
    g_array_unref(re->own);
    g_hash_table_unref(re->per_call);
}

gboolean hiera_convert(const char *path, HieraSpelling spelling, FILE *out, GError **error)
{
    g_autoptr(GError) cause = NULL;
    g_autoptr(HieraInputFile) source = hiera_input_file_open(path, NULL, &cause);
    if (!source) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "%s: %s", path, cause->message);
        return FALSE;
    }
    Conversion re = {.spelling = spelling, .file = out};
    conversion_init(&re, source, path);
    g_string_append(re.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE processor SYSTEM \"trace.dtd\">\n"
                            "<?xml-stylesheet type=\"text/xsl\" href=\"visual.xsl\"?>\n");
    HieraXmlEnd end = hiera_xml_parse(re.xml);
    flush(&re);
    /* Elements before an error are written. The reader of the same trace has already reported the error. */
    gboolean used = re.begun;
    if (!used)
        g_set_error(
            error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "%s:%u: %s", path, hiera_xml_line(re.xml),
            end == HIERA_XML_BROKEN || end == HIERA_XML_LIMIT || end == HIERA_XML_CUT ? hiera_xml_peek_message(re.xml)
            : end == HIERA_XML_ENTITY || end == HIERA_XML_GRAMMAR ? "declares an entity or a grammar, which is refused"
                                                                  : hiera_input_file_peek_problem(source));
    conversion_clear(&re);
    return used;
}
