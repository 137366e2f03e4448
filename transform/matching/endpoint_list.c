/* See endpoint_list.h. An endpoint is stored as a Short; the few that have details have the index of their details. */
#include "endpoint_list.h"
#include <string.h>

/* An endpoint as it is stored, without details. The size is a gint64 in two words, so that there is no padding. */
typedef struct {
    guint32 at;   /* row of the endpoint; if `detailed`, index in `details` */
    guint32 next; /* index in `shorts` of the next endpoint in the same list */
    guint32 comm : 31;
    guint32 detailed : 1;
    guint32 bytes[2];
} Short;

struct HieraEndpoints {
    GArray *shorts;  /* Short: all endpoints, of all lists; the place of an endpoint is its index here */
    GArray *details; /* HieraEndpoint: those that are `detailed` */
};

HieraEndpoints *hiera_endpoints_new(guint32 n)
{
    HieraEndpoints *endpoints = g_new(HieraEndpoints, 1);
    *endpoints = (HieraEndpoints){g_array_sized_new(FALSE, FALSE, sizeof(Short), n),
                                  g_array_new(FALSE, FALSE, sizeof(HieraEndpoint))};
    return endpoints;
}

void hiera_endpoints_free(HieraEndpoints *endpoints)
{
    if (!endpoints)
        return;
    g_array_unref(endpoints->shorts);
    g_array_unref(endpoints->details);
    g_free(endpoints);
}

static Short *peek(const HieraEndpoints *endpoints, guint32 place)
{
    return &g_array_index(endpoints->shorts, Short, place);
}

/* Store an endpoint in a Short; its details, if any, at the end of `details`, or where the Short already has some. */
static void store(HieraEndpoints *endpoints, Short *at, const HieraEndpoint *endpoint)
{
    gboolean alone = !endpoint->cancelled && !endpoint->concurrent && endpoint->posted == endpoint->row &&
                     endpoint->ended_by == endpoint->row;
    at->comm = endpoint->comm;
    memcpy(at->bytes, &endpoint->bytes, sizeof at->bytes);
    if (!alone && at->detailed) {
        g_array_index(endpoints->details, HieraEndpoint, at->at) = *endpoint;
        return;
    }
    at->at = alone ? endpoint->row : endpoints->details->len;
    at->detailed = !alone;
    if (!alone)
        g_array_append_vals(endpoints->details, endpoint, 1);
}

void hiera_endpoints_append(HieraEndpoints *endpoints, HieraEndpointList *list, const HieraEndpoint *endpoint)
{
    guint32 place = endpoints->shorts->len;
    Short added = {0};
    store(endpoints, &added, endpoint);
    g_array_append_val(endpoints->shorts, added);
    if (list->n++ == 0)
        list->first = place;
    else
        peek(endpoints, list->last)->next = place;
    list->last = place;
}

guint32 hiera_endpoints_get(const HieraEndpoints *endpoints, guint32 place, HieraEndpoint *endpoint)
{
    const Short *at = peek(endpoints, place);
    if (at->detailed) {
        *endpoint = g_array_index(endpoints->details, HieraEndpoint, at->at);
        return at->next;
    }
    endpoint->row = endpoint->posted = endpoint->ended_by = at->at;
    endpoint->comm = at->comm;
    endpoint->cancelled = endpoint->concurrent = FALSE;
    memcpy(&endpoint->bytes, at->bytes, sizeof endpoint->bytes);
    return at->next;
}

HieraEndpoint *hiera_endpoints_copy(const HieraEndpoints *endpoints, const HieraEndpointList *list)
{
    HieraEndpoint *copies = g_new(HieraEndpoint, list->n);
    for (guint32 i = 0, place = list->first; i < list->n; i++) {
        place = hiera_endpoints_get(endpoints, place, &copies[i]);
        copies[i].order = i;
    }
    return copies;
}

void hiera_endpoints_replace(HieraEndpoints *endpoints, const HieraEndpointList *list,
                             const HieraEndpoint *replacements)
{
    for (guint32 i = 0, place = list->first; i < list->n; i++) {
        Short *at = peek(endpoints, place);
        store(endpoints, at, &replacements[i]);
        place = at->next;
    }
}
