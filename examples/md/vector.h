/*
 * A vector in space: three floats side by side, so that an array of them is also an array of 3n floats for MPI.
 */
#pragma once

typedef struct {
    float c[3];
} Vector;
