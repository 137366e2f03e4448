/* ingredient: one hiera-run before a script that starts a job twice, and then a process alone; and all of it once more; tasks of a job array
 * source: found from outside, R7
 * mpi: openmpi
 * run: for i in 1 2; do hiera-run --library=$LIBHIERA sh -c 'mpirun -n 2 ./app 3 && mpirun -n 1 ./app 5 && mpirun -n 2 ./app 7'; done
 * expect: calls barrier 6
 * expect: says hiera: 2 ranks traced; rank 0: .*next: hiera-transform \S+/hiera-report-\w+ \(
 * expect: says hiera: 1 rank traced; rank 0: .*next: hiera-transform \S+/job-2 \(
 * expect: says hiera: 2 ranks traced; rank 0: .*next: hiera-transform \S+/job-3 \(
 * expect: never another job
 * expect: answer hiera-transform job-2 --measure counts --format csv --quiet => barrier,.*\b5\b
 * expect: answer hiera-transform job-3 --measure counts --format csv --quiet => barrier,.*\b14\b
 * expect: answer hiera-transform --validate job-2 && hiera-transform --validate job-3 && echo good => good
 * expect: answer ls => (?s)^(?!.*job-4)
 * expect: answer hiera-run --library=$LIBHIERA sh -c 'mpirun -n 1 ./app 1' >&2; ls => (?s)^(?!.*\njob-)(?!.*trace1)
 * expect: answer for i in 13 24 26; do SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=${i%?} hiera-run --library=$LIBHIERA mpirun -n 1 ./app ${i#?} >&2; done; for i in . job-*; do hiera-transform $i --measure counts --format csv --quiet; done | grep -o 'barrier.*' => ^barrier,[^\n]*\b3\b[^\n]*\nbarrier,[^\n]*\b6\b[^\n]*\n(?!barrier)
 * expect: answer SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=1 hiera-run --library=$LIBHIERA sh -c 'mpirun -n 1 ./app 1 && mpirun -n 1 ./app 2' >&2; ls -d job-* => ^job-2\njob-3\n(?!job-)
 * expect: answer SLURM_ARRAY_JOB_ID=8 SLURM_ARRAY_TASK_ID=2 hiera-run --library=$LIBHIERA mpirun -n 1 ./app 1 >&2; ls => (?s)^(?!.*job-)
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
