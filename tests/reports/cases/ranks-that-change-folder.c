/* ingredient: a wrapper script takes each rank into a folder of its own before the program starts
 * source: found from outside, R15
 * mpi: openmpi
 * run: printf 'mkdir -p dir$$ && cd dir$$ && exec ../app\n' > wrapper.sh; hiera-run --library=$LIBHIERA mpirun -n 3 sh wrapper.sh
 * expect: says hiera: 3 ranks traced
 * expect: calls barrier 3
 * expect: never [12] of 3 ranks
 * expect: answer HIERA_DIR=out/here hiera-run --library=$LIBHIERA mpirun -n 3 sh wrapper.sh 2>&1; ls out/here => (?s)3 ranks traced; rank 0.+/out/here \(.*.*trace2.xml
 * expect: answer hiera-run --dir=there --library=$LIBHIERA mpirun -wdir / -n 1 $PWD/app 2>&1; ls there => (?s)1 rank traced.+/there \(.*.*trace0.xml
 * expect: answer mkdir gone kept; cd gone; hiera-run --library=$LIBHIERA sh -c 'rmdir ../gone; cd ../kept; ../app' 2>&1; ls ../kept => (?s)1 rank traced.+/kept \(.*.*trace0.xml
 */
#include <mpi.h>

int main(int n, char **words)
{
    MPI_Init(&n, &words);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
