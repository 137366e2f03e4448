/* `many [STEPS]`: regions that stay open over many flushes: 3 around everything, 100 or so many inside. Leaves are barriers of the rank alone; each step
 * has one with a request. */
#include <hiera.h>
#include <mpi.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    hiera_begin("app", "first", NULL);
    MPI_Init(&argc, &argv);
    hiera_begin("app", "second", "a=%d", 1);
    hiera_begin("oops", "Third::method", NULL);
    int steps = argc > 1 ? atoi(argv[1]) : 100;
    for (int step = 0; step < steps; step++) {
        hiera_begin("app", "step", "step=%d", step);
        MPI_Request request;
        MPI_Ibarrier(MPI_COMM_SELF, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < 100; i++) {
            hiera_begin("app", "part", NULL);
            MPI_Barrier(MPI_COMM_SELF);
            hiera_end();
            MPI_Barrier(MPI_COMM_SELF);
        }
        hiera_end();
    }
    hiera_end();
    hiera_end();
    MPI_Finalize();
    hiera_end();
    return 0;
}
