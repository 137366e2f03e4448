/** How MPI_Cart_sub cut the Cartesian topologies of a run. */
#pragma once

#include "grids.h"

/** A grid was cut into parts whose ranks have the same coordinates on some axes: two or more, and not all, of those
 * that are longer than 1. With one such axis the parts are planes. */
typedef struct {
    guint32 comm; /* of the grid */
    guint32 axes; /* these axes, axis i as bit i */
} HieraGridCut;

/** Find the cuts of grids, also by MPI_Cart_sub of what MPI_Cart_sub made.
 *
 * @param grids  of hiera_grids_find
 * @param calls  of hiera_grid_calls_find
 * @return an array of HieraGridCut, each one once; to be freed with g_array_unref */
GArray *hiera_grid_cuts_find(const HieraMatch *match, const GArray *grids, const GArray *calls);
