/* ingredient: each rank has process numbers of its own, as in a container; its number is 1, as that of a process outside
 * source: found from outside, R10
 * needs: unshare
 * mpi: openmpi
 * run: OMPI_MCA_btl=self,tcp UCX_TLS=self,tcp hiera-run --library=$LIBHIERA mpirun -n 2 unshare -r --pid --fork --mount-proc ./app
 * expect: calls barrier 4
 * expect: never still runs|still running|another job
 * expect: answer hiera-transform --validate . 2>&1; echo $? => (?s)^(?!.*still runs).*\n0\n$
 * expect: answer hiera-transform --recover . 2>&1 => no process of . has left anything
 */
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
