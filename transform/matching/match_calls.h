/* Calls of collectives: types and functions that several steps of their matching share. */
#pragma once

#include "match_common.h"

/* One member's call. */
typedef struct {
    guint32 row, comm;
    guint32 made_by; /* row with the arguments: of a start, the call that made the persistent request, else `row` */
    guint32 object;  /* the communicator (window, file) or persistent collective on which calls are counted */
    guint32 makes;   /* object that the call creates and whose context is not known yet, or HIERA_NONE */
    guint32 flags;   /* calls on an object with different flags are counted separately */
    guint32 number;  /* index, from 0, among this rank's calls on the object with these flags */
    gint32 rank;     /* in the communicator; see hiera_match_rank_in() */
    guint32 processor;
} HieraMemberCall;

/* Add the calls of all members, numbered. Reasons are given to those that cannot be counted.
 * @param starts   HieraStart of persistent requests, by row
 * @param context  guint32 by object; gets those of persistent collectives, whose contexts are not known
 * @param calls    takes HieraMemberCall */
void hiera_match_number_calls(const HieraTrace *trace, HieraMatch *match, const GArray *starts, GArray *context,
                              GArray *calls);

/* --- agreement of the calls of one collective --- */

/* Return the kind of a call; for a start, the kind of the collective that it starts. */
HieraKind hiera_match_call_kind(const HieraTrace *trace, const HieraMemberCall *call);
/* True if the call is made on an intercommunicator. */
gboolean hiera_match_call_is_inter(const HieraTrace *trace, const HieraMemberCall *call);
/* True if all members made the same call with the same root and operator. Otherwise `differs` of the match receives
 * for each member another member whose call differs. */
gboolean hiera_match_calls_agree(const HieraTrace *trace, HieraMatch *match, const HieraMemberCall *calls, guint32 n);
/* Return the row of the root; HIERA_NONE if the collective has no root, or its call is not among `calls`. */
guint32 hiera_match_find_root(const HieraTrace *trace, const HieraMemberCall *calls, guint32 n);

/* Number the contexts of the catalog anew, in the order of their first use in the trace. The catalog's own numbers
 * depend on which file was read first.
 * @return  new numbers, indexed by the catalog's; to be freed with g_free */
guint32 *hiera_match_number_contexts(const HieraTrace *trace);

/* --- members --- */

/* Return the number by which the members of a communicator are sorted: their rank in it; in an intercommunicator
 * their world rank. HIERA_ABSENT if a rank is no member of an intracommunicator. */
gint32 hiera_match_rank_in(const HieraCommunicator *communicator, gint32 world_rank);
/* Return why members are missing among the calls of a collective; MATCHED if none is missing. */
HieraReason hiera_match_find_missing(const HieraTrace *trace, const HieraMatch *match, const HieraMemberCall *calls,
                                     guint32 n);
