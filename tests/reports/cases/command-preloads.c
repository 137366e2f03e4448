/* ingredient: the command preloads a library of its own into the ranks (an allocator), by the launcher's options and by env
 * source: found from outside, R5
 * build: mpicc -g %f -o app
 * build: gcc -shared -fPIC -DUSER %f -o libuser.so
 * run: case $MPI in openmpi) option="-x LD_PRELOAD=./libuser.so";; *) option="-genv LD_PRELOAD ./libuser.so";; esac; hiera-run --dir=first mpirun $option -n 2 ./app first; hiera-run mpirun -n 2 env LD_PRELOAD=./libuser.so ./app second; env LD_PRELOAD=./libuser.so hiera-run --dir=third env LD_PRELOAD=./libuser.so mpirun -n 2 ./app third
 * expect: calls allreduce 2
 * expect: says (?s)(2 ranks traced.*){3}
 * expect: says third, preloaded 2\n
 * expect: never no trace
 */
#ifdef USER
int users_function(void);
int users_function(void)
{
    return 1;
}
#else
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, sum, is_there = dlsym(RTLD_DEFAULT, "users_function") != NULL;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&is_there, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s, preloaded %d\n", argv[1], sum);
    MPI_Finalize();
    return 0;
}
#endif
