/* What a run computes decides when these loops end, which nobody knows from the executable. The first one has a
 * counter, too, and ends with it; errors end the second one, but there are none. */
#include <mpi.h>
#include <stdlib.h>

static double norm(void)
{
    double mine = MPI_Wtime(), all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

int main(int argc, char **argv)
{
    long most = argc > 1 ? strtol(argv[1], NULL, 10) : 150;
    MPI_Init(&argc, &argv);
    for (long i = 0; i < most; i++)
        if (norm() < 0)
            break;
    if (argc > 2) {
        for (;;) {
            if (MPI_Barrier(MPI_COMM_WORLD) != MPI_SUCCESS)
                break;
            if (norm() > 1)
                break;
        }
    }
    MPI_Finalize();
    return 0;
}
