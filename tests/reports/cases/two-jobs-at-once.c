/* ingredient: a script under hiera-run starts two jobs at the same time, both with rules
 * source: found from outside, R7 and A3
 * mpi: openmpi
 * build: printf 'job: calls("barrier") <= 8\n' > rules.txt
 * build: mpicc -g %f -o app
 * run: hiera-run --library=$LIBHIERA --assert=rules.txt sh -c 'mpirun -n 2 ./app & OMPI_MCA_orte_tmpdir_base=$PWD/second mpirun -n 1 ./app; wait'
 * expect: says (?s)1 +rules.txt:1 +ok .*\n +2 +rules.txt:1 +ok .*job 2: [12] rank
 * expect: answer ls -d hieraCollector.xml [jh]*-*\/hieraCollector.xml | wc -l => ^2$
 * expect: answer for d in . $(ls -d job-2 hiera-* 2>&-); do test -d $d && hiera-transform --validate $d && echo good; done => (?s)good.*good
 */
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    for (int i = 0; i < 4; i++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
