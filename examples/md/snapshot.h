/*
 * A picture of all particles, as process 0 gets it now and then.
 */
#pragma once

#include "vector.h"

/* Columns x, y, z of a property: on process 0 of all particles, on other processes of their own. */
typedef struct {
    float *position[3];
    float *velocity[3];
    float *force[3]; /* NULL: the snapshot has no forces */
} Snapshot;

/* Allocates the columns of positions and velocities for `count` particles. */
void allocate_snapshot(Snapshot *snapshot, int count);
void add_forces(Snapshot *snapshot, int count);
void free_snapshot(Snapshot *snapshot);

void split_into_columns(int count, const Vector *vectors, float *column[3]);
