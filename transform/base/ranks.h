/* Lists of ranks as in `ranks="0-6:2 9"`: kept as ranges, because a communicator of a hundred thousand members is
 * declared in each of a hundred thousand traces. */
#ifndef HIERA_RANKS_H
#define HIERA_RANKS_H

#include "hiera_trace.h"

/* Like hiera_ranks_parse, for text that is no string; NULL if it is not such a list. */
HieraRanks *hiera_ranks_new(const char *text, gsize length);
/* Are there any that are processes of another job, `?`? */
gboolean hiera_ranks_has_strangers(const HieraRanks *ranks);
/* Number of ranks. */
gint64 hiera_ranks_count(const HieraRanks *ranks);
/* The rank at a place of the list; HIERA_ABSENT outside it, HIERA_STRANGER for a process of another job. O(log ranges).
 */
gint32 hiera_ranks_at(const HieraRanks *ranks, gint64 index);
/* Place of a rank in the list; HIERA_ABSENT if it is not there. O(ranges). */
gint32 hiera_ranks_find(const HieraRanks *ranks, gint64 rank);
/* Ranks of 0 … size-1 that are not among the `n` present ones, which are sorted: `0-3 7`, or "". */
char *hiera_ranks_format_gaps(const gint64 *present, guint n, gint64 size);

#endif
