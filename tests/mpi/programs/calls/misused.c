/* Requests, objects and orders of calls against MPI's rules, each beside its corrected twin, on two ranks. `WRONG` says
 * what hiera-transform says of the line; it says nothing of all others. Only one circle of waits is found in a run: the
 * twins come before it. */
#include <mpi.h>

#include <stddef.h>

static int rank, data[64], more[64];
static MPI_Request request, requests[2];

/* To nobody, so that no MPI is in trouble when it starts twice. */
static void start(void)
{
    MPI_Send_init(data, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* it is not active */
    MPI_Request_free(&request);
    MPI_Send_init(data, 1, MPI_INT, MPI_PROC_NULL, 1, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    if (rank == 0)
        MPI_Start(&request); /* WRONG error starts a request that is active */
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

static void free_request(void)
{
    if (rank == 0) {
        MPI_Isend(data, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request); /* WRONG note before it is complete */
        MPI_Irecv(data, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Request_free(&request);
        MPI_Isend(data, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(data, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void matched_probe(void)
{
    MPI_Message message;
    if (rank == 0) {
        MPI_Send(data, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Send(data, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
    } else {
        MPI_Mprobe(0, 4, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Mprobe(0, 5, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE); /* WRONG error no mrecv receives */
    }
}

static void to_return(MPI_Comm *comm, int *error, ...)
{
    (void)comm, (void)error;
}

static void objects(void)
{
    MPI_Errhandler handler, kept_handler;
    MPI_Info info, kept_info;
    int key, kept_key;
    MPI_Comm_create_errhandler(to_return, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Info_create(&info);
    MPI_Info_free(&info);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &key, NULL);
    MPI_Comm_free_keyval(&key);
    if (rank == 1)
        return;
    MPI_Comm_create_errhandler(to_return, &kept_handler); /* WRONG note error handlers that it did not */
    MPI_Info_create(&kept_info); /* WRONG note info objects that it did not free */
    MPI_Comm_create_keyval(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &kept_key, NULL); /* WRONG note attribute keys */
}

/* Both ranks send to rank 0, which gets the message of the other one by name. In the twin rank 1 sends when rank 0 has
 * got its own message. */
static void any_source(void)
{
    MPI_Status status;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Isend(data, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, &request);
    if (rank == 0) {
        MPI_Recv(more, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &status); /* WRONG note would then wait for */
        MPI_Recv(more, 1, MPI_INT, 1 - status.MPI_SOURCE, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Isend(data, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, &request);
        MPI_Recv(more, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(data, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(more, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(more, 0, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
}

/* Exchanges that need no buffer. */
static void exchange(int other)
{
    MPI_Sendrecv(data, 1, MPI_INT, other, 9, more, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(more, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &request);
    MPI_Send(data, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Isend(data, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(more, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    MPI_Isend(data, 1, MPI_INT, other, 9, MPI_COMM_WORLD, &request);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Recv(more, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0) {
        MPI_Send(data, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
        MPI_Recv(more, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(more, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(data, 1, MPI_INT, other, 9, MPI_COMM_WORLD);
    }
    MPI_Send(data, 1, MPI_INT, other, 10, MPI_COMM_WORLD); /* WRONG warning would deadlock without buffering */
    MPI_Recv(more, 1, MPI_INT, other, 10, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    start();
    free_request();
    matched_probe();
    objects();
    any_source();
    exchange(1 - rank);
    MPI_Finalize();
    return 0;
}
