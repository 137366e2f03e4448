/* See call_reader.h. Attributes that calls share are read once and kept: in the note of a tag that repeats (see
 * HieraXmlEvents), and in a declaration of the compact encoding. */
#include "call_reader.h"
#include "base/findings.h"
#include "call_dictionary.h"
#include "communicators.h"
#include "operation.h"
#include "sums.h"
#include <string.h>

#define NOTED_MOST 8 /* most attributes that a note remembers */

/* What calls with the same shared attributes have in common. */
typedef struct {
    HieraOperation operation; /* the operation without index, parent, depth, times and requests */
    guint meanings; /* value of count_meanings() when the operation was read: if it changes, ids mean something else */
    gboolean requests;           /* whether the calls have requests, which are read for each call */
    HieraAttributeValues values; /* values of attributes that expressions ask for */
} Common;

/* What is remembered for a start tag that repeats: HieraXmlEvents.start gets it as `note`. */
typedef struct {
    Common common;
    guint n;
    struct {
        guint8 index, attribute;
    } each_time[NOTED_MOST]; /* attributes that are read for each call: index in the tag, HieraAttribute */
    guint n_declared;
    HieraAttribute declared[NOTED_MOST]; /* attributes of the `hieraCall` about requests, read for each call */
    HieraXmlAttribute lists[NOTED_MOST]; /* values of `declared` */
} Note;

struct HieraCallReader {
    HieraReadContext *context;
    HieraAttributes sorted, merged; /* attributes of the current tag, without and with its declaration's */
    GArray *requests;               /* HieraRequest of the current call */
    GArray *pending;                /* HieraPending of the current call */
    HieraCallDictionary *dictionary;
    gint64 last_request;         /* number of the request that this thread's section started last; 0: none */
    HieraAttributeValues values; /* requested attribute values of the call that was read last */
};

HieraCallReader *hiera_call_reader_new(HieraReadContext *context, HieraXml *xml)
{
    HieraCallReader *reader = g_new0(HieraCallReader, 1);
    reader->context = context;
    reader->requests = g_array_new(FALSE, FALSE, sizeof(HieraRequest));
    reader->pending = g_array_new(FALSE, FALSE, sizeof(HieraPending));
    reader->dictionary = hiera_call_dictionary_new(xml);
    return reader;
}

void hiera_call_reader_free(HieraCallReader *reader)
{
    g_array_unref(reader->requests);
    g_array_unref(reader->pending);
    hiera_call_dictionary_free(reader->dictionary);
    g_free(reader);
}

void hiera_call_reader_begin_section(HieraCallReader *reader)
{
    reader->last_request = 0;
}

const HieraAttributeValues *hiera_call_reader_peek_values(const HieraCallReader *reader)
{
    return &reader->values;
}

/* Return how often an id (of a communicator or a declaration) has changed its meaning. If it changes, earlier
 * readings are no longer valid. */
static guint count_meanings(const HieraCallReader *reader)
{
    return reader->context->communicators.n_changes + hiera_call_dictionary_count_replaced(reader->dictionary);
}

static gboolean has_requests(const HieraAttributes *attributes)
{
    return attributes->at[HIERA_ATTRIBUTE_REQUEST] || attributes->at[HIERA_ATTRIBUTE_REQUESTS] ||
           attributes->at[HIERA_ATTRIBUTE_PENDING] || attributes->at[HIERA_ATTRIBUTE_MESSAGE];
}

/* Read the part of a call that similar calls share. Return TRUE if it may be used for those: reading it caused no
 * finding, which would have to be repeated, and the call makes no window or file and names no message. */
static gboolean read_common(HieraCallReader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                            HieraAttributes *sorted, Common *common)
{
    HieraReadContext *context = reader->context;
    guint64 n_findings = hiera_findings_sum(context->place.findings);
    hiera_read_context_sort(context, element, attributes, n, sorted);
    hiera_operation_read(context, element, sorted, &common->operation);
    common->meanings = count_meanings(reader);
    common->requests = has_requests(sorted);
    hiera_attribute_values_read(context, sorted, attributes, n, &common->operation, &common->values);
    return n_findings == hiera_findings_sum(context->place.findings) && !hiera_communicators_is_maker(sorted) &&
           !sorted->at[HIERA_ATTRIBUTE_MESSAGE];
}

