/* Creates and frees many communicators, so that MPI uses handles again. The name of each states its members in the
 * order of their ranks ("3: 0 2"); the case compares it with the members in the trace. Ranks make different calls: some
 * get MPI_COMM_NULL, some have paused recording, some are in groups of their own. */
#include "unseen.h"

#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { ROUNDS = 60, KEPT = 7 };

static int rank, size, n_named;

static void name(MPI_Comm comm, int number)
{
    int n, members[64];
    char name[256];
    if (comm == MPI_COMM_NULL)
        return;
    UNSEEN(Comm_size)(comm, &n);
    UNSEEN(Allgather)(&rank, 1, MPI_INT, members, 1, MPI_INT, comm);
    int length = snprintf(name, sizeof name, "%d:", number);
    for (int i = 0; i < n; i++)
        length += snprintf(name + length, sizeof name - (size_t)length, " %d", members[i]);
    MPI_Comm_set_name(comm, name);
    MPI_Barrier(comm);
}

static void come_and_go(void)
{
    MPI_Comm kept[KEPT];
    for (int i = 0; i < KEPT; i++)
        kept[i] = MPI_COMM_NULL;
    for (int round = 0; round < ROUNDS; round++, n_named++) {
        int slot = (round * 3) % KEPT;
        if (kept[slot] != MPI_COMM_NULL)
            MPI_Comm_free(&kept[slot]);
        int color = (rank * (round + 1)) % (1 + round % 3), key = round % 2 ? rank : -rank;
        MPI_Comm_split(MPI_COMM_WORLD, color, key, &kept[slot]);
        name(kept[slot], round);
    }
}

/* Duplicates of duplicates and of MPI_COMM_SELF, and a constructor that gives MPI_COMM_NULL to all ranks but 0. The
 * last rank has paused recording meanwhile. */
static void descend(void)
{
    MPI_Comm from = MPI_COMM_WORLD, next, none;
    MPI_Request request;
    for (int i = 0; i < 20; i++, n_named++) {
        MPI_Comm_split(from, rank == 0 ? 0 : MPI_UNDEFINED, 0, &none);
        if (rank == size - 1)
            MPI_Pcontrol(0);
        if (i % 2)
            MPI_Comm_dup(from, &next);
        else {
            MPI_Comm_idup(from, &next, &request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Pcontrol(1);
        name(next, n_named);
        from = next;
    }
    MPI_Comm_dup(MPI_COMM_SELF, &next);
    name(next, n_named++);
}

/* Groups {0, i}, all with the same tag, twice each: rank 0 is in all of them. */
static void of_groups(void)
{
    MPI_Group world, group;
    MPI_Comm comm;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 1; i < size; i++) {
        MPI_Group_incl(world, 2, (int[]){0, i}, &group);
        for (int twice = 0; twice < 2; twice++, n_named++)
            if (rank == 0 || rank == i) {
                MPI_Comm_create_group(MPI_COMM_WORLD, group, 1, &comm);
                name(comm, n_named);
            }
        MPI_Group_free(&group);
    }
}

static void between_groups(void)
{
    MPI_Comm inter, half, merged;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    for (int twice = 0; twice < 2; twice++) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 1, &inter);
        MPI_Comm_set_name(inter, twice ? "inter again" : "inter");
        MPI_Barrier(inter);
        MPI_Intercomm_merge(inter, rank % 2 == 0, &merged);
        name(merged, n_named++);
        MPI_Comm_dup(inter, &inter);
        MPI_Comm_set_name(inter, twice ? "second copy" : "copy");
        MPI_Barrier(inter);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    come_and_go();
    descend();
    of_groups();
    if (size > 1)
        between_groups();
    MPI_Finalize();
    return 0;
}
