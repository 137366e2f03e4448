/* ingredient: a probe script about ranks that the job does not have
 * source: found from outside, P1
 * mpi: openmpi
 * run: hiera-run --probe='call[5,7-9]::barrier { @n = count(); } call[0-7] { @all = count(); } END { print(@n); print(@all); }' mpirun -n 2 ./app
 * expect: other output
 * expect: says HIERA_PROBE: .*the job has the ranks 0 to 1, none of which is in this list: the clause does nothing
 * expect: never (?s)ranks 0 to 1.*ranks 0 to 1
 * expect: answer hiera-transform --probe 'call[1]::barrier { @n = count(); } call[2]::barrier { @m = count(); } END { global_print(@n); }' . 2>&1 => (?s)^[^\n]*the job has the ranks 0 to 1, none of which is in this list
 */
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
