/* Calls that returned an error, and sends that were cancelled: which of them did nothing.
 *
 * MPI does not tell. A receive that failed because its message was too long has taken the message; a send to which
 * an argument was wrong has sent nothing. So calls that failed take part only where the calls of the others have use
 * for them: a send where a receive was complete that no other send explains, a receive where a message is left over, a
 * collective where it makes a member's number of calls that of the others. No call of the trace says of a send whether
 * it was cancelled in time: it is taken as one that failed. */
#include "match_failed.h"
#include "base/key_index.h"
#include <string.h>

static gboolean may_be_nothing(const HieraTrace *trace, const HieraEndpoint *endpoint, HieraReason why)
{
    return why == HIERA_REASON_CANCELLED ? endpoint->cancelled : hiera_trace_is_failed(trace, endpoint->row);
}

guint32 hiera_failed_count(const HieraTrace *trace, const HieraEndpoints *endpoints, const HieraEndpointList *list,
                           HieraReason why, guint32 *unfinished)
{
    guint32 failed = 0, place = list->first;
    *unfinished = 0;
    for (guint32 i = 0; i < list->n; i++) {
        HieraEndpoint endpoint;
        place = hiera_endpoints_get(endpoints, place, &endpoint);
        gboolean is_failed = may_be_nothing(trace, &endpoint, why);
        failed += is_failed;
        *unfinished += !is_failed && endpoint.ended_by == HIERA_NONE;
    }
    return failed;
}

HieraEndpoint *hiera_failed_drop(const HieraTrace *trace, HieraEndpoints *endpoints, HieraEndpointList *list,
                                 HieraReason why, guint32 n)
{
    HieraEndpoint *all = hiera_endpoints_copy(endpoints, list), *dropped = g_new(HieraEndpoint, (gsize)n + 1);
    guint32 kept = 0, gone = 0;
    for (guint32 i = 0; i < list->n; i++) {
        if (gone < n && may_be_nothing(trace, &all[i], why))
            dropped[gone++] = all[i];
        else
            all[kept++] = all[i];
    }
    list->n = kept;
    hiera_endpoints_replace(endpoints, list, all);
    g_free(all);
    return dropped;
}

/* What one processor calls on one context. */
typedef struct {
    guint32 context, processor; /* key */
} PlaceKey;

typedef struct {
    guint32 context;          /* number of it */
    guint32 n, failed;        /* calls; those of them that failed */
    guint32 surplus, dropped; /* of these: how many are to be taken out; how many are */
} Place;

/* One context: the most calls of a member that did not fail, the fewest and the most of all. */
typedef struct {
    guint32 good, least, most;
} Context;

typedef struct {
    const HieraTrace *trace;
    HieraKeyIndex *keys, *contexts;
    GArray *places; /* Place, by number of the key */
    GArray *all;    /* Context, by number */
} Failed;

static Place *find_place(Failed *failed, const HieraMemberCall *call, guint32 context)
{
    guint32 of = context | call->flags;
    const PlaceKey key = {of, call->processor};
    guint32 number = hiera_key_index_add(failed->keys, &key);
    if (number == failed->places->len) {
        const Place place = {.context = hiera_key_index_add(failed->contexts, &of)};
        const Context none = {0, G_MAXUINT32, 0};
        g_array_append_val(failed->places, place);
        if (place.context == failed->all->len)
            g_array_append_val(failed->all, none);
    }
    return &g_array_index(failed->places, Place, number);
}

static void compare_members(Failed *failed)
{
    for (guint i = 0; i < failed->places->len; i++) {
        const Place *place = &g_array_index(failed->places, Place, i);
        Context *context = &g_array_index(failed->all, Context, place->context);
        context->good = MAX(context->good, place->n - place->failed);
        context->least = MIN(context->least, place->n);
        context->most = MAX(context->most, place->n);
    }
    for (guint i = 0; i < failed->places->len; i++) {
        Place *place = &g_array_index(failed->places, Place, i);
        const Context *context = &g_array_index(failed->all, Context, place->context);
        guint32 wanted = context->least == context->most ? place->n : MAX(context->good, context->least);
        place->surplus = place->n > wanted ? MIN(place->failed, place->n - wanted) : 0;
    }
}

/* Take those out that did nothing, and number the others anew. */
static void take_out(Failed *failed, HieraMatch *match, GArray *calls, const GArray *context)
{
    guint kept = 0;
    for (guint i = 0; i < calls->len; i++) {
        HieraMemberCall call = g_array_index(calls, HieraMemberCall, i);
        guint32 of = g_array_index(context, guint32, call.object);
        Place *place = of == HIERA_NONE ? NULL : find_place(failed, &call, of);
        if (place && place->dropped < place->surplus && hiera_trace_is_failed(failed->trace, call.row)) {
            place->dropped++;
            hiera_match_set_reason(match, call.row, HIERA_REASON_FAILED);
            continue;
        }
        call.number -= place ? place->dropped : 0;
        g_array_index(calls, HieraMemberCall, kept++) = call;
    }
    g_array_set_size(calls, kept);
}

void hiera_failed_take_out(const HieraTrace *trace, HieraMatch *match, GArray *calls, const GArray *context)
{
    if (trace->failed->len == 0)
        return;
    Failed failed = {.trace = trace,
                     .keys = hiera_key_index_new(sizeof(PlaceKey) / sizeof(guint32)),
                     .contexts = hiera_key_index_new(1),
                     .places = g_array_new(FALSE, FALSE, sizeof(Place)),
                     .all = g_array_new(FALSE, FALSE, sizeof(Context))};
    for (guint i = 0; i < calls->len; i++) {
        const HieraMemberCall *call = &g_array_index(calls, HieraMemberCall, i);
        guint32 of = g_array_index(context, guint32, call->object);
        if (of == HIERA_NONE)
            continue;
        Place *place = find_place(&failed, call, of);
        place->n++;
        place->failed += hiera_trace_is_failed(trace, call->row);
    }
    compare_members(&failed);
    take_out(&failed, match, calls, context);
    hiera_key_index_free(failed.keys);
    hiera_key_index_free(failed.contexts);
    g_array_unref(failed.places);
    g_array_unref(failed.all);
}
