/* Endpoints of messages: collects the calls that sent or received a message, in the order of time, for each channel.
 * A channel is a combination of communicator, sender, receiver and tag. */
#pragma once

#include "base/key_index.h"
#include "endpoint_list.h"

/* A channel. Ranks are world ranks. The tag comes first because some programs count it up, and HieraKeyIndex keeps
 * keys with consecutive first words close together. */
typedef struct {
    gint32 tag, from, to;
    guint32 context;
    guint32 partitioned; /* MPI matches partitioned sends with partitioned receives only */
} HieraChannelKey;

/* The reason why a row has no channel. */
typedef struct {
    guint32 row;
    HieraReason reason;
} HieraSideReason;

/* All sends, or all receives. */
typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    const HieraFacts *facts;
    const GArray *starts;
    gboolean received;  /* the side of the receives */
    gboolean cancelled; /* the program tried to cancel one of its sends */
    HieraEndpoints *endpoints;
    HieraKeyIndex *keys; /* HieraChannelKey */
    GArray *lists;       /* HieraEndpointList by number of their key; endpoints in the order of time */
    GArray *reasons;     /* HieraSideReason */
} HieraSide;

/* Collect both sides, each in a thread of its own. Requires the contexts that hiera_match_collectives() finds. Each
 * side is to be cleared by hiera_side_clear.
 * @param facts, starts  of hiera_match_requests() */
void hiera_sides_gather(HieraSide *sent, HieraSide *received, const HieraTrace *trace, const HieraMatch *match,
                        const HieraFacts *facts, const GArray *starts);
void hiera_side_clear(HieraSide *side);
/* Free everything but the endpoints, for a caller who has copied the lists. */
void hiera_side_clear_keys(HieraSide *side);
