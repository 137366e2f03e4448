/* The last rank pauses recording while the others send, meet, and create a communicator, a window, requests and a
 * region. All of these are used after the pause. */
#include "hiera.h"
#include <mpi.h>
#include <string.h>

static int rank, size, other, in, out = 1;
static MPI_Comm copy;
static MPI_Win win;
static MPI_Request plain, again;

static void pause_often(void)
{
    for (int i = 0; i < 100; i++) {
        hiera_pause();
        MPI_Barrier(MPI_COMM_SELF);
        hiera_resume();
    }
}

static void make_while_paused(void)
{
    static int place[4];
    MPI_Sendrecv(&out, 1, MPI_INT, other, 1, &in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_create(place, sizeof place, sizeof *place, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Irecv(&in, 1, MPI_INT, other, 2, copy, &plain);
    MPI_Recv_init(&in, 1, MPI_INT, other, 3, copy, &again);
    hiera_begin("app", "half", NULL);
}

static void use_what_was_made(void)
{
    hiera_end();
    MPI_Send(&out, 1, MPI_INT, other, 2, copy);
    MPI_Wait(&plain, MPI_STATUS_IGNORE);
    MPI_Start(&again);
    MPI_Send(&out, 1, MPI_INT, other, 3, copy);
    MPI_Wait(&again, MPI_STATUS_IGNORE);
    MPI_Request_free(&again);
    MPI_Win_fence(0, win);
    MPI_Put(&out, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Comm_free(&copy);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    other = size - 1 - rank;
    if (argc > 1 && strcmp(argv[1], "often") == 0) {
        pause_often();
        MPI_Finalize();
        return 0;
    }
    int pauses = rank == size - 1;
    if (pauses)
        MPI_Pcontrol(0);
    make_while_paused();
    if (pauses)
        MPI_Pcontrol(1);
    use_what_was_made();
    if (pauses)
        hiera_pause(); /* until the end */
    MPI_Finalize();
    return 0;
}
