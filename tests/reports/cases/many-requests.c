/* source: found from outside, R9
 * ingredient: hundreds of receives are open, and event loops take them one by one; their handles are used again
 * expect: calls waitany 1200
 * expect: calls irecv 1200
 * expect: answer hiera-transform . --measure counts --format csv --quiet => \btestall\b
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 300, ROUNDS = 2 };

static void serve(int rank, int *values, MPI_Request *requests, int *indices, MPI_Status *statuses)
{
    long sum = 0;
    int index, done;
    for (int i = 0; i < N; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 1 - rank, i % 100, MPI_COMM_WORLD, &requests[i]);
    MPI_Testall(N, requests, &done, statuses);
    MPI_Testany(N, requests, &index, &done, statuses); /* nothing is sent yet */
    MPI_Testsome(N, requests, &done, indices, statuses);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < N; i++)
        MPI_Send(&i, 1, MPI_INT, 1 - rank, i % 100, MPI_COMM_WORLD);
    for (int i = 0; i < N; i++) {
        MPI_Waitany(N, requests, &index, statuses);
        sum += values[index];
    }
    printf("rank %d: %ld\n", rank, sum);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *values = malloc(N * sizeof *values), *indices = malloc(N * sizeof *indices);
    MPI_Request *requests = malloc(N * sizeof *requests);
    MPI_Status *statuses = malloc(N * sizeof *statuses);
    for (int round = 0; round < ROUNDS; round++) {
        serve(rank, values, requests, indices, statuses);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
