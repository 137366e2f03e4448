/* Call sites with more different arguments than compact encoding declares: values, lists, texts and requests. */
#include <hiera.h>
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 100, MOST = 80 };

static void messages(int round)
{
    int out[ROUNDS] = {0}, in[ROUNDS];
    MPI_Sendrecv(out, round % 37, MPI_INT, 0, 3 * round, in, ROUNDS, MPI_INT, 0, 3 * round, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void many_requests(int round)
{
    static int out[2 * MOST], in[2 * MOST];
    MPI_Request requests[4 * MOST];
    int n = round == ROUNDS / 2 ? 2 * MOST : round % MOST;
    for (int i = 0; i < n; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[i]);
        MPI_Isend(&out[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &requests[n + i]);
    }
    MPI_Waitall(2 * n, requests, MPI_STATUSES_IGNORE);
}

/* Requests that were made long ago, and some that are MPI_REQUEST_NULL. */
static void old_requests(int round)
{
    static int out, in;
    static MPI_Request requests[3];
    int flag;
    if (round == 0) {
        MPI_Recv_init(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[0]);
        requests[1] = MPI_REQUEST_NULL;
        MPI_Send_init(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &requests[2]);
    }
    MPI_Start(&requests[0]);
    MPI_Startall(1, &requests[2]);
    MPI_Waitall(round % 4, requests, MPI_STATUSES_IGNORE);
    MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    MPI_Testall(0, NULL, &flag, MPI_STATUSES_IGNORE);
    MPI_Request again = MPI_Request_f2c(MPI_Request_c2f(requests[0]));
    (void)again;
    if (round == ROUNDS - 1) {
        MPI_Request_free(&requests[0]);
        MPI_Request_free(&requests[2]);
    }
}

static void types(int round)
{
    int lengths[3] = {1 + round % 5, 2, round % 50}, places[3] = {0, 60, 70 + round % 7};
    MPI_Datatype type;
    MPI_Type_indexed(3, lengths, places, MPI_INT, &type);
    MPI_Type_free(&type);
}

static void texts(int round)
{
    char name[32];
    snprintf(name, sizeof name, "round %d & \"<more>\"", round % 40);
    MPI_Comm_set_name(MPI_COMM_SELF, name);
}

static void regions(int round)
{
    hiera_begin("app", "with arguments", "round=%d", round % 60);
    hiera_begin("oops", "Variants::method", "root=%d count=%d", round, round % 3);
    hiera_end();
    if (round % 10 == 0)
        hiera_begin("oops", "Variants::other", NULL);
    else
        hiera_begin("oops", "Variants::other", round % 2 ? "dest=%d" : "rem=%d what=it", round);
    hiera_end();
    hiera_end();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int round = 0; round < ROUNDS; round++) {
        messages(round);
        many_requests(round);
        old_requests(round);
        types(round);
        texts(round);
        regions(round);
    }
    MPI_Finalize();
    return 0;
}
