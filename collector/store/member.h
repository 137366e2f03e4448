/* A store in the container of this process: the trace of a rank, or the part of a thread, as a list of extents.
 *
 * Positions of a member are those of the file that the rank would have alone. The list is on the disk, in the heads of
 * the extents; a bounded number of places in it is kept in memory. Extents begin small and grow with the member, so
 * little room is unused. An extent that is full is summed; one that is changed is summed again. The length of the
 * member is in the head of its first extent and is written last: a process that is killed leaves the member as it was
 * before, or partly overwritten behind its last good end. */
#ifndef HIERA_MEMBER_H
#define HIERA_MEMBER_H

#include "store.h"

/* Make a member, which is empty. `thread`: 0 for the trace, else of the part of a thread. NULL without memory. */
HieraStore *hiera_member_make(int rank, unsigned thread);

#endif
