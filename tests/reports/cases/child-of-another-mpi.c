/* ingredient: a rank starts a program of another MPI by system(), which inherits LD_PRELOAD (a mesh tool, a solver of another package)
 * source: found from outside, R2
 * needs: mpicc.openmpi mpicc.mpich
 * build: mpicc -g %f -o app
 * build: case $MPI in openmpi) other=mpich;; *) other=openmpi;; esac; mpicc.$other -g -DCHILD %f -o child
 * run: hiera-run mpirun -n 2 ./app
 * expect: calls barrier 2
 * expect: says child of 1, sum 1\n
 * expect: says hiera: 1 rank traced; rank 0: .*next: hiera-transform \S+/job-2 
 * expect: never each alone
 * expect: answer hiera-transform job-2 --measure counts --format csv => allreduce,1
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank, size, one = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
#ifdef CHILD
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("%s of %d, sum %d\n", argv[0], size, sum);
#else
    /* the name in argv[0] is not that of the file */
    if (rank == 0 && system("PATH=$PATH:. exec child") != 0)
        printf("the child has failed\n");
    (void)one, (void)sum;
    MPI_Barrier(MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
