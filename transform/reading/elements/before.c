#include "before.h"
#include "base/findings.h"
#include "base/parse_numbers.h"
#include "communicators.h"
#include "trace/before.h"
#include <string.h>

static gboolean is_word(const HieraXmlAttribute *attribute, const char *word)
{
    return attribute && hiera_attribute_length(attribute) == strlen(word) &&
           memcmp(attribute->value, word, strlen(word)) == 0;
}

void hiera_before_begin(HieraReadContext *context, const HieraAttributes *attributes)
{
    HieraProcessor *processor = context->processor;
    if (!attributes->at[HIERA_ATTRIBUTE_SINCE])
        return;
    gint64 since_ns = hiera_argument_time(&context->place, attributes, HIERA_ATTRIBUTE_SINCE, 0, "0 is used");
    since_ns = MAX(hiera_clock_correct(&context->clock, &context->place, since_ns), processor->init_ns);
    processor->init_ns = processor->cut ? since_ns : MIN(since_ns, processor->finalize_ns);
    processor->finalize_ns = MAX(processor->finalize_ns, processor->init_ns);
    processor->before = hiera_catalog_before(context->catalog);
}

/* Read the number of earlier calls on its channel, for each call from before the trace that follows; "-": unknown. */
static void read_places(const HieraXmlAttribute *list, GArray *places)
{
    for (const char *word = list ? list->value : NULL; list && word < list->end;) {
        const char *blank = memchr(word, ' ', (gsize)(list->end - word)), *end = blank ? blank : list->end;
        gint64 place;
        if (!hiera_number_parse(word, (gsize)(end - word), &place) || place < 0 || place > G_MAXINT32)
            place = HIERA_BEFORE_UNKNOWN;
        g_array_append_val(places, place);
        word = end + 1;
    }
}

void hiera_before_read(HieraReadContext *context, const HieraAttributes *attributes, gboolean is_main,
                       HieraCarrying *carrying)
{
    HieraBefore *before = context->processor->before;
    if (!before)
        return;
    carrying->carries = TRUE;
    carrying->next = 0;
    g_array_set_size(carrying->places, 0);
    read_places(attributes->at[HIERA_ATTRIBUTE_PLACES], carrying->places);
    if (is_main)
        before->complete = !attributes->at[HIERA_ATTRIBUTE_COMPLETE];
}

static HieraBeforeSort sort_of(const HieraAttributes *attributes)
{
    if (attributes->at[HIERA_ATTRIBUTE_DEST])
        return HIERA_BEFORE_SENT;
    if (attributes->at[HIERA_ATTRIBUTE_REM])
        return HIERA_BEFORE_RECEIVED;
    if (attributes->at[HIERA_ATTRIBUTE_REQUEST])
        return HIERA_BEFORE_STARTS;
    return is_word(attributes->at[HIERA_ATTRIBUTE_KIND], "init") ? HIERA_BEFORE_INITS : HIERA_BEFORE_CALLS;
}

void hiera_before_read_channel(HieraReadContext *context, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *const *at = attributes->at;
    const HieraXmlAttribute *object =
        at[HIERA_ATTRIBUTE_WIN] ? at[HIERA_ATTRIBUTE_WIN] : at[HIERA_ATTRIBUTE_FILE_HANDLE];
    const HieraPlace *place = &context->place;
    HieraWent went = {.sort = sort_of(attributes), .count = HIERA_BEFORE_UNKNOWN};
    if (!context->processor->before)
        return;
    went.comm = hiera_communicators_find(context, at[HIERA_ATTRIBUTE_COMMUNICATOR]);
    went.id = hiera_attribute_is_empty(object) ? NULL : hiera_read_context_intern(context, object);
    went.peer =
        hiera_argument_peer(place, attributes, at[HIERA_ATTRIBUTE_DEST] ? HIERA_ATTRIBUTE_DEST : HIERA_ATTRIBUTE_REM);
    went.tag = hiera_argument_peer(place, attributes, HIERA_ATTRIBUTE_TAG);
    went.partitioned = is_word(at[HIERA_ATTRIBUTE_KIND], "partitioned");
    went.request = hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_REQUEST, 1, G_MAXINT64, 0);
    if (!is_word(at[HIERA_ATTRIBUTE_COUNT], "unknown"))
        went.count =
            hiera_argument_number(place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT32, HIERA_BEFORE_UNKNOWN);
    g_array_append_val(context->processor->before->went, went);
}

void hiera_before_carry(HieraReadContext *context, HieraCarrying *carrying, HieraOperation *operation)
{
    gint64 since_ns = context->processor->init_ns;
    operation->start_ns = MAX(operation->start_ns, since_ns);
    if (operation->finish_ns != HIERA_TIME_OPEN)
        operation->finish_ns = MAX(operation->finish_ns, since_ns);
    if (!operation->site->mpi)
        return;
    HieraCarried carried = {operation->index, HIERA_BEFORE_UNKNOWN};
    if (carrying->next < carrying->places->len)
        carried.place = g_array_index(carrying->places, gint64, carrying->next++);
    g_array_append_val(context->processor->before->carried, carried);
}

void hiera_before_end(HieraReadContext *context)
{
    HieraBefore *before = context->processor->before;
    GHashTableIter iterator;
    gpointer communicator;
    if (!before)
        return;
    for (guint i = 0; i < before->went->len; i++) {
        HieraWent *went = &g_array_index(before->went, HieraWent, i);
        if (went->id)
            went->comm = hiera_communicator_ids_peek(&context->communicators, went->id);
    }
    g_hash_table_iter_init(&iterator, context->communicators.by_id);
    while (g_hash_table_iter_next(&iterator, NULL, &communicator))
        g_hash_table_add(before->comms, GUINT_TO_POINTER(((HieraCommunicator *)communicator)->index));
}

void hiera_before_report(const GArray *processors, const char *name, HieraFindings *findings)
{
    gint64 first = G_MAXINT64, last = 0;
    for (guint i = 0; i < processors->len; i++) {
        const HieraProcessor *processor = &g_array_index(processors, HieraProcessor, i);
        if (!processor->before)
            continue;
        first = MIN(first, processor->init_ns);
        last = MAX(last, processor->init_ns);
    }
    if (first != G_MAXINT64)
        hiera_findings_add(
            findings, HIERA_FINDING_WINDOW, name ? name : "", 0, NULL,
            "the last part of the run alone: traces begin at %.6f s to %.6f s, and what went before is not known; "
            "--from %.6f measures what all of them have",
            (double)first / 1e9, (double)last / 1e9, (double)(last / 1000 + (last % 1000 != 0)) / 1e6);
}
