/* ingredient: a program without MPI loads a plugin of another MPI than that of the preloaded libhiera (mpi4py of another MPI)
 * source: found from outside, R2
 * needs: mpicc.openmpi mpicc.mpich
 * build: gcc -g -DHOST %f -o app -ldl
 * build: case $MPI in openmpi) other=mpich;; *) other=openmpi;; esac; mpicc.$other -g -shared -fPIC %f -o plugin.so
 * run: hiera-run --library=$LIBHIERA ./app
 * expect: says hiera: ./plugin.so needs libmpi\S+, but this process has the libhiera of libmpi
 * expect: other output
 * expect: findings
 */
#ifdef HOST
#include <dlfcn.h>
#include <stdio.h>

int main(void)
{
    void *plugin = dlopen("./plugin.so", RTLD_NOW | RTLD_LOCAL);
    int (*run)(void) = plugin ? (int (*)(void))dlsym(plugin, "run") : NULL;
    return run ? run() : 1;
}
#else
#include <mpi.h>
#include <stddef.h>

int run(void);
int run(void)
{
    MPI_Init(NULL, NULL); /* the calls after it would fail, as MPI_Comm_size does */
    MPI_Finalize();
    return 0;
}
#endif