/* Begin an operation with its shared part, and read its requests.
 *
 * @param all  attributes of the call; those of requests are enough */
static void begin_operation(HieraCallReader *reader, const Common *common, const HieraAttributes *all,
                            HieraOperation *operation)
{
    *operation = common->operation;
    if (hiera_attribute_columns_count() > 0)
        reader->values = common->values;
    if (common->requests)
        hiera_arguments_read_requests(&reader->context->place, all, operation, reader->requests, reader->pending,
                                      &reader->last_request);
}

/* --- notes: what is remembered of a tag --- */

static gboolean is_read_each_time(guint attribute)
{
    switch (attribute) {
    case HIERA_ATTRIBUTE_START_TIME:
    case HIERA_ATTRIBUTE_FINISH_TIME:
    case HIERA_ATTRIBUTE_T:
    case HIERA_ATTRIBUTE_D:
    case HIERA_ATTRIBUTE_REQUEST:
    case HIERA_ATTRIBUTE_REQUESTS:
    case HIERA_ATTRIBUTE_PENDING:
    case HIERA_ATTRIBUTE_SOURCES:
    case HIERA_ATTRIBUTE_TAGS:
    case HIERA_ATTRIBUTE_SIZES:
        return TRUE;
    default:
        return FALSE;
    }
}

/* Keep a note of a tag, unless it has too many attributes.
 *
 * @param own    attributes of the tag
 * @param all    these and the declared ones; the same as `own` in full encoding
 * @param place  receives the note */
static void take_note(const HieraAttributes *own, const HieraAttributes *all, const HieraXmlAttribute *attributes,
                      const Common *common, gpointer *place)
{
    Note note = {.common = *common};
    for (guint i = 0; i < own->n; i++) {
        guint number = own->numbers[i];
        gsize index = (gsize)(own->at[number] - attributes);
        if (!is_read_each_time(number))
            continue;
        if (note.n == NOTED_MOST || index > G_MAXUINT8)
            return;
        note.each_time[note.n].index = (guint8)index;
        note.each_time[note.n++].attribute = (guint8)number;
    }
    for (guint i = 0; i < all->n; i++) {
        guint number = all->numbers[i];
        if (own->at[number] || !is_read_each_time(number))
            continue;
        if (note.n_declared == NOTED_MOST)
            return;
        note.declared[note.n_declared] = (HieraAttribute)number;
        note.lists[note.n_declared++] = *all->at[number];
    }
    g_free(*place);
    *place = g_memdup2(&note, sizeof note);
}

/* Begin an operation from the note of its tag. Return FALSE if there is no valid note. */
static gboolean read_noted(HieraCallReader *reader, const HieraXmlAttribute *attributes, gpointer *place,
                           HieraOperation *operation)
{
    const Note *note = place ? *place : NULL;
    if (!note || note->common.meanings != count_meanings(reader))
        return FALSE;
    for (guint i = 0; i < note->n; i++)
        hiera_attributes_put(&reader->sorted, note->each_time[i].attribute, &attributes[note->each_time[i].index]);
    for (guint i = 0; i < note->n_declared; i++)
        hiera_attributes_put(&reader->sorted, note->declared[i], &note->lists[i]);
    begin_operation(reader, &note->common, &reader->sorted, operation);
    return TRUE;
}

/* --- reading the full encoding --- */

gboolean hiera_call_reader_read(HieraCallReader *reader, HieraElement element, const HieraXmlAttribute *attributes,
                                guint n, gpointer *note, HieraOperation *operation, HieraSummed *summed)
{
    Common common;
    gboolean several = FALSE;
    if (!read_noted(reader, attributes, note, operation)) {
        gboolean shared = read_common(reader, element, attributes, n, &reader->sorted, &common);
        several = reader->sorted.at[HIERA_ATTRIBUTE_CALLS] != NULL;
        if (shared && note && !several)
            take_note(&reader->sorted, &reader->sorted, attributes, &common, note);
        begin_operation(reader, &common, &reader->sorted, operation);
    }
    hiera_operation_read_times(reader->context, &reader->sorted, operation);
    if (several)
        hiera_sums_read(reader->context, &reader->sorted, operation, summed);
    hiera_attributes_clear(&reader->sorted);
    return several;
}

