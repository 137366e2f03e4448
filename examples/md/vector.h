/*
 * A vector in space: three floats side by side, so that an array of them is also an array of 3n floats for MPI.
 */
#ifndef MD_VECTOR_H
#define MD_VECTOR_H

typedef struct {
    float c[3];
} Vector;

#endif
