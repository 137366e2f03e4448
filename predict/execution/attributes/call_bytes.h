/* Number of bytes that a call moves, by the expressions of functions.table: `root:scount*stype*size|rcount*rtype*size`.
 */
#pragma once

#include "execution/mpi/world.h"

/* The role of a rank in its call, if that has a root. @return bits: 1 << HIERA_ROLE_ROOT, 1 << HIERA_ROLE_MEMBERS, and
 * 1 << HIERA_ROLE_BOTH if it has any; all of them in a call without a root */
guint hiera_call_find_roles(HieraWorld *world, guint32 rank);
/* Whether the call passes MPI_IN_PLACE for the buffer for which MPI allows that. */
gboolean hiera_call_is_in_place(HieraWorld *world, guint32 rank);

/* Evaluate an expression for the call that a rank begins, except `status`. An unknown value counts as a message of
 * unknown size. */
gint64 hiera_call_find_bytes(HieraWorld *world, guint32 rank, const char *expression);
