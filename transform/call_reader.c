/* See call_reader.h. */
#include "call_reader.h"
#include "calls.h"
#include "communicators.h"
#include "findings.h"
#include "operation.h"
#include "repeats.h"

struct HieraCallReader {
    HieraScene *scene;
    HieraAttributes sorted, merged; /* of the call at hand, and with what was declared; empty between calls */
    GArray *requests;               /* HieraRequest */
    HieraCalls *calls;              /* of the compact spelling */
    HieraRepeats *repeats;          /* of the full one */
};

HieraCallReader *hiera_call_reader_new(HieraScene *scene, HieraXml *xml)
{
    HieraCallReader *reader = g_new0(HieraCallReader, 1);
    reader->scene = scene;
    reader->requests = g_array_new(FALSE, FALSE, sizeof(HieraRequest));
    reader->calls = hiera_calls_new(xml);
    reader->repeats = hiera_repeats_new(&scene->attributes);
    return reader;
}

void hiera_call_reader_free(HieraCallReader *reader)
{
    g_array_unref(reader->requests);
    hiera_calls_free(reader->calls);
    hiera_repeats_free(reader->repeats);
    g_free(reader);
}

static gboolean has_requests(const HieraAttributes *attributes)
{
    return attributes->at[HIERA_ATTRIBUTE_REQUEST] || attributes->at[HIERA_ATTRIBUTE_REQUESTS] ||
           attributes->at[HIERA_ATTRIBUTE_MESSAGE];
}

/* What a call has in common with others. @return whether it may be used again: nothing had to be said of it, which
 * would have to be said again, and it makes nothing */
static gboolean read_common(HieraCallReader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                            HieraAttributes *sorted, HieraCommon *common)
{
    HieraScene *scene = reader->scene;
    guint64 said = hiera_findings_sum(scene->place.findings);
    hiera_scene_sort(scene, element, attributes, n, sorted);
    hiera_operation_read(scene, element, sorted, &common->operation);
    common->meanings = scene->communicators.n_changes;
    common->requests = has_requests(sorted);
    return said == hiera_findings_sum(scene->place.findings) && !hiera_communicators_is_maker(sorted) &&
           !sorted->at[HIERA_ATTRIBUTE_MESSAGE];
}

/* @param all  attributes, if there are requests among them */
static void begin_operation(HieraCallReader *reader, const HieraCommon *common, const HieraAttributes *all,
                            HieraOperation *operation)
{
    *operation = common->operation;
    if (common->requests)
        hiera_arguments_read_requests(&reader->scene->place, all, operation, reader->requests);
}

/* --- the full spelling --- */

void hiera_call_reader_read(HieraCallReader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                            HieraOperation *operation)
{
    HieraCommon fresh;
    const HieraCommon *common = hiera_repeats_find(reader->repeats, element, attributes, n,
                                                   reader->scene->communicators.n_changes, &reader->sorted);
    if (!common) {
        if (read_common(reader, element, attributes, n, &reader->sorted, &fresh))
            hiera_repeats_keep(reader->repeats, &fresh);
        common = &fresh;
    }
    begin_operation(reader, common, &reader->sorted, operation);
    hiera_operation_read_times(reader->scene, &reader->sorted, operation);
    hiera_attributes_clear(&reader->sorted);
}

/* --- the compact spelling --- */

void hiera_call_reader_declare(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n)
{
    const HieraPlace *place = &reader->scene->place;
    if (!hiera_calls_declare(reader->calls, attributes, n))
        hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, "call id",
                           "%s without an id; it is ignored", hiera_element_name(HIERA_ELEMENT_CALL));
}

/* Whether a `c` has nothing of its own but what differs each time. */
static gboolean is_plain(const HieraAttributes *own, guint n)
{
    static const HieraAttribute expected[] = {HIERA_ATTRIBUTE_R, HIERA_ATTRIBUTE_T, HIERA_ATTRIBUTE_D,
                                              HIERA_ATTRIBUTE_REQUEST, HIERA_ATTRIBUTE_REQUESTS};
    guint found = 0;
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        found += own->at[expected[i]] != NULL;
    return found == n;
}

/* A `c` that has more than its times: with what was declared, it is a call of the full spelling. */
static void read_merged(HieraCallReader *reader, HieraCall *call, const HieraXmlAttribute *attributes, guint n,
                        const HieraCommon *known, HieraOperation *operation)
{
    guint n_merged;
    HieraCommon fresh;
    const HieraXmlAttribute *merged = hiera_calls_merge(reader->calls, call, attributes, n, &n_merged);
    if (known) {
        hiera_scene_sort(reader->scene, call->element, merged, n_merged, &reader->merged);
        fresh = *known;
        fresh.requests = has_requests(&reader->merged);
    } else if (read_common(reader, call->element, merged, n_merged, &reader->merged, &fresh) &&
               is_plain(&reader->sorted, n)) {
        g_free(call->reading);
        call->reading = g_memdup2(&fresh, sizeof fresh);
    }
    begin_operation(reader, &fresh, &reader->merged, operation);
    hiera_attributes_clear(&reader->merged);
}

static void read_call(HieraCallReader *reader, HieraCall *call, const HieraXmlAttribute *attributes, guint n,
                      HieraOperation *operation)
{
    const HieraCommon *known = call->reading;
    if (known && (known->meanings != reader->scene->communicators.n_changes || !is_plain(&reader->sorted, n)))
        known = NULL;
    if (known && !known->requests && !has_requests(&reader->sorted))
        begin_operation(reader, known, NULL, operation);
    else
        read_merged(reader, call, attributes, n, known, operation);
}

gboolean hiera_call_reader_read_use(HieraCallReader *reader, const HieraXmlAttribute *attributes, guint n,
                                    HieraOperation *operation)
{
    const HieraPlace *place = &reader->scene->place;
    hiera_scene_sort(reader->scene, HIERA_ELEMENT_USE, attributes, n, &reader->sorted);
    HieraCall *call = hiera_calls_find(reader->calls, reader->sorted.at[HIERA_ATTRIBUTE_R]);
    if (call) {
        read_call(reader, call, attributes, n, operation);
        hiera_operation_read_span(reader->scene, &reader->sorted, operation);
    } else {
        hiera_findings_add(place->findings, HIERA_FINDING_VALUE, place->path, place->line, "call",
                           "%s refers to no %s before it; it is skipped, what it holds is read",
                           hiera_element_name(HIERA_ELEMENT_USE), hiera_element_name(HIERA_ELEMENT_CALL));
    }
    hiera_attributes_clear(&reader->sorted);
    return call != NULL;
}
