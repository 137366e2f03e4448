/* ingredient: the program has wrappers of its own, by PMPI, by dlsym(RTLD_NEXT); and MPI_Init and MPI_Finalize, too
 * source: found from outside, R12
 * build: mpicc -g %f -o app -ldl
 * expect: calls receive 0
 * expect: calls irecv 10
 * expect: calls wait 10
 * expect: calls send 10
 * expect: calls barrier 12
 * expect: never nobody made the call
 * expect: findings
 * expect: answer hiera-transform . --validate => errors: 0
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int sends, barriers;

int MPI_Init(int *argc, char ***argv)
{
    return PMPI_Init(argc, argv);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Barrier(MPI_Comm comm)
{
    int (*next)(MPI_Comm) = (int (*)(MPI_Comm))dlsym(RTLD_NEXT, "MPI_Barrier");
    barriers++;
    return next(comm);
}

int MPI_Finalize(void)
{
    PMPI_Barrier(MPI_COMM_WORLD);
    return PMPI_Finalize();
}

int main(int argc, char **argv)
{
    int rank, n, x;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    for (int i = 0; i < 5; i++) {
        MPI_Request request;
        MPI_Irecv(&x, 1, MPI_INT, (rank + n - 1) % n, 1, MPI_COMM_WORLD, &request);
        MPI_Send(&rank, 1, MPI_INT, (rank + 1) % n, 1, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    printf("%d: sends %d barriers %d\n", rank, sends, barriers);
    MPI_Finalize();
    return 0;
}
