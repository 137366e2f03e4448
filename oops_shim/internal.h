/* Declarations that the classes of OOPS share. */
#ifndef OOPS_INTERNAL_H
#define OOPS_INTERNAL_H

#include "oops.h"

#include "hiera.h"

#include <stddef.h>

struct OopsGroup {
    MPI_Comm comm;
    int rank, size;
    int *offsets; /* offset of each member, for methods that store parts one after the other */
};

/* Find the MPI handle of an element type or an operator; false if there is none. */
bool oops_type_find(OopsType type, MPI_Datatype *mpi);
bool oops_op_find(OopsOp op, MPI_Op *mpi);

/* Format of count and root in a trace; without root if all members get the result. */
static inline const char *oops_root_format(int root)
{
    return root == OOPS_ALL ? "count=%d" : "count=%d root=%d";
}

/* Tags of messages between neighbours: the base tag + the direction of the message. So on a torus of width two a
 * message to the east is not taken for one to the west to the same process. */
enum {
    OOPS_TAG_NEIGHBOUR = OOPS_TAG_MAX + 1,
    OOPS_TAG_GHOSTS = OOPS_TAG_NEIGHBOUR + OOPS_DIRECTIONS,
    OOPS_TAG_WHOLE = OOPS_TAG_GHOSTS + OOPS_DIRECTIONS /* for a whole vector or matrix */
};

/* oops_group_send() and oops_group_recv() with any tag; they are not recorded as methods. */
int oops_message_send(OopsGroup *group, const void *data, int count, OopsType type, int rank, int tag);
int oops_message_recv(OopsGroup *group, void *data, int count, OopsType type, int rank, int tag);

/* Send `own` in a direction and, at the same time, receive `ghosts` from the opposite side. Beyond a border nothing is
 * sent or received. */
int oops_ghosts_shift(OopsTopology *topology, OopsDirection direction, const void *own, void *ghosts, size_t bytes);

/* The opposite direction. */
OopsDirection oops_direction_back(OopsDirection direction);

/* Rank of the member at a row and column, which wrap around at the borders. */
int oops_topology_rank_at(const OopsTopology *topology, int row, int col);

/* True if the topology has rows and columns. */
bool oops_topology_is_cartesian(const OopsTopology *topology);

/* True if each part is a range of consecutive elements. */
bool oops_distribution_is_blocked(const OopsDistribution *distribution);

#endif
