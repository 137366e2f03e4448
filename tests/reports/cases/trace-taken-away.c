/* ingredient: a script takes the traces, or their folder, away before hiera-run looks for them
 * source: found from outside, R5 and R15
 * mpi: mpich
 * build: mpicc -g %f -o app
 * build: mkdir -p kept gone
 * run: hiera-run --library=$LIBHIERA sh -c 'mpirun -n 2 ./app moved; mv *.xml kept' 2>&1 || true; hiera-run --library=$LIBHIERA --dir=new sh -c 'mpirun -n 1 ./app with-folder; rm -rf new'; hiera-run --quiet mpirun -n 1 ./app last
 * expect: other output
 * expect: says hiera: 2 ranks traced
 * expect: never no trace
 * expect: says hiera-run: whether there was a trace in \S+/new is not known: the folder was made or removed meanwhile
 * expect: answer cd gone; hiera-run --library=$LIBHIERA sh -c 'rmdir ../gone; cd ../kept; ../app folder' 2>&1 => (?s)^(?!.*no trace).*1 rank traced.*whether there was a trace in \S+/gone is not known
 * expect: answer hiera-run --library=$LIBHIERA --dir=never true 2>&1 => no trace in \S+never: none of its processes
 * expect: answer hiera-run --library=$LIBHIERA sh -c 'echo result > result.txt; mkdir results' 2>&1 => no trace in \S+: none of its processes
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%s\n", argv[1]);
    MPI_Finalize();
    return 0;
}
