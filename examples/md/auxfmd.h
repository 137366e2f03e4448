/*
 * The messages between process 0 and the others: the initial state goes out, snapshots come in.
 */
#pragma once

#include "snapshot.h"
#include "vector.h"

/* Who has how many particles. Process 0 has the first ones, process 1 those behind them, and so on. */
typedef struct {
    int rank, size;
    int count;   /* of this process */
    int *counts; /* of all; known to process 0 only, after the first distribute() */
} Share;

/* Hands out an array: all (on process 0 only) holds every particle's vector, own gets those of this process. */
void distribute(Share *share, const Vector *all, Vector *own);

/* Fills the snapshot from everyone's vectors. */
void collect(const Share *share, const Vector *position, const Vector *velocity, Snapshot *snapshot);
