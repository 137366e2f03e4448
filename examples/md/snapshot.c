/*
 * Hides that particles are vectors side by side, and snapshots columns.
 */
#include "snapshot.h"

#include "memory.h"

#include <stdlib.h>

void allocate_snapshot(Snapshot *snapshot, int count)
{
    for (int k = 0; k < 3; k++) {
        snapshot->position[k] = allocate(count, sizeof(float));
        snapshot->velocity[k] = allocate(count, sizeof(float));
        snapshot->force[k] = NULL;
    }
}

void add_forces(Snapshot *snapshot, int count)
{
    for (int k = 0; k < 3; k++)
        snapshot->force[k] = allocate(count, sizeof(float));
}

void free_snapshot(Snapshot *snapshot)
{
    for (int k = 0; k < 3; k++) {
        free(snapshot->position[k]);
        free(snapshot->velocity[k]);
        free(snapshot->force[k]);
    }
}

void split_into_columns(int count, const Vector *vectors, float *column[3])
{
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++)
            column[k][i] = vectors[i].c[k];
}
