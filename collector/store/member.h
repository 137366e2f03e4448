/* A store in the container of this process: the trace of a rank, or the part of a thread, as a list of extents.
 *
 * Positions in a member are those in a file that the rank would have alone. The list is on the disk, in the heads of
 * the extents; a bounded number of positions in it is cached in memory. Extents begin small and grow with the member,
 * so little room is unused. An extent gets a sum when it is full; after a change the sum is computed again. The length
 * of the member is in the head of its first extent and is written last: a process that is killed leaves the member as
 * it was before, or partly overwritten behind its last good end. */
#pragma once

#include "store.h"

/* Make an empty member. `thread`: 0 for the rank's trace, else the thread whose part of the trace it is. NULL: no
 * memory. */
HieraStore *hiera_member_make(int rank, unsigned thread);
