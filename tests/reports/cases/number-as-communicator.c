/* ingredient: nMPIProcesses() of a variable whose type cannot be a communicator
 * source: found from outside, A4
 * build: mpicc -g -I $(dirname %f)/../../../collector %f -o app
 * run: hiera-run mpirun -n 2 ./app
 * expect: says number-as-communicator.c:\d+: '\$size' is no communicator
 * expect: never MPI_COMM_WORLD' is no
 */
#include <hiera.h>
#include <mpi.h>

int main(int n, char **words)
{
    long size = 4;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Init(&n, &words);
    {
        HIERA_ASSERT("nMPIProcesses($size) == 4", size);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    {
        HIERA_ASSERT("nMPIProcesses($world) == 2", world);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
