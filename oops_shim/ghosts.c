/* One step of a ghost exchange: all members send in the same direction, and receive from the opposite one. */
#include "internal.h"

/* Return the MPI rank of a neighbour; MPI_PROC_NULL if there is none. */
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
