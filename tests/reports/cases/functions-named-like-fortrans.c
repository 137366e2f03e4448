/* ingredient: a shared library of the program has functions of its own named mpi_send, mpi_comm_rank (a binding for R)
 * source: found from outside, R1: Debian's r-cran-rmpi, 54 of its 72 functions; died with SIGSEGV
 * build: mpicc -g -DPLUG -shared -fPIC %f -o plug.so
 * build: gcc -g -DCALLER -shared -fPIC %f -o caller.so
 * build: gcc -g %f -o app -ldl
 * run: hiera-run --library=$LIBHIERA mpirun -n 2 ./app ./caller.so ./plug.so
 * expect: calls send 1
 * expect: calls receive 1
 * expect: calls barrier 4
 */
/* Some are called by the program, some by another library that knows nothing of MPI, through a pointer, as R does. */
#include <dlfcn.h>
#include <stdio.h>

typedef struct Value {
    int kind, value;
} Value;

#if defined(PLUG)
#include <mpi.h>

Value mpi_init(void)
{
    return (Value){1, MPI_Init(0, 0)};
}

Value mpi_comm_rank(Value unused)
{
    Value v = {1, -1 + unused.value};
    MPI_Comm_rank(MPI_COMM_WORLD, &v.value);
    return v;
}

Value mpi_send(Value to, Value x)
{
    return (Value){1, MPI_Send(&x.value, 1, MPI_INT, to.value, 3, MPI_COMM_WORLD)};
}

Value mpi_recv(Value from)
{
    Value v = {1, 0};
    MPI_Recv(&v.value, 1, MPI_INT, from.value, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return v;
}

Value MPI_BARRIER(Value unused)
{
    return (Value){unused.kind, MPI_Barrier(MPI_COMM_WORLD)};
}

Value mpi_barrier__(Value twice)
{
    return MPI_BARRIER(twice);
}

Value mpi_finalize(void)
{
    mpi_barrier__((Value){1, 2});
    return (Value){1, MPI_Finalize()};
}

void *const table[] = {mpi_init, mpi_comm_rank, mpi_send, mpi_recv, mpi_barrier__, mpi_finalize};
#elif defined(CALLER)
Value call(void *function, Value a, Value b)
{
    Value result = ((Value(*)(Value, Value))function)(a, b);
    return (Value){result.kind, result.value};
}
#else
int main(int argc, char **argv)
{
    void *plug = dlopen(argv[argc - 1], RTLD_NOW), *caller = dlopen(argv[argc - 2], RTLD_NOW);
    void *const *table = dlsym(plug, "table");
    Value (*call)(void *, Value, Value) = (Value(*)(void *, Value, Value))dlsym(caller, "call");
    Value zero = {1, 0};
    ((Value(*)(void))table[0])();
    Value rank = call(table[1], zero, zero);
    if (((Value(*)(Value))table[1])(zero).value != rank.value)
        return 1;
    if (rank.value == 0)
        call(table[2], (Value){1, 1}, (Value){1, 42});
    else
        printf("got %d\n", call(table[3], zero, zero).value);
    call(table[4], zero, zero);
    ((Value(*)(void))table[5])();
    return 0;
}
#endif
