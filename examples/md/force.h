/*
 * The forces between two sets of particles.
 */
#pragma once

#include "vector.h"

/* The particles of one row or column of the process grid, and the forces on them that this process computes. */
typedef struct {
    int count;
    int *id;
    Vector *position; /* by particle: its position, inside the box */
    Vector *force;
} Side;

/* Sums over all computed pairs of particles: potential energy, and virial (distance times force). */
typedef struct {
    double potential;
    double virial;
} PairSums;

/*
 * Computes the forces between each particle of the row and each of the column in a periodic cube, and sets row->force
 * and column->force. Of the two sights of a pair, (i in the row, j in the column) and (j in the row, i in the column),
 * only one counts, so that over all processes of the grid each pair counts exactly once.
 */
PairSums compute_forces(double box, double cutoff, Side *row, Side *column);
