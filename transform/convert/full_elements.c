/* See full_elements.h. An element `c` gets the attributes of the hieraCall that it names; the hieraCall is left out. */
#include "full_elements.h"
#include "base/parse_numbers.h"
#include "call_places.h"
#include "element_attributes.h"
#include "hiera_trace.h"
#include "reading/elements/call_dictionary.h"
#include "reading/loops/loops.h"
#include "xml/input_file.h"
#include <string.h>

#define TIME_BYTES    32
#define NS_PER_SECOND G_GINT64_CONSTANT(1000000000)

struct HieraFullElements {
    const char *path;
    HieraInputFile *source;
    HieraXml *xml;
    HieraFullElementsEvents events;
    gpointer user;
    gboolean begun; /* whether an element has been read */
    GArray *passed; /* gboolean, for each open element: its begin was passed to events.start, so its end has to be
                       passed, too */
    HieraCallDictionary *calls; /* declarations of calls (hieraCall) that were read so far */
    HieraReadLoops *loops;
    GArray *whole;             /* HieraXmlAttribute: all attributes of the current element, in full encoding */
    char times[2][TIME_BYTES]; /* texts of the current call's start_time [0] and finish_time [1] */
    const char *elements[HIERA_N_ELEMENTS], *attributes[HIERA_N_ATTRIBUTES];
    const char *differing[HIERA_N_DIFFERING + 1];
    GHashTable *numbers; /* names of elements, including the paper's spellings → HieraElement */
    HieraRequestEncoding *requests;
    HieraCallPlaces *places;
};

/* --- the current call in full encoding --- */

/* Read an attribute's integer as nanoseconds. Return FALSE if the attribute is missing or not valid. */
static gboolean read_ns(const HieraXmlAttribute *attribute, gint64 *ns)
{
    return attribute &&
           hiera_number_parse_between(attribute->value, hiera_attribute_length(attribute), 0, G_MAXINT64 / 2, ns);
}

static void add_time(HieraFullElements *full, HieraAttribute attribute, gint64 ns, gboolean known)
{
    HieraXmlAttribute time = {.name = full->attributes[attribute]};
    char *text = full->times[attribute == HIERA_ATTRIBUTE_FINISH_TIME];
    int n = known ? g_snprintf(text, TIME_BYTES, "%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, ns / NS_PER_SECOND,
                               ns % NS_PER_SECOND)
                  : 0;
    time.value = text;
    time.end = text + n;
    g_array_append_val(full->whole, time);
}

/* Expand an element `c`: put all attributes of the call into full->whole; times follow the line, as in other traces. */
static void expand(HieraFullElements *full, const HieraDeclaredCall *call, const HieraXmlAttribute *attributes, guint n)
{
    guint n_merged;
    gint64 start = 0, duration = 0;
    gboolean started = read_ns(hiera_attribute_find(attributes, n, full->attributes[HIERA_ATTRIBUTE_T]), &start);
    gboolean ended = read_ns(hiera_attribute_find(attributes, n, full->attributes[HIERA_ATTRIBUTE_D]), &duration);
    const HieraXmlAttribute *merged = hiera_call_dictionary_merge(full->calls, call, attributes, n, &n_merged);
    gboolean timed = FALSE;
    g_array_set_size(full->whole, 0);
    for (guint i = 0; i < n_merged; i++) {
        g_array_append_val(full->whole, merged[i]);
        if (merged[i].name == full->attributes[HIERA_ATTRIBUTE_LINE] || (i + 1 == n_merged && !timed)) {
            add_time(full, HIERA_ATTRIBUTE_START_TIME, start, started);
            add_time(full, HIERA_ATTRIBUTE_FINISH_TIME, start + duration, started && ended);
            timed = TRUE;
        }
    }
}

/* --- passing elements on to the caller --- */

static void pass_on(HieraFullElements *full, HieraElement element, const char *name)
{
    if (hiera_element_is_call(element)) {
        hiera_call_places_find(full->places, full->whole);
        hiera_request_encoding_put_numbers(full->requests, full->whole);
    }
    full->events.start(full->user, element, name, full->whole);
}

static HieraElement element_of(const HieraFullElements *full, const char *name)
{
    gpointer number;
    gboolean known = g_hash_table_lookup_extended(full->numbers, name, NULL, &number);
    return known ? (HieraElement)GPOINTER_TO_UINT(number) : HIERA_N_ELEMENTS;
}

/* Pass an element other than `c` to events.start. */
static void pass_on_other(HieraFullElements *full, HieraElement element, const char *name,
                          const HieraXmlAttribute *attributes, guint n)
{
    if (element == HIERA_ELEMENT_THREAD)
        hiera_request_encoding_begin_section(full->requests);
    if (element == HIERA_ELEMENT_OBJECT)
        hiera_call_places_declare_object(full->places, attributes, n);
    g_array_set_size(full->whole, 0);
    g_array_append_vals(full->whole, attributes, n);
    pass_on(full, element, name);
}

/* Return TRUE if an element is a call that is not wanted. The root is no call.
 *
 * @param call  its declaration; may be NULL */
static gboolean is_skipped(HieraFullElements *full, HieraElement element, const HieraDeclaredCall *call,
                           const HieraXmlAttribute *attributes, guint n)
{
    if (!full->events.wants || !(call || hiera_element_is_call(element)) || full->passed->len == 0 ||
        full->events.wants(full->user))
        return FALSE;
    const char *name = full->attributes[HIERA_ATTRIBUTE_REQUEST];
    const HieraXmlAttribute *request = hiera_attribute_find(attributes, n, name);
    if (!request && call)
        request = hiera_attribute_find(call->attributes, call->n_attributes, name);
    if (request)
        hiera_request_encoding_skip(full->requests, request);
    return TRUE;
}

