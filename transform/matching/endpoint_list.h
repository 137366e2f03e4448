/* Endpoints of messages (sends and receives), in lists that need little memory. */
#pragma once

#include "match_common.h"

/* One end of a message: a send or a receive. */
typedef struct {
    guint32 row;
    guint32 comm : 30;
    guint32 cancelled : 1;  /* the program tried to cancel the send or receive, so it may have no partner */
    guint32 concurrent : 1; /* another partner is possible, because threads of one rank communicated at the same time */
    guint32 posted;   /* row that decides MPI's order of messages: `row`, or the matched probe that took the message */
    guint32 order;    /* used by hiera_match_threads(): index of the endpoint in its channel, by time */
    guint32 ended_by; /* of a receive: row that completed it, HIERA_NONE: not known; of a send: `row` */
    gint64 bytes;
} HieraEndpoint;

/* All endpoints of one side (all sends, or all receives), as one linked list for each channel. An endpoint takes 20
 * bytes, and 32 more if it was cancelled or is concurrent, or if `posted` or `ended_by` is another row. */
typedef struct HieraEndpoints HieraEndpoints;

typedef struct {
    guint32 first, last, n; /* places of the first and last endpoint, undefined if there is none; number of endpoints */
    guint32 carried; /* receives of the channel that were posted before the trace begins, and are not in the list */
} HieraEndpointList;

/* Make a store for endpoints of many lists. @param n  greatest number of endpoints in all lists */
HieraEndpoints *hiera_endpoints_new(guint32 n);
void hiera_endpoints_free(HieraEndpoints *endpoints);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraEndpoints, hiera_endpoints_free)

void hiera_endpoints_append(HieraEndpoints *endpoints, HieraEndpointList *list, const HieraEndpoint *endpoint);
/* Copy the endpoint at a place to *endpoint. @return the place of the next one in its list; undefined for the last */
guint32 hiera_endpoints_get(const HieraEndpoints *endpoints, guint32 place, HieraEndpoint *endpoint);
/* Return the endpoints of a list as an array, with `order` set; to be freed with g_free. */
HieraEndpoint *hiera_endpoints_copy(const HieraEndpoints *endpoints, const HieraEndpointList *list);
/* Overwrite the endpoints of a list with as many replacements, in the order of the list. */
void hiera_endpoints_replace(HieraEndpoints *endpoints, const HieraEndpointList *list,
                             const HieraEndpoint *replacements);

/* Reorder the endpoints of a channel in which threads communicated at the same time, so that the n-th send can belong
 * to the n-th receive; mark endpoints as concurrent for which another partner is possible.
 * @param sent, received  sorted by time, as from hiera_endpoints_copy() */
void hiera_match_threads(const HieraTrace *trace, HieraEndpoint *sent, guint n_sent, HieraEndpoint *received,
                         guint n_received);
