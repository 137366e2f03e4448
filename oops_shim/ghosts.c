/* One step of a ghost exchange: all members send in the same direction at the same time. */
#include "internal.h"

/* Convert a neighbour to an MPI rank; none becomes MPI_PROC_NULL. */
static int rank_or_none(int neighbour)
{
    return neighbour >= 0 ? neighbour : MPI_PROC_NULL;
}

int oops_ghosts_shift(OopsTopology *topology, OopsDirection direction, const void *own, void *ghosts, size_t bytes)
{
    int to = oops_topology_neighbour(topology, direction);
    int from = oops_topology_neighbour(topology, oops_direction_back(direction));
    int tag = OOPS_TAG_GHOSTS + (int)direction;
    return MPI_Sendrecv(own, (int)bytes, MPI_BYTE, rank_or_none(to), tag, ghosts, (int)bytes, MPI_BYTE,
                        rank_or_none(from), tag, oops_topology_group(topology)->comm, MPI_STATUS_IGNORE);
}
