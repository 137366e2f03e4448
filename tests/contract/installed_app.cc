// A user's program in C++, linked with the installed library.
#include <hiera.hpp>
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hiera::Region region("app", "work", "n=%d", 1);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
}
