/** The Cartesian topologies of a run. */
#pragma once

#include "hiera_measure.h"

#define HIERA_GRID_DIMENSIONS_MAX 16

typedef struct {
    guint32 comm;
    guint n_dimensions; /* 0: the size is not known, or is not that of the communicator */
    gint64 size[HIERA_GRID_DIMENSIONS_MAX];
} HieraGrid;

/** A call of MPI_Cart_create, or of MPI_Cart_sub. */
typedef struct {
    guint32 processor;
    guint32 of;   /* the communicator that is cut; HIERA_NONE for MPI_Cart_create */
    guint32 comm; /* the communicator that the call made */
} HieraGridCall;

/** Find these calls. O(operations). With several processes all must call it; process 0 gets those of all.
 *
 * @return an array of HieraGridCall, by processor, then in the order of the calls; to be freed with g_array_unref */
GArray *hiera_grid_calls_find(const HieraTrace *trace, const HieraScope *scope);

/** Find the communicators that MPI_Cart_create made.
 *
 * @param calls  of hiera_grid_calls_find()
 * @return an array of HieraGrid, in the order in which they were met; to be freed with g_array_unref */
GArray *hiera_grids_find(const HieraMatch *match, const GArray *calls);
