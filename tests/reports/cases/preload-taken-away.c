/* ingredient: a wrapper script sets LD_PRELOAD, env removes it: libhiera is not in the ranks, and nobody said so
 * source: found from outside, R5
 * mpi: openmpi
 * build: mpicc -g %f -o app
 * build: printf '\043!/bin/sh\nLD_PRELOAD= exec "$@"\n' > wrapper; chmod +x wrapper
 * run: hiera-run mpirun -n 2 ./wrapper ./app first; hiera-run mpirun -n 2 env -u LD_PRELOAD ./app second; hiera-run --quiet mpirun -n 2 ./wrapper ./app third
 * expect: no trace
 * expect: says hiera-run: this run left no trace in \S+/hiera-report-\w+: none of its processes on this host has called MPI through libhiera\n
 * expect: says hiera-run: ./wrapper sets LD_PRELOAD or clears the environment: keep there .*libhiera-
 * expect: says hiera-run: '-u LD_PRELOAD' may take away
 * expect: never (?s)(no trace.*){3}
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%s\n", argv[1]);
    MPI_Finalize();
    return 0;
}
