/* ingredient: env with options before the program: it preloads something beside -u, or clears all variables in one of the ways env knows
 * source: found from outside, R5
 * mpi: mpich
 * build: mpicc -g %f -o app
 * build: gcc -shared -fPIC -DUSER %f -o libuser.so
 * run: for clear in - -i --ignore-environment --ignore-e -vi; do hiera-run mpirun -n 1 /usr/bin/env $clear HOME="$HOME" PATH="$PATH" ./app $clear; done; hiera-run mpirun -n 2 env -u NO_SUCH LD_PRELOAD=./libuser.so ./app last
 * expect: calls barrier 2
 * expect: says hiera-run: '-' may take away
 * expect: says hiera-run: '-i' may take away
 * expect: says hiera-run: '--ignore-environment' may take away
 * expect: says hiera-run: '--ignore-e' may take away
 * expect: says hiera-run: '-vi' may take away
 * expect: says last, preloaded 1\n
 * expect: says hiera: 2 ranks traced
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
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s, preloaded %d\n", argv[1], dlsym(RTLD_DEFAULT, "users_function") != NULL);
    MPI_Finalize();
    return 0;
}
#endif
