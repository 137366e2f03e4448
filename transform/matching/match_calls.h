/* Calls of collectives: what the parts of their matching share. */
#ifndef HIERA_MATCH_CALLS_H
#define HIERA_MATCH_CALLS_H

#include "match_common.h"

/* One member's call. */
typedef struct {
    guint32 row, comm;
    guint32 made_by; /* row with the arguments: of a start the one that made the request, else `row` */
    guint32 object;  /* what it is counted on: a communicator, or a persistent collective */
    guint32 makes;   /* object whose context the call makes, or HIERA_NONE */
    guint32 flags;   /* what is counted apart on an object */
    guint32 number;  /* the how many-th it is, from 0 */
    gint32 rank;     /* orders the members */
    guint32 processor;
} HieraMemberCall;

/* --- what the calls of one collective tell together --- */

/* What the members do: of a start what it starts. */
HieraKind hiera_match_call_kind(const HieraTrace *trace, const HieraMemberCall *call);
gboolean hiera_match_call_is_inter(const HieraTrace *trace, const HieraMemberCall *call);
/* Same call, same root, same operator? Of those that differ it is noted with whom. */
gboolean hiera_match_calls_agree(const HieraTrace *trace, HieraMatch *match, const HieraMemberCall *calls, guint32 n);
/* Row of the root; HIERA_NONE if there is none. */
guint32 hiera_match_find_root(const HieraTrace *trace, const HieraMemberCall *calls, guint32 n);

/* Numbers of contexts, by those of the catalog; to be freed. */
guint32 *hiera_match_number_contexts(const HieraTrace *trace);

/* --- who takes part --- */

/* Rank in an intracommunicator; both groups of an intercommunicator are ordered by world rank. HIERA_ABSENT: it is no
 * member. */
gint32 hiera_match_rank_in(const HieraCommunicator *communicator, gint32 world_rank);
/* Why members are missing; MATCHED if none is. */
HieraReason hiera_match_find_missing(const HieraTrace *trace, const HieraMatch *match, const HieraMemberCall *calls,
                                     guint32 n);

#endif
