/* Calls of collectives: types and functions that several passes of matching them share. */
#pragma once

#include "match_common.h"

/* The call of one member of a collective. */
typedef struct {
    guint32 row, comm;
    guint32 made_by; /* row with the arguments: `row`; of a start, the call that made the persistent request */
    guint32 object;  /* what the call is counted on: a communicator (window, file), or a persistent collective */
    guint32 makes;   /* number of an object that the call creates, if its context is not known yet; HIERA_NONE: none */
    guint32 flags;   /* calls on one object are counted separately for each value of flags */
    guint32 number;  /* index, from 0, of the call among this rank's calls on `object` with the same flags */
    gint32 rank;     /* rank of the member in the communicator, as hiera_match_rank_in() gives it */
    guint32 processor;
} HieraMemberCall;

/* Add the calls of all members, numbered. Reasons are given to those that cannot be counted.
 * @param starts   HieraStart of persistent requests, by row
 * @param context  guint32 by object; gets those of persistent collectives, whose contexts are not known
 * @param calls    takes HieraMemberCall */
void hiera_match_number_calls(const HieraTrace *trace, HieraMatch *match, const GArray *starts, GArray *context,
                              GArray *calls);

/* --- agreement of the members' calls of one collective --- */

/* Return the kind of a call; for a start, the kind of the collective that it starts. */
HieraKind hiera_match_call_kind(const HieraTrace *trace, const HieraMemberCall *call);
/* True if all members made the same call with the same root and operator. Otherwise `differs` of the match receives
 * for each member another member whose call differs. */
gboolean hiera_match_calls_agree(const HieraTrace *trace, HieraMatch *match, const HieraMemberCall *calls, guint32 n);
/* Return the root's row; HIERA_NONE: the collective has no root, or the root's call is not among `calls`. */
guint32 hiera_match_find_root(const HieraTrace *trace, const HieraMemberCall *calls, guint32 n);

/* Number the contexts of the catalog anew, in the order of their first use in the trace. The catalog's own numbers
 * depend on which file was read first.
 * @return  new numbers, indexed by the catalog's; to be freed with g_free */
guint32 *hiera_match_number_contexts(const HieraTrace *trace);

/* --- members of a collective --- */

/* Return the number by which the members of a communicator are sorted: their rank in it; in an intercommunicator
 * their world rank. HIERA_ABSENT if a rank is no member of an intracommunicator. */
gint32 hiera_match_rank_in(const HieraCommunicator *communicator, gint32 world_rank);
/* Return why some members made none of the n calls of a collective; MATCHED: all members made one. */
HieraReason hiera_match_find_missing(const HieraTrace *trace, const HieraMatch *match, const HieraMemberCall *calls,
                                     guint32 n);
