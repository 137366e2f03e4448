/* The last rank pauses while the others send, meet, and make a communicator, a window, requests, a region; all of that is
 * used behind the pause. */
#include "hiera.h"
#include <mpi.h>
#include <string.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, out = 1, place[4] = {0};
    MPI_Comm copy;
    MPI_Win win;
    MPI_Request plain, again;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int other = size - 1 - rank, pauses = rank == size - 1;
    if (argc > 1 && strcmp(argv[1], "often") == 0) {
        for (int i = 0; i < 100; i++) {
            hiera_pause();
            MPI_Barrier(MPI_COMM_SELF);
            hiera_resume();
        }
        MPI_Finalize();
        return 0;
    }
    if (pauses)
        MPI_Pcontrol(0);
    MPI_Sendrecv(&out, 1, MPI_INT, other, 1, &in, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Win_create(place, sizeof place, sizeof *place, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Irecv(&in, 1, MPI_INT, other, 2, copy, &plain);
    MPI_Recv_init(&in, 1, MPI_INT, other, 3, copy, &again);
    hiera_begin("app", "half", NULL);
    if (pauses)
        MPI_Pcontrol(1);
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
    if (pauses)
        hiera_pause(); /* to the end */
    MPI_Finalize();
    return 0;
}