static const HieraDeclaredCall *find_declaration(const HieraFullElements *full, HieraElement element,
                                                 const HieraXmlAttribute *attributes, guint n)
{
    if (element != HIERA_ELEMENT_USE)
        return NULL;
    return hiera_call_dictionary_find(full->calls,
                                      hiera_attribute_find(attributes, n, full->attributes[HIERA_ATTRIBUTE_R]));
}

static void start_element(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    (void)note;
    HieraFullElements *full = user;
    full->begun = TRUE;
    HieraElement element = element_of(full, name);
    const HieraDeclaredCall *call = find_declaration(full, element, attributes, n);
    gboolean passes = !hiera_read_loops_start(full->loops, element, attributes, n) &&
                      !(element == HIERA_ELEMENT_CALL && hiera_call_dictionary_declare(full->calls, attributes, n)) &&
                      !is_skipped(full, element, call, attributes, n);
    g_array_append_val(full->passed, passes);
    if (!passes)
        return;
    if (!call) {
        pass_on_other(full, element, name, attributes, n);
        return;
    }
    expand(full, call, attributes, n);
    pass_on(full, call->element, full->elements[call->element]);
}

static void pop_element(HieraFullElements *full)
{
    gboolean passed = g_array_index(full->passed, gboolean, full->passed->len - 1);
    g_array_set_size(full->passed, full->passed->len - 1);
    if (passed)
        full->events.end(full->user);
}

static void end_element(gpointer user, const char *name)
{
    (void)name;
    HieraFullElements *full = user;
    if (full->passed->len == 0)
        return;
    hiera_read_loops_end(full->loops);
    pop_element(full);
}

static void end_loop_call(gpointer user)
{
    pop_element(user);
}

static void add_element_name(const char *name, int number, gpointer user)
{
    HieraFullElements *full = user;
    const char *interned = hiera_xml_intern(full->xml, name);
    if (!full->elements[number]) /* keep the first name, which is the standard one; the paper's name comes later */
        full->elements[number] = interned;
    g_hash_table_insert(full->numbers, (gpointer)interned, GINT_TO_POINTER(number));
}

static void add_attribute_name(const char *name, int number, gpointer user)
{
    HieraFullElements *full = user;
    if (!full->attributes[number])
        full->attributes[number] = hiera_xml_intern(full->xml, name);
}

HieraFullElements *hiera_full_elements_new(const char *path, const HieraFullElementsEvents *events, gpointer user,
                                           GError **error)
{
    g_autoptr(GError) cause = NULL;
    HieraInputFile *source = hiera_input_file_open(path, NULL, &cause);
    if (!source) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "%s: %s", path, cause->message);
        return NULL;
    }
    HieraFullElements *full = g_new0(HieraFullElements, 1);
    *full = (HieraFullElements){.path = path, .source = source, .events = *events, .user = user};
    static const HieraLoopEvents loop_events = {start_element, end_loop_call, NULL};
    const HieraXmlEvents xml_events = {start_element, end_element, NULL, full->differing};
    hiera_vocabulary_differing(full->differing);
    full->xml = hiera_xml_new(source, &xml_events, full);
    full->passed = g_array_new(FALSE, FALSE, sizeof(gboolean));
    full->calls = hiera_call_dictionary_new(full->xml);
    full->loops = hiera_read_loops_new(full->xml, &loop_events, full);
    full->whole = g_array_new(FALSE, FALSE, sizeof(HieraXmlAttribute));
    full->numbers = g_hash_table_new(NULL, NULL);
    hiera_vocabulary_elements(add_element_name, full);
    hiera_vocabulary_attributes(add_attribute_name, full);
    full->requests = hiera_request_encoding_new(full->xml);
    full->places = hiera_call_places_new(full->attributes, path);
    return full;
}

void hiera_full_elements_free(HieraFullElements *full)
{
    if (!full)
        return;
    hiera_call_dictionary_free(full->calls);
    hiera_read_loops_free(full->loops);
    hiera_request_encoding_free(full->requests);
    hiera_call_places_free(full->places);
    hiera_xml_free(full->xml);
    g_hash_table_unref(full->numbers);
    g_array_unref(full->passed);
    g_array_unref(full->whole);
    hiera_input_file_free(full->source);
    g_free(full);
}

gboolean hiera_full_elements_visit(HieraFullElements *full, GError **error)
{
    HieraXmlEnd end = hiera_xml_parse(full->xml);
    /* A syntax error is no error here if elements precede it: whoever loaded the same trace has already reported it. */
    if (full->begun)
        return TRUE;
    g_set_error(
        error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "%s:%u: %s", full->path, hiera_xml_line(full->xml),
        end == HIERA_XML_BROKEN || end == HIERA_XML_LIMIT || end == HIERA_XML_CUT ? hiera_xml_peek_message(full->xml)
        : end == HIERA_XML_ENTITY || end == HIERA_XML_GRAMMAR ? "declares an entity or a grammar, which is refused"
                                                              : hiera_input_file_peek_problem(full->source));
    return FALSE;
}

void hiera_full_elements_stop(HieraFullElements *full)
{
    hiera_xml_stop(full->xml);
    hiera_read_loops_stop(full->loops);
}

const char *const *hiera_full_elements_peek_attributes(const HieraFullElements *full)
{
    return full->attributes;
}

const char *const *hiera_full_elements_peek_elements(const HieraFullElements *full)
{
    return full->elements;
}

const char *hiera_full_elements_intern(HieraFullElements *full, const char *name)
{
    return hiera_xml_intern(full->xml, name);
}

HieraRequestEncoding *hiera_full_elements_peek_requests(const HieraFullElements *full)
{
    return full->requests;
}
