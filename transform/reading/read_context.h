/* What the elements of one trace are read with, and what they have told so far: shared by the rooms of the reader. */
#ifndef HIERA_READ_CONTEXT_H
#define HIERA_READ_CONTEXT_H

#include "arguments.h"
#include "clock.h"
#include "communicator_ids.h"
#include "objects.h"
#include "outstanding_requests.h"
#include "xml/name_index.h"

typedef struct {
    HieraPlace place;
    HieraCatalog *catalog;
    HieraCache *cache;
    HieraProcessor *processor;
    HieraClock clock;
    HieraCommunicatorIds communicators;
    HieraObjects *objects;
    HieraOutstandingRequests *outstanding;
    gint64 last_ns;          /* the last time seen */
    gboolean open_operation; /* one without a finish time was seen */
    struct {
        const HieraSite *site; /* NULL: there was none */
        const char *doubts;    /* arguments that MPI refuses */
        guint32 line;
        gint64 *requests; /* the first of those that it was given; NULL: none */
        guint n_told, n_requests;
    } open_call; /* the last MPI call without a finish time, of the main thread if there is one (ending.h) */
    HieraNameIndex elements, attributes;
} HieraReadContext;

/* Put the attributes of an element into `sorted`, which must be empty; those that are not known there are a finding. */
void hiera_read_context_sort(HieraReadContext *context, HieraElement element, const HieraXmlAttribute *attributes,
                             guint n, HieraAttributes *sorted);

/* The text of an attribute, "" of one that is not there. */
static inline const char *hiera_read_context_intern(HieraReadContext *context, const HieraXmlAttribute *attribute)
{
    return attribute ? hiera_cache_intern(context->cache, attribute->value, hiera_attribute_length(attribute)) : "";
}

/* The name of an operation, or of a function that the collector could not name where it stood. */
const char *hiera_read_context_name(HieraReadContext *context, const char *level, const HieraXmlAttribute *name);

static inline void hiera_read_context_see_time(HieraReadContext *context, gint64 ns)
{
    context->last_ns = MAX(context->last_ns, ns);
}

#endif
