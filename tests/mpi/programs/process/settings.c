/* A few calls of each kind, to be selected by settings. */
#include "unseen.h"

#include <hiera.h>
#include <mpi.h>

#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, ranks[1] = {0};
    MPI_Group world, group;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    UNSEEN(Comm_group)(MPI_COMM_WORLD, &world);
    hiera_begin("app", "outer", "a=%d", 1);
    hiera_begin("oops", "Group::method", NULL);
    MPI_Bcast(&rank, 1, MPI_INT, 0, MPI_COMM_WORLD);
    hiera_end();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Group_incl(world, 1, ranks, &group);
    hiera_begin(NULL, "inner", NULL);
    hiera_end();
    hiera_end();
    MPI_Finalize();
    return 0;
}