/* --- reading the compact encoding --- */

void hiera_call_reader_declare(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n)
{
    const HieraPlace *place = &reader->context->place;
    reader->context->processor->compact = TRUE;
    if (!hiera_call_dictionary_declare(reader->dictionary, attributes, n))
        hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, "call id",
                           "%s without an id; it is ignored", hiera_element_name(HIERA_ELEMENT_CALL));
}

/* Whether a `c` has only attributes that differ from call to call; all others are in its declaration. */
static gboolean is_plain(const HieraAttributes *own, guint n)
{
    static const HieraAttribute expected[] = {HIERA_ATTRIBUTE_R,        HIERA_ATTRIBUTE_T,
                                              HIERA_ATTRIBUTE_D,        HIERA_ATTRIBUTE_REQUEST,
                                              HIERA_ATTRIBUTE_REQUESTS, HIERA_ATTRIBUTE_PENDING};
    guint found = 0;
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        found += own->at[expected[i]] != NULL;
    return found == n;
}

/* Read the shared part of a `c`, from its own attributes and those of its declaration. Return TRUE if it may be used
 * for similar calls. */
static gboolean read_merged(HieraCallReader *reader, HieraDeclaredCall *call, const HieraXmlAttribute *attributes,
                            guint n, Common *common)
{
    guint n_merged;
    gboolean plain = is_plain(&reader->sorted, n);
    const Common *known = plain ? call->reading : NULL;
    const HieraXmlAttribute *merged = hiera_call_dictionary_merge(reader->dictionary, call, attributes, n, &n_merged);
    if (known && known->meanings == count_meanings(reader)) {
        hiera_read_context_sort(reader->context, call->element, merged, n_merged, &reader->merged);
        *common = *known;
        common->requests = has_requests(&reader->merged);
        return TRUE;
    }
    if (!read_common(reader, call->element, merged, n_merged, &reader->merged, common))
        return FALSE;
    if (plain) {
        g_free(call->reading);
        call->reading = g_memdup2(common, sizeof *common);
    }
    return TRUE;
}

static void read_use(HieraCallReader *reader, HieraDeclaredCall *call, const HieraXmlAttribute *attributes, guint n,
                     gpointer *note, HieraOperation *operation)
{
    Common common;
    if (read_merged(reader, call, attributes, n, &common) && note)
        take_note(&reader->sorted, &reader->merged, attributes, &common, note);
    begin_operation(reader, &common, &reader->merged, operation);
    hiera_attributes_clear(&reader->merged);
}

static gboolean read_referred(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n, gpointer *note,
                              HieraOperation *operation)
{
    const HieraPlace *place = &reader->context->place;
    hiera_read_context_sort(reader->context, HIERA_ELEMENT_USE, attributes, n, &reader->sorted);
    HieraDeclaredCall *call = hiera_call_dictionary_find(reader->dictionary, reader->sorted.at[HIERA_ATTRIBUTE_R]);
    if (call)
        read_use(reader, call, attributes, n, note, operation);
    else
        hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, "call",
                           "%s refers to no %s before it; it is skipped, its children are read",
                           hiera_element_name(HIERA_ELEMENT_USE), hiera_element_name(HIERA_ELEMENT_CALL));
    return call != NULL;
}

gboolean hiera_call_reader_read_use(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                    gpointer *note, HieraOperation *operation)
{
    gboolean found =
        read_noted(reader, attributes, note, operation) || read_referred(reader, attributes, n, note, operation);
    if (found)
        hiera_operation_read_span(reader->context, &reader->sorted, operation);
    hiera_attributes_clear(&reader->sorted);
    return found;
}

const HieraXmlAttribute *hiera_call_reader_merge(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                                 guint *n_merged)
{
    const char *reference = hiera_attribute_name(HIERA_ATTRIBUTE_R);
    HieraDeclaredCall *call = NULL;
    for (guint i = 0; i < n && !call; i++)
        if (strcmp(attributes[i].name, reference) == 0)
            call = hiera_call_dictionary_find(reader->dictionary, &attributes[i]);
    *n_merged = n;
    return call ? hiera_call_dictionary_merge(reader->dictionary, call, attributes, n, n_merged) : attributes;
}
