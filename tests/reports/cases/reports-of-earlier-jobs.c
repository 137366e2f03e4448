/* ingredient: an earlier run that broke a rule has left its reports where this one leaves its own
 * source: found from outside, A3
 * mpi: mpich
 * build: printf 'job: calls("barrier") < 3\n' > rules.txt
 * build: mpicc -g %f -o app
 * run: HIERA_ASSERT_DIR=reports hiera-run --assert=rules.txt mpirun -n 3 ./app 5; HIERA_ASSERT_DIR=reports hiera-run --assert=rules.txt mpirun -n 2 ./app 1
 * expect: calls barrier 2
 * expect: says rules.txt:1 +failed +0 +1 (?s:.*)rules.txt:1 +ok +1 +0 
 * expect: answer ls reports | wc -l => ^2$
 * expect: answer hiera-transform --assert rules.txt --reports reports; echo $? => (?s)ok +1 +0 .*\n0\n$
 * expect: answer HIERA_ASSERT=rules.txt LD_PRELOAD=$LIBHIERA mpirun -n 3 ./app 1; HIERA_ASSERT=rules.txt LD_PRELOAD=$LIBHIERA mpirun -n 2 ./app 2; ls assertions?.tsv | wc -l => ^2$
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
