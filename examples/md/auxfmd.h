/*
 * The messages between process 0 and the others: the initial state goes out, snapshots come in.
 */
#pragma once

#include "snapshot.h"
#include "vector.h"

/* How particles are divided among processes: process 0 has the first ones, process 1 the next ones, and so on. */
typedef struct {
    int rank, size;
    int count;   /* number of particles of this process */
    int *counts; /* by rank: number of particles; only on process 0, after the first distribute() */
} Share;

/* Distributes an array: `all`, on process 0, has the vectors of all particles; `own` gets those of this process. */
void distribute(Share *share, const Vector *all, Vector *own);

/* Fills the snapshot on process 0 from the vectors of all processes. */
void collect(const Share *share, const Vector *position, const Vector *velocity, Snapshot *snapshot);
