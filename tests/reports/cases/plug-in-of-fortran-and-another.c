/* ingredient: a plug-in that calls MPI as Fortran without underscores does, then one with a function of its own by that name
 * source: found from outside, R1: siblings
 * build: mpicc -g -DFORTRAN -c -fPIC %f -o fortran.o
 * build: mpifort -shared fortran.o -o fortran.so
 * build: mpicc -g -DPLUG -shared -fPIC %f -o plug.so
 * build: gcc -g %f -o app -ldl
 * run: hiera-run --library=$LIBHIERA mpirun -n 2 ./app
 * expect: calls barrier 8
 */
/* Who has the name, depends on the caller, and changes while the program runs. */
#include <stdio.h>

typedef struct Value {
    int kind, value;
} Value;

#if defined(FORTRAN)
#include <mpi.h>

void mpi_init_(int *error);
void mpi_barrier(int *comm, int *error);
void mpi_finalize_(int *error);

void start(void)
{
    int error;
    mpi_init_(&error);
}

int work(void)
{
    int error = -1, comm = MPI_Comm_c2f(MPI_COMM_WORLD);
    mpi_barrier(&comm, &error);
    return error;
}

void stop(void)
{
    int error;
    mpi_finalize_(&error);
}
#elif defined(PLUG)
#include <mpi.h>

Value mpi_barrier(Value twice)
{
    return (Value){MPI_Barrier(MPI_COMM_WORLD), 2 * twice.value};
}

int work(void)
{
    return mpi_barrier((Value){1, 21}).value;
}
#else
#include <dlfcn.h>

int main(void)
{
    void *fortran = dlopen("./fortran.so", RTLD_NOW);
    int (*work)(void) = (int (*)(void))dlsym(fortran, "work");
    ((void (*)(void))dlsym(fortran, "start"))();
    int sum = work() + work();
    void *plug = dlopen("./plug.so", RTLD_NOW);
    printf("%d %d %d\n", sum, ((int (*)(void))dlsym(plug, "work"))(), work());
    ((void (*)(void))dlsym(fortran, "stop"))();
    return 0;
}
#endif
