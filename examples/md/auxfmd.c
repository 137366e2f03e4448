/*
 * Hides the point-to-point messages. All processes call these functions together; process 0 is at one end of
 * each message and serves the others one after the other.
 */
#include "auxfmd.h"

#include <mpi.h>
#include <string.h>

enum { COUNT_TAG, VECTORS_TAG, POSITION_TAG, VELOCITY_TAG };

/* Send each process its particles: as many as it asks for, so that process 0 need not know how they are divided. */
static void hand_out(Share *share, const Vector *all)
{
    const Vector *next = all + share->count;

    for (int to = 1; to < share->size; to++) {
        MPI_Recv(&share->counts[to], 1, MPI_INT, to, COUNT_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(next, 3 * share->counts[to], MPI_FLOAT, to, VECTORS_TAG, MPI_COMM_WORLD);
        next += share->counts[to];
    }
}

void distribute(Share *share, const Vector *all, Vector *own)
{
    if (share->rank == 0) {
        memcpy(own, all, (size_t)share->count * sizeof *own);
        hand_out(share, all);
    } else {
        MPI_Send(&share->count, 1, MPI_INT, 0, COUNT_TAG, MPI_COMM_WORLD);
        MPI_Recv(own, 3 * share->count, MPI_FLOAT, 0, VECTORS_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void send_columns(const Share *share, const Snapshot *own)
{
    for (int k = 0; k < 3; k++) {
        MPI_Send(own->position[k], share->count, MPI_FLOAT, 0, POSITION_TAG, MPI_COMM_WORLD);
        MPI_Send(own->velocity[k], share->count, MPI_FLOAT, 0, VELOCITY_TAG, MPI_COMM_WORLD);
    }
}

static void receive_columns(const Share *share, Snapshot *all)
{
    int next = share->count;

    for (int from = 1; from < share->size; from++) {
        int count = share->counts[from];
        for (int k = 0; k < 3; k++) {
            float *position = all->position[k] + next, *velocity = all->velocity[k] + next;
            MPI_Recv(position, count, MPI_FLOAT, from, POSITION_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Recv(velocity, count, MPI_FLOAT, from, VELOCITY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
        next += count;
    }
}

void collect(const Share *share, const Vector *position, const Vector *velocity, Snapshot *snapshot)
{
    split_into_columns(share->count, position, snapshot->position);
    split_into_columns(share->count, velocity, snapshot->velocity);
    if (share->rank == 0)
        receive_columns(share, snapshot);
    else
        send_columns(share, snapshot);
}
