/* The state of reading one trace, which the parts of the reader share. */
#pragma once

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
    gint64 until_ns;         /* later operations are left out (xml/live_copies.h); G_MAXINT64: none */
    gint64 last_ns;          /* the latest time that was read so far */
    gint64 communicates_ns;  /* latest end of an MPI call with which the main thread communicates */
    gboolean open_operation; /* whether an operation without a finish time has been read */
    struct {
        const HieraSite *site; /* call site of the call; NULL: there is no such call */
        const char *doubts;    /* text about arguments of the call that MPI would reject */
        guint32 line;          /* line of the call's element in the trace */
        gint64 *requests;      /* numbers of the call's first n_kept requests; NULL: none */
        guint n_kept, n_requests;
    } open_call;                 /* the MPI call in which the program may have ended (ending.h) */
    GHashTable *counters;        /* interned name → HieraTraceCounter, for counters of which this trace has values */
    GHashTable *types;           /* interned id of a datatype → gint64: its size in bytes */
    GHashTable *buffers;         /* interned text about the memory of a call → the same with its variables */
    GHashTable *sampled_objects; /* interned name → samples.c's data about a program or library; NULL: none yet */
    HieraNameIndex elements, attributes;
} HieraReadContext;

/* Put the attributes of an element into `sorted`, which must be empty. Unknown attributes are skipped, with a finding
 * if the element is not a call. */
void hiera_read_context_sort(HieraReadContext *context, HieraElement element, const HieraXmlAttribute *attributes,
                             guint n, HieraAttributes *sorted);

/* Return the interned value of an attribute; "": `attribute` is NULL. */
static inline const char *hiera_read_context_intern(HieraReadContext *context, const HieraXmlAttribute *attribute)
{
    return attribute ? hiera_cache_intern(context->cache, attribute->value, hiera_attribute_length(attribute)) : "";
}

/* Return the interned name of an operation. A function that the trace names as object and offset gets its source
 * name, if that can be found. */
const char *hiera_read_context_name(HieraReadContext *context, const char *level, const HieraXmlAttribute *name);

/* Update `last_ns`, the latest time that was read. */
static inline void hiera_read_context_see_time(HieraReadContext *context, gint64 ns)
{
    context->last_ns = MAX(context->last_ns, MIN(ns, context->until_ns));
}
