/* Lists of ranks, written `0-6:2 9`. They are kept as ranges, because a communicator of a hundred thousand members is
 * declared in a hundred thousand traces. */
#pragma once

#include "hiera_trace.h"

/* Parse a list of ranks like hiera_ranks_parse(), from text that is not terminated; an empty list is allowed. Return
 * NULL if the text is not a list of ranks. */
HieraRanks *hiera_ranks_new(const char *text, gsize length);
/* Return TRUE if the list has processes of another MPI job, written `?`. */
gboolean hiera_ranks_has_strangers(const HieraRanks *ranks);
/* Return the number of ranks in the list. */
gint64 hiera_ranks_count(const HieraRanks *ranks);
/* Return the rank at a place of the list, from 0: HIERA_ABSENT outside the list, HIERA_STRANGER for a process of
 * another job. O(log ranges). */
gint32 hiera_ranks_at(const HieraRanks *ranks, gint64 index);
/* Return the index of a rank in the list, from 0; HIERA_ABSENT if it is not in the list. O(ranges). */
gint32 hiera_ranks_find(const HieraRanks *ranks, gint64 rank);
/* Return the list as text that hiera_ranks_new() understands; to be freed with g_free. */
char *hiera_ranks_format(const HieraRanks *ranks);
/* Return the missing ranks as text, `0-3 7`: those of 0 … size-1 that are not in `present`; "" if none is missing.
 * Free the text with g_free.
 *
 * @param present  n ranks in ascending order */
char *hiera_ranks_format_gaps(const gint64 *present, guint n, gint64 size);
