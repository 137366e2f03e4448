/* A user's program, linked with the installed library. */
#include <hiera.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    HIERA_REGION("app", "work", "n=%d", 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
