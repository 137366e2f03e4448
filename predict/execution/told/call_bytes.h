/* How many bytes a call moves, by the expressions of functions.table: `root:scount*stype*size|rcount*rtype*size`. */
#ifndef HIERA_EXECUTION_CALL_BYTES_H
#define HIERA_EXECUTION_CALL_BYTES_H

#include "execution/mpi/world.h"

/* The role of a rank in its call, if that has a root. @return bits: 1 << HIERA_ROLE_ROOT, 1 << HIERA_ROLE_MEMBERS, and
 * 1 << HIERA_ROLE_BOTH if it has any; all of them in a call without a root */
guint hiera_call_find_roles(HieraWorld *world, guint32 rank);
/* Whether the buffer of the call that may be MPI_IN_PLACE is. */
gboolean hiera_call_is_in_place(HieraWorld *world, guint32 rank);

/* Evaluate an expression for the call that a rank begins, not `status`. What is not known counts as a message whose
 * size is not known. */
gint64 hiera_call_find_bytes(HieraWorld *world, guint32 rank, const char *expression);

#endif
