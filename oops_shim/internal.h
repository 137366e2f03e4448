/* Shared by the classes of OOPS. */
#ifndef OOPS_INTERNAL_H
#define OOPS_INTERNAL_H

#include "oops.h"

#include "hiera.h"

#include <stddef.h>

struct OopsGroup {
    MPI_Comm comm;
    int rank, size;
    int *offsets; /* of each member, for methods that put parts one after the other */
};

/* Handle of MPI for an element type or an operator; false if there is none. */
bool oops_type_find(OopsType type, MPI_Datatype *mpi);
bool oops_op_find(OopsOp op, MPI_Op *mpi);

/* Text of count and root in a trace; without root where all members get the result. */
static inline const char *oops_root_format(int root)
{
    return root == OOPS_ALL ? "count=%d" : "count=%d root=%d";
}

/* Tags of messages between neighbours: TAG + the direction in which they travel, so that on a torus two wide what goes
 * east is not taken for what goes west to the same process. */
enum {
    OOPS_TAG_NEIGHBOUR = OOPS_TAG_MAX + 1,
    OOPS_TAG_GHOSTS = OOPS_TAG_NEIGHBOUR + OOPS_DIRECTIONS,
    OOPS_TAG_WHOLE = OOPS_TAG_GHOSTS + OOPS_DIRECTIONS /* a vector or matrix from one process to another */
};

/* oops_group_send() and recv with any tag; not methods. */
int oops_message_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag);
int oops_message_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag);

/* Send `own` in a direction, receive `ghosts` from the other side, at once. Beyond borders nothing is done. */
int oops_ghosts_shift(OopsTopology *topology, OopsDirection direction, const void *own, void *ghosts, size_t bytes);

/* The opposite direction. */
OopsDirection oops_direction_back(OopsDirection direction);

/* Rank of the member at a place. Rows and columns beyond the border wrap around. */
int oops_topology_rank_at(const OopsTopology *topology, int row, int col);

/* True if the topology has rows and columns. */
bool oops_topology_is_cartesian(const OopsTopology *topology);

/* True if each part is a range of neighbouring elements. */
bool oops_distribution_is_blocked(const OopsDistribution *distribution);

#endif
