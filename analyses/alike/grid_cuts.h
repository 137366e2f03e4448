/** The cuts by MPI_Cart_sub of a run's Cartesian topologies. */
#pragma once

#include "grids.h"

/** A cut of a grid into parts whose ranks have the same coordinates on some axes: two or more, and not all, of the axes
 * longer than 1. With one such axis the parts are planes. */
typedef struct {
    guint32 comm; /* communicator of the grid */
    guint32 axes; /* axes on which the ranks of each part have the same coordinate, axis i as bit i */
} HieraGridCut;

/** Find the cuts of grids, also repeated cuts by MPI_Cart_sub.
 *
 * @param grids  of hiera_grids_find
 * @param calls  of hiera_grid_calls_find
 * @return an array of HieraGridCut without duplicates; to be freed with g_array_unref */
GArray *hiera_grid_cuts_find(const HieraMatch *match, const GArray *grids, const GArray *calls);
