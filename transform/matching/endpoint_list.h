/* Endpoints of messages: what the parts of their matching share. */
#ifndef HIERA_ENDPOINT_LIST_H
#define HIERA_ENDPOINT_LIST_H

#include "match_common.h"

/* One side of a message. */
typedef struct {
    guint32 row;
    guint32 comm : 30;
    guint32 cancelled : 1;  /* someone tried to: it may have no partner */
    guint32 concurrent : 1; /* calls of other threads stand side by side with it, and nothing tells it from them */
    guint32 posted;         /* the row whose call gave it its place in the order: `row`, or a matched probe */
    guint32 order;          /* of hiera_match_threads: among those of its channel, by time */
    guint32 ended_by;       /* of a receive the row in which it was complete, HIERA_NONE if no trace says so; of a send
                             * its own */
    gint64 bytes;
} HieraEndpoint;

/* All endpoints of one side, one after another in lists, of which each channel has one: 20 bytes each, 32 more for
 * those that later calls tell something of. */
typedef struct HieraEndpoints HieraEndpoints;

typedef struct {
    guint32 first, last, n; /* places; no meaning in an empty one */
} HieraEndpointList;

HieraEndpoints *hiera_endpoints_new(void);
void hiera_endpoints_free(HieraEndpoints *endpoints);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraEndpoints, hiera_endpoints_free)

void hiera_endpoints_append(HieraEndpoints *endpoints, HieraEndpointList *list, const HieraEndpoint *endpoint);
/* The endpoint in a place. @return the place of the next of its list */
guint32 hiera_endpoints_get(const HieraEndpoints *endpoints, guint32 place, HieraEndpoint *endpoint);
/* Those of a list behind one another, to be freed; and others put in their places. */
HieraEndpoint *hiera_endpoints_copy(const HieraEndpoints *endpoints, const HieraEndpointList *list);
void hiera_endpoints_replace(HieraEndpoints *endpoints, const HieraEndpointList *list, const HieraEndpoint *with);

/* Bring both sides of the messages of a channel, each in the order of time, into an order that is possible
 * where threads left MPI none, so that the n-th belongs to the n-th; mark those for which others are. */
void hiera_match_threads(const HieraTrace *trace, HieraEndpoint *sent, guint n_sent, HieraEndpoint *received,
                         guint n_received);

#endif
