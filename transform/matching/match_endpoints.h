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
    guint32 partitioned; /* 1 for partitioned calls: MPI matches these with each other only */
} HieraChannelKey;

/* Why a row that sends or receives has no channel. */
typedef struct {
    guint32 row;
    HieraReason reason;
} HieraSideReason;

/* All sends, or all receives: one of the two sides of matching. */
typedef struct {
    const HieraTrace *trace;
    const HieraMatch *match;
    const HieraFacts *facts;
    const GArray *starts;
    gboolean received;  /* the side has the receives; FALSE: the sends */
    gboolean cancelled; /* the program tried to cancel one of the sends */
    HieraEndpoints *endpoints;
    HieraKeyIndex *keys; /* HieraChannelKey → number of the channel */
    GArray *lists;   /* HieraEndpointList of each channel, by its number in `keys`; endpoints in the order of time */
    GArray *reasons; /* HieraSideReason, for rows without channel */
} HieraSide;

/* Collect both sides, each in a thread of its own. Requires the contexts that hiera_match_collectives() finds. Each
 * side is to be cleared by hiera_side_clear.
 * @param facts, starts  of hiera_match_requests() */
void hiera_sides_gather(HieraSide *sent, HieraSide *received, const HieraTrace *trace, const HieraMatch *match,
                        const HieraFacts *facts, const GArray *starts);
void hiera_side_clear(HieraSide *side);
/* Free everything but `endpoints`, for a caller who has copied the lists. */
void hiera_side_clear_keys(HieraSide *side);
