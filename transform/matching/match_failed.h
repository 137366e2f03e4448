/* Calls that returned an error, and cancelled sends: finds the ones that had no effect, so that they take part in no
 * message and no collective. */
#pragma once

#include "endpoint_list.h"
#include "match_calls.h"

/* Return the number of endpoints of a list that may have had no effect.
 * @param why         FAILED: count calls that returned an error; CANCELLED: count calls that the program cancelled
 * @param unfinished  receives how many of the others are not known to be complete */
guint32 hiera_failed_count(const HieraTrace *trace, const HieraEndpoints *endpoints, const HieraEndpointList *list,
                           HieraReason why, guint32 *unfinished);
/* Remove the first n endpoints that may have had no effect. @return the removed endpoints, to be freed with g_free */
HieraEndpoint *hiera_failed_drop(const HieraTrace *trace, HieraEndpoints *endpoints, HieraEndpointList *list,
                                 HieraReason why, guint32 n);

/* Remove failed collective calls of a member that made more calls than the other members, and renumber its other
 * calls. The removed ones receive the reason FAILED.
 * @param calls    array of HieraMemberCall
 * @param context  array of guint32: the context of each object */
void hiera_failed_take_out(const HieraTrace *trace, HieraMatch *match, GArray *calls, const GArray *context);
