/*
 * The run parameters and the file they come from.
 *
 * Everything is in reduced Lennard-Jones units: lengths in sigma, energies in epsilon, particle mass and Boltzmann's
 * constant are 1.
 */
#pragma once

#include <stdbool.h>

typedef struct {
    /* The nine that every process needs. */
    int particles;
    int steps;
    int interval; /* steps from one snapshot to the next; the first is taken at step 0 */
    double density;
    double temperature; /* of the start, and of the heat bath */
    double timestep;
    double cutoff;     /* range of the forces, at most half the box */
    double collisions; /* with the heat bath, per particle and unit of time; 0: constant energy */
    int seed;
    /* Only process 0 writes, so only process 0 knows where to; "" for nowhere. */
    char trajectory[256];
} Run;

/* Edge of the periodic cube that holds the particles. */
double box_edge(const Run *run);

/* Degrees of freedom: total momentum stays zero, which takes three away, unless a heat bath changes it. */
double degrees_of_freedom(const Run *run);

/* Reads the file named path. On a mistake says on standard error where and what, and returns false. */
bool read_input(const char *path, Run *run);

/* The same for the file that the command line names, or for `standard` if it names none. */
bool read_command(int argc, char *argv[], const char *standard, Run *run);
