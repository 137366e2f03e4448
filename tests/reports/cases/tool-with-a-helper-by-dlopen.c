/* ingredient: a PMPI tool behind Hiera that reaches PMPI by a library that it loads itself: nothing in the tool says so
 * source: found from outside, siblings of R1 and R14
 * build: mpicc -g -DTOOL -DHELPER_PATH=\"$PWD/libhelper.so\" -shared -fPIC %f -o libtool.so
 * build: mpicc -g -DHELPER -shared -fPIC %f -o libhelper.so -L. -ltool -Wl,-rpath,$PWD
 * build: mpicc -g %f -o app
 * run: LD_PRELOAD=$PWD/libtool.so hiera-run mpirun -n 2 ./app
 * expect: findings
 * expect: says hiera: libtool.so has MPI_Barrier, and nothing says whether it hands calls on to MPI: they are left to it, and the traces lack them
 * expect: calls allreduce 2
 * expect: answer hiera-transform . --measure counts => calls of MPI_Barrier go to libtool.so
 */
#include <mpi.h>
#include <stdio.h>

#if defined(HELPER) || defined(TOOL)
extern int (*tool_next)(MPI_Comm comm);
#endif

#if defined(HELPER)
__attribute__((constructor)) static void begin(void)
{
    tool_next = PMPI_Barrier;
}
#elif defined(TOOL)
#include <dlfcn.h>

int (*tool_next)(MPI_Comm comm);

__attribute__((constructor)) static void begin(void)
{
    dlopen(HELPER_PATH, RTLD_NOW);
}

int MPI_Barrier(MPI_Comm comm)
{
    fputs("tool: barrier\n", stdout); /* one write, which no other rank can cut */
    fflush(stdout);
    return tool_next(comm);
}
#else
int main(int argc, char **argv)
{
    int x = 1, sum;
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
#endif
