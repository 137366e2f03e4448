/* ingredient: rules over all ranks, for a script that starts two jobs: the second breaks the rule; the same without hiera-run, with and without traces
 * source: found from outside, A3
 * mpi: mpich
 * build: printf 'job: calls("barrier") == 6\n' > rules.txt
 * build: mpicc -g %f -o app
 * run: hiera-run --library=$LIBHIERA --assert=rules.txt sh -c 'mpirun -n 2 ./app 3; mpirun -n 1 ./app 5'; echo status $?
 * expect: other output
 * expect: says (?s)job +rule .*\n +1 +rules.txt:1 +ok +1 +0 .*\n +2 +rules.txt:1 +failed +0 +1
 * expect: never \n +3 +rules.txt
 * expect: says job 2: 1 rank; traces in \S+/job-2\n
 * expect: says status 1
 * expect: answer HIERA_TRACE=0 HIERA_ASSERT_DIR=reports hiera-run --library=$LIBHIERA --assert=rules.txt sh -c 'mpirun -n 1 ./app 6; mpirun -n 2 ./app 3' 2>&1; echo status $? => job 1: 1 rank; one of its reports: assertions0-(?s:.*)status 0
 * expect: answer hiera-transform --assert rules.txt --reports reports --format csv --columns rule,verdict 2>/dev/null => job,rule,verdict\n1,rules.txt:1,ok\n2,rules.txt:1,ok\n
 * expect: answer hiera-transform --assert rules.txt --reports reports --format junit 2>/dev/null => (?s)tests="1".*rules.txt, job 1.*tests="1".*rules.txt, job 2
 * expect: answer mkdir -p mine; export HIERA_ASSERT=rules.txt HIERA_ASSERT_DIR=mine LD_PRELOAD=$LIBHIERA; mpirun -n 2 ./app 4; mpirun -n 2 ./app 3; unset LD_PRELOAD; hiera-transform --assert rules.txt --reports mine --format csv --columns verdict 2>&1; echo status $? => 1,failed\n2,ok\n(?s:.*)status 1
 * expect: answer export HIERA_TRACE=0 HIERA_DIR=one HIERA_ASSERT=rules.txt; for n in 3 2; do mpirun -n $n env LD_PRELOAD=$LIBHIERA ./app $((6 / n)); done; ls one | wc -l; hiera-transform --assert rules.txt --reports one; echo status $? => (?s)^2\n.*status 0
 * expect: answer export HIERA_RUN=1.2.3 HIERA_TRACE=0 HIERA_DIR=both HIERA_ASSERT=rules.txt; for n in 3 1; do mpirun -n $n env LD_PRELOAD=$LIBHIERA ./app 2; done; ls both | wc -l; hiera-transform --assert rules.txt --reports both; echo status $? => (?s)^4\n.*status 1
 */
#include <mpi.h>
#include <stdlib.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    for (int i = atoi(words[1]); i > 0; i--)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
