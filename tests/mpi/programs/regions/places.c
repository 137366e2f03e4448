/* Calls in several source files, two of which have the same name. */
#include <mpi.h>

#line 1 "fluid/solver.c"
static void fluid(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

#line 1 "solid/solver.c"
static void solid(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

#line 1 "/usr/src/installed.c"
static void installed(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
}

#line 1 "places.c"
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    fluid();
    solid();
    installed();
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
