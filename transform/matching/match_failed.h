/* Calls that returned an error, and sends that were cancelled: which of them did nothing, and take part in no message
 * and no collective. */
#ifndef HIERA_MATCH_FAILED_H
#define HIERA_MATCH_FAILED_H

#include "endpoint_list.h"
#include "match_calls.h"

/* Endpoints of a list that may have done nothing, because they FAILED or were CANCELLED; of the others, in *unfinished,
 * those that no trace says were complete. */
guint32 hiera_failed_count(const HieraTrace *trace, const HieraEndpoints *endpoints, const HieraEndpointList *list,
                           HieraReason why, guint32 *unfinished);
/* Take the first n of them out of a list; these, to be freed. */
HieraEndpoint *hiera_failed_drop(const HieraTrace *trace, HieraEndpoints *endpoints, HieraEndpointList *list,
                                 HieraReason why, guint32 n);

/* Take calls of collectives out of `calls` (HieraMemberCall) where a member has more of them than the others. `context`
 * (guint32) is that of each object. */
void hiera_failed_take_out(const HieraTrace *trace, HieraMatch *match, GArray *calls, const GArray *context);

#endif
