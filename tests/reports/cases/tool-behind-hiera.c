/* ingredient: a PMPI tool that the user preloads as well; Hiera comes before it
 * source: found from outside, R14
 * build: mpicc -g -DTOOL -shared -fPIC %f -o tool.so
 * build: mpicc -g %f -o app
 * run: LD_PRELOAD=$PWD/tool.so hiera-run mpirun -n 2 ./app
 * expect: calls send 3
 * expect: calls receive 3
 * expect: calls allreduce 2
 * expect: calls barrier 2
 * expect: says tool.so intercepts MPI calls too \(5 functions\), behind Hiera
 * expect: answer HIERA_DIR=d LD_PRELOAD=$PWD/tool.so hiera-run --quiet mpirun -n 1 ./app PMPI; hiera-transform d --validate; hiera-transform d => calls of app go past Hiera to MPI(?s:.*)unknown: calls of app
 */
/* What the tool counts is the same with Hiera and without. Its own calls by PMPI are no calls of the program. Calls of the
 * program by PMPI go past the tool and Hiera. */
#include <mpi.h>
#include <stdio.h>

#if defined(TOOL)
static int inits, sends, receives, barriers;

int MPI_Init(int *argc, char ***argv)
{
    inits++;
    return PMPI_Init(argc, argv);
}

int MPI_Send(const void *data, int n, MPI_Datatype type, int to, int tag, MPI_Comm comm)
{
    sends++;
    return PMPI_Send(data, n, type, to, tag, comm);
}

int MPI_Recv(void *data, int n, MPI_Datatype type, int from, int tag, MPI_Comm comm, MPI_Status *status)
{
    receives++;
    return PMPI_Recv(data, n, type, from, tag, comm, status);
}

int MPI_Barrier(MPI_Comm comm)
{
    barriers++;
    return PMPI_Barrier(comm);
}

int MPI_Finalize(void)
{
    int rank, sum[4], own[4];
    PMPI_Barrier(MPI_COMM_WORLD);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own[0] = inits, own[1] = sends, own[2] = receives, own[3] = barriers;
    PMPI_Reduce(own, sum, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("tool: init %d send %d recv %d barrier %d\n", sum[0], sum[1], sum[2], sum[3]);
    return PMPI_Finalize();
}
#else
int main(int argc, char **argv)
{
    int rank, x = 0, sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (argc > 1)
        return PMPI_Barrier(MPI_COMM_WORLD) || MPI_Finalize();
    for (int i = 0; i < 3; i++)
        if (rank == 0)
            MPI_Send(&i, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        else
            MPI_Recv(&x, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Allreduce(&x, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
#endif
