/* The two sides of all messages: which calls sent or received one, in the order of time, channel by channel. A channel
 * is what agrees in communicator, sender, receiver and tag. */
#ifndef HIERA_MATCH_ENDPOINTS_H
#define HIERA_MATCH_ENDPOINTS_H

#include "base/key_index.h"
#include "endpoint_list.h"

/* What tells channels apart. Ranks are world ranks. The tag is first because some programs count it up. */
typedef struct {
    gint32 tag, from, to;
    guint32 context;
    guint32 partitioned; /* such a send and such a receive belong together, and to no other */
} HieraChannelKey;

/* Why a row is no endpoint of a message that could be received. */
typedef struct {
    guint32 row;
    HieraReason reason;
} HieraSideReason;

typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    const HieraFacts *facts;
    const GArray *starts;
    gboolean received;
    gboolean cancelled; /* the program tried to cancel one of its sends */
    HieraEndpoints *endpoints;
    HieraKeyIndex *keys; /* HieraChannelKey */
    GArray *lists;       /* HieraEndpointList, by number of their key: in the order of time */
    GArray *reasons;     /* HieraSideReason */
} HieraSide;

/* Gather both, side by side. Contexts of the match must be known. To be cleared by hiera_side_clear, each. */
void hiera_sides_gather(HieraSide *sent, HieraSide *received, const HieraTrace *trace, const HieraMatch *match,
                        const HieraFacts *facts, const GArray *starts);
void hiera_side_clear(HieraSide *side);
/* All but the endpoints, of which the caller has the lists. */
void hiera_side_clear_keys(HieraSide *side);

#endif
