/* ingredient: a script under hiera-run --library starts jobs of two MPIs
 * source: found from outside, R2
 * needs: mpicc.openmpi mpicc.mpich
 * build: mpicc -g %f -o app
 * build: case $MPI in openmpi) echo mpich;; *) echo openmpi;; esac > other; mpicc.$(cat other) -g %f -o child
 * run: hiera-run --library=$LIBHIERA sh -c 'mpirun -n 2 ./app first; mpirun.$(cat other) -n 2 ./child second'
 * expect: says (?s)2 ranks traced.*2 ranks traced
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%s, rank %d, sum %d\n", argv[1], rank, sum);
    MPI_Finalize();
    return argc < 2;
}
