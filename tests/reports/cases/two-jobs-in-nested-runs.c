/* ingredient: a script under hiera-run that runs hiera-run for each of its jobs, in folders of its own
 * source: found from outside, R7 and R15
 * mpi: mpich
 * run: mkdir -p one two; hiera-run --library=$LIBHIERA sh -c 'cd one && hiera-run mpirun -n 2 ../app && cd ../two && hiera-run mpirun -n 1 ../app'
 * expect: calls barrier 2
 * expect: answer hiera-transform job-2 --measure counts --format csv --quiet => barrier,.*\b1\b
 * expect: answer ls one two => ^one:\n\ntwo:\n$
 */
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
