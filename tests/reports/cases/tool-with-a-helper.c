/* ingredient: a PMPI tool that reaches PMPI by a second library, for one function of C and one of Fortran, behind Hiera
 * source: found from outside, siblings of R1 and R14
 * needs: gfortran
 * build: mpicc -g -DHELPER -shared -fPIC %f -o libhelper.so
 * build: mpicc -g -DTOOL -shared -fPIC %f -o libtool.so -L. -lhelper -Wl,-rpath,$PWD
 * build: mpicc -g %f -o app
 * build: printf 'program p\n use mpi\n integer :: e, r\n call mpi_init(e)\n call mpi_comm_rank(mpi_comm_world, r, e)\n call mpi_barrier(mpi_comm_world, e)\n call mpi_finalize(e)\nend program\n' > f.f90; mpifort -g f.f90 -o app-f
 * run: LD_PRELOAD=$PWD/libtool.so hiera-run --dir=fortran mpirun -n 2 ./app-f; LD_PRELOAD=$PWD/libtool.so hiera-run mpirun -n 2 ./app
 * expect: calls send 3
 * expect: calls receive 3
 * expect: says libtool.so intercepts MPI calls too \(1 functions\), behind Hiera
 * expect: answer hiera-transform fortran --measure counts --format csv --quiet => barrier,.*\b2\b
 */
/* What the tool prints is the same with Hiera and without. */
#include <mpi.h>
#include <stdio.h>

#if defined(HELPER) || defined(TOOL)
int helper_send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm);
void helper_barrier(MPI_Fint *comm, MPI_Fint *error);
#endif

#if defined(HELPER)
void pmpi_barrier_(MPI_Fint *comm, MPI_Fint *error) __attribute__((weak));

int helper_send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    return PMPI_Send(data, n, type, to, tag, comm);
}

void helper_barrier(MPI_Fint *comm, MPI_Fint *error)
{
    pmpi_barrier_(comm, error);
}
#elif defined(TOOL)
void mpi_barrier_(MPI_Fint *comm, MPI_Fint *error);

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    printf("tool: send %d\n", tag);
    fflush(stdout);
    return helper_send(data, n, type, to, tag, comm);
}

void mpi_barrier_(MPI_Fint *comm, MPI_Fint *error)
{
    fputs("tool: barrier\n", stdout); /* one write, which no other rank can cut */
    fflush(stdout);
    helper_barrier(comm, error);
}
#else
int main(int argc, char **argv)
{
    int rank, x = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Send(&x, 1, MPI_INT, 1, i, MPI_COMM_WORLD);
        else
            MPI_Recv(&x, 1, MPI_INT, 0, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
#endif
