/** The Cartesian topologies of a run. */
#ifndef HIERA_GRIDS_H
#define HIERA_GRIDS_H

#include "hiera_measure.h"

#define HIERA_GRID_DIMENSIONS_MAX 16

typedef struct {
    guint32 comm;
    guint n_dimensions; /* 0: its size does not fit its members, or is not known */
    gint64 size[HIERA_GRID_DIMENSIONS_MAX];
} HieraGrid;

/** Find the communicators that MPI_Cart_create made. O(operations).
 *
 * @return an array of HieraGrid, in the order in which they were met; to be freed with g_array_unref */
GArray *hiera_grids_find(const HieraMatch *match);

#endif
