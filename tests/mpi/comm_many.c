/* Many communicators that come and go, so that handles are used again. Each is named by its members ("3: 0 2"), in the
 * order of their ranks: the case compares that with the members in the trace. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 60, KEPT = 7 };

int main(int argc, char **argv)
{
    int rank, size, n;
    MPI_Comm kept[KEPT], inter, half;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < KEPT; i++)
        kept[i] = MPI_COMM_NULL;
    for (int round = 0; round < ROUNDS; round++) {
        int slot = (round * 3) % KEPT, members[64];
        char name[256];
        if (kept[slot] != MPI_COMM_NULL)
            MPI_Comm_free(&kept[slot]);
        int color = (rank * (round + 1)) % (1 + round % 3), key = round % 2 ? rank : -rank;
        MPI_Comm_split(MPI_COMM_WORLD, color, key, &kept[slot]);
        PMPI_Comm_size(kept[slot], &n);
        PMPI_Allgather(&rank, 1, MPI_INT, members, 1, MPI_INT, kept[slot]);
        int length = snprintf(name, sizeof name, "%d:", round);
        for (int i = 0; i < n; i++)
            length += snprintf(name + length, sizeof name - (size_t)length, " %d", members[i]);
        MPI_Comm_set_name(kept[slot], name);
        MPI_Barrier(kept[slot]);
    }
    if (size > 1) {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter);
        MPI_Comm_set_name(inter, "inter");
        MPI_Barrier(inter);
    }
    MPI_Finalize();
    return 0;
}
