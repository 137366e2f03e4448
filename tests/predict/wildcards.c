/* Rank 0 receives from any rank by all kinds of calls, a message of each other rank at a time; a barrier after each
 * kind, so that nothing else than the order of ranks is open. With 3 ranks these are 13 receives. */
#include <mpi.h>

static int value, n;

static void receive_all(void)
{
    for (int i = 0; i < n; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void wait_for_any(void)
{
    MPI_Request requests[2];
    int index;
    for (int i = 0; i < n; i++)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &requests[i]);
    for (int i = 0; i < n; i++)
        MPI_Waitany(n, requests, &index, MPI_STATUS_IGNORE);
}

static void probe_all(void)
{
    MPI_Status status;
    for (int i = 0; i < n; i++) {
        MPI_Probe(MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void match_all(void)
{
    MPI_Message message;
    for (int i = 0; i < n; i++) {
        MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    }
}

static void start_all(void)
{
    MPI_Request request;
    MPI_Recv_init(&value, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &request);
    for (int i = 0; i < n; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

static void poll_all(void)
{
    MPI_Status status;
    for (int i = 0, there = 0; i < n; i++, there = 0) {
        while (!there)
            MPI_Iprobe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &there, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

int main(int argc, char **argv)
{
    static void (*const ways[])(void) = {receive_all, wait_for_any, probe_all, match_all, start_all, poll_all};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    n--;
    for (int tag = 0; tag < 6; tag++) {
        if (rank == 0)
            ways[tag]();
        else
            MPI_Send(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        MPI_Sendrecv(&value, 1, MPI_INT, 1, 6, &value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    else if (rank == 1)
        MPI_Sendrecv(&value, 1, MPI_INT, 0, 6, &value, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
