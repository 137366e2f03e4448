/* ingredient: an MPI program loads a serial library of Fortran with its dummy MPI (MUMPS has one: libmpiseq)
 * source: found from outside, R1: siblings
 * build: gcc -g -DDUMMY -shared -fPIC %f -o libmpiseq.so
 * build: gcc -g -DPLUG -shared -fPIC %f -o plug.so -L. -lmpiseq -Wl,-rpath,.
 * build: mpicc -g %f -o app -ldl
 * run: hiera-run mpirun -n 2 ./app
 * expect: calls allreduce 2
 * expect: calls barrier 2
 */
#include <stdio.h>

#if defined(DUMMY)
void mpi_comm_size_(int *comm, int *size, int *error)
{
    *size = 1;
    *error = *comm == -1 ? 0 : 1;
}

void mpi_allreduce_(const void *from, void *to, int *n, int *type, int *op, int *comm, int *error)
{
    for (int i = 0; i < *n; i++)
        ((double *)to)[i] = ((const double *)from)[i];
    *error = *type == -2 && *op == -3 && *comm == -1 ? 0 : 1;
}
#elif defined(PLUG)
void mpi_comm_size_(int *comm, int *size, int *error);
void mpi_allreduce_(const void *from, void *to, int *n, int *type, int *op, int *comm, int *error);

double solve(double x)
{
    double sum = 0;
    int size = 0, error = 0, one = 1, comm = -1, type = -2, op = -3;
    mpi_comm_size_(&comm, &size, &error);
    printf("size %d error %d\n", size, error);
    mpi_allreduce_(&x, &sum, &one, &type, &op, &comm, &error);
    printf("sum %g error %d\n", sum, error);
    return sum;
}
#else
#include <dlfcn.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    double x = 2, sum;
    MPI_Allreduce(&x, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    void *plug = dlopen("./plug.so", RTLD_NOW);
    double (*solve)(double) = plug ? (double (*)(double))dlsym(plug, "solve") : NULL;
    printf("%g %g\n", sum, solve ? solve(3) : -1);
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Finalize();
}
#endif
