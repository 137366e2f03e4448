/* Calls that returned an error, and cancelled sends: finds the ones that had no effect.
 *
 * The MPI standard does not define this. A receive that failed because the message was too long has removed the
 * message; a send with a wrong argument has sent nothing. So a failed call takes part only where another rank's calls
 * need it: a failed send if a complete receive has no other send, a failed receive if a message is left over, a failed
 * collective if without it the member has fewer calls than the others. The trace does not say either whether a send was
 * cancelled in time, so cancelled sends are treated in the same way. */
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

/* Key of a Place: one processor's collective calls in one context. */
typedef struct {
    guint32 context, processor; /* context: combined by | with the calls' flags */
} PlaceKey;

typedef struct {
    guint32 context;          /* index in Failed.all of the calls' Context */
    guint32 n, failed;        /* number of the calls; number of those that failed */
    guint32 surplus, dropped; /* number of failed calls to be removed; number of those removed so far */
} Place;

/* Numbers of collective calls that the members made in one context. */
typedef struct {
    guint32 good;        /* greatest number of successful calls of a member */
    guint32 least, most; /* smallest and greatest number of calls of a member, with failed ones */
} Context;

typedef struct {
    const HieraTrace *trace;
    HieraKeyIndex *keys, *contexts;
    GArray *places; /* Place, by number of its PlaceKey in `keys` */
    GArray *all;    /* Context, by number of the context in `contexts` */
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

/* Set each member's surplus: the number of its failed calls without which it still has as many calls as others need. */
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

/* Remove as many failed calls of each member as its surplus, and renumber its other calls. */
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
