/*
 * A picture of all particles, as process 0 gets it now and then.
 */
#pragma once

#include "vector.h"

/* Columns x, y, z: of all particles on process 0, of its own on another process. */
typedef struct {
    float *position[3];
    float *velocity[3];
    float *force[3]; /* NULL: not in the picture */
} Snapshot;

/* Room for a number of particles. */
void allocate_snapshot(Snapshot *snapshot, int count);
void add_forces(Snapshot *snapshot, int count);
void free_snapshot(Snapshot *snapshot);

void split_into_columns(int count, const Vector *vectors, float *column[3]);
