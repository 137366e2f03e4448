/* ingredient: what is wrong with rules and values is said before the job starts, and what nobody can decide while it runs
 * source: found from outside, A4
 * mpi: openmpi
 * needs: python3
 * build: printf 'LIMIT = \nnonsense here\n' > values.txt; printf 'job: WallTime <\n' > bad.txt; printf 'job: WallTime > 0s\n' > good.txt
 * build: mpicc -g -I $(dirname %f)/../../../collector %f -o app
 * run: HIERA_MORE=on_violation=call hiera-run --library=$LIBHIERA mpirun -n 1 ./app
 * expect: says HIERA_MORE=on_violation=call: the program has no function hiera_on_violation
 * expect: answer HIERA_VALUES=values.txt hiera-run --assertions mpirun -n 1 ./app 2>&1; echo "status $?" => ^hiera-run: values.txt:[^?]*\nstatus 2\n$
 * expect: answer HIERA_VALUES=values.txt hiera-run --assert=good.txt mpirun -n 1 ./app 2>&1; echo "status $?" => ^hiera-run: values.txt:[^?]*\nstatus 2\n$
 * expect: answer hiera-run --assert=bad.txt mpirun -n 1 ./app 2>&1 => ^hiera-run: bad.txt:1[^?]*\nhiera-run: job: WallTime <\nhiera-run: +\^
 * expect: answer HIERA_TRACE=0 hiera-run --assertions --library=$LIBHIERA python3 -c 'import os; os.execv("./app", ["app"])' 2>&1 => (?s)^(?!.*no trace: none).*failed
 */
#include <hiera.h>
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    {
        HIERA_ASSERT("$n > 7", n);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
