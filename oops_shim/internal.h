/* Declarations that the classes of OOPS share. */
#ifndef OOPS_INTERNAL_H
#define OOPS_INTERNAL_H

#include "oops.h"

#include "hiera.h"

#include <stddef.h>

struct OopsGroup {
    MPI_Comm comm;
    int rank, size;
    int *offsets; /* by member: offset of its part, for methods that store parts one after the other */
};

/* Find the MPI handle of an element type; of an operator. Return false if there is none. */
bool oops_type_find(OopsType type, MPI_Datatype *mpi);
bool oops_op_find(OopsOp op, MPI_Op *mpi);

/* Return the format of count and root in a trace; without root if all members get the result. */
static inline const char *oops_root_format(int root)
{
    return root == OOPS_ALL ? "count=%d" : "count=%d root=%d";
}

/* Tags of messages between neighbours: the base tag + the direction of the message. So on a torus of width two a
 * message to the east is not taken for one to the west to the same process. */
enum {
    OOPS_TAG_NEIGHBOUR = OOPS_TAG_MAX + 1,
    OOPS_TAG_GHOSTS = OOPS_TAG_NEIGHBOUR + OOPS_DIRECTIONS,
    OOPS_TAG_WHOLE = OOPS_TAG_GHOSTS + OOPS_DIRECTIONS /* tag of messages with all elements of a vector */
};

/* Do as oops_group_send() and oops_group_recv(), with any tag, and without an operation in the trace. */
int oops_message_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag);
int oops_message_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag);

/* Send `own` in a direction and, at the same time, receive `ghosts` from the opposite side. Beyond a border nothing is
 * sent or received. */
int oops_ghosts_shift(OopsTopology *topology, OopsDirection direction, const void *own, void *ghosts, size_t bytes);

/* Return the direction opposite to `direction`. */
OopsDirection oops_direction_back(OopsDirection direction);

/* Return the rank of the member at a row and column; numbers beyond a border wrap around to the opposite border. */
int oops_topology_rank_at(const OopsTopology *topology, int row, int col);

/* Whether the topology has rows and columns. */
bool oops_topology_is_cartesian(const OopsTopology *topology);

/* Whether each part of the distribution is a range of consecutive elements. */
bool oops_distribution_is_blocked(const OopsDistribution *distribution);

#endif
