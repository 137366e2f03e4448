/* Endpoints of messages, in lists that need little memory. */
#pragma once

#include "match_common.h"

/* One side of a message: a send or a receive. */
typedef struct {
    guint32 row;
    guint32 comm : 30;
    guint32 cancelled : 1;  /* the program tried to cancel it: it may have no partner */
    guint32 concurrent : 1; /* another partner is possible, because threads communicated at the same time */
    guint32 posted;         /* row that sets its place in MPI's order: `row`, or the matched probe before it */
    guint32 order;          /* used by hiera_match_threads(): index in its channel, by time */
    guint32 ended_by;       /* of a receive, the row that completed it, HIERA_NONE if not known; of a send, `row` */
    gint64 bytes;
} HieraEndpoint;

/* All endpoints of one side (all sends, or all receives), as one linked list for each channel. An endpoint takes 20
 * bytes, and 32 more if it was cancelled or is concurrent, or if `posted` or `ended_by` is another row. */
typedef struct HieraEndpoints HieraEndpoints;

typedef struct {
    guint32 first, last, n; /* first and last place, undefined in an empty list; number of endpoints */
    guint32 carried;        /* calls before these that were made before the trace begins, and ended later */
} HieraEndpointList;

/* @param n  how many there will be at most */
HieraEndpoints *hiera_endpoints_new(guint32 n);
void hiera_endpoints_free(HieraEndpoints *endpoints);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(HieraEndpoints, hiera_endpoints_free)

void hiera_endpoints_append(HieraEndpoints *endpoints, HieraEndpointList *list, const HieraEndpoint *endpoint);
/* Copy the endpoint at a place to *endpoint. @return the place of the next one in its list, undefined for the last */
guint32 hiera_endpoints_get(const HieraEndpoints *endpoints, guint32 place, HieraEndpoint *endpoint);
/* Return the endpoints of a list as an array, with `order` set; to be freed with g_free. */
HieraEndpoint *hiera_endpoints_copy(const HieraEndpoints *endpoints, const HieraEndpointList *list);
/* Overwrite the endpoints of a list, in order, by `replacements`, which has as many. */
void hiera_endpoints_replace(HieraEndpoints *endpoints, const HieraEndpointList *list,
                             const HieraEndpoint *replacements);

/* Reorder the endpoints of a channel in which threads communicated at the same time, so that the n-th send can belong
 * to the n-th receive; mark endpoints as concurrent for which another partner is possible.
 * @param sent, received  sorted by time, as from hiera_endpoints_copy() */
void hiera_match_threads(const HieraTrace *trace, HieraEndpoint *sent, guint n_sent, HieraEndpoint *received,
                         guint n_received);
