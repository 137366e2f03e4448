/*
 * The run parameters and the file they come from.
 *
 * Everything is in reduced Lennard-Jones units: lengths in sigma, energies in epsilon, particle mass and Boltzmann's
 * constant are 1.
 */
#pragma once

#include <stdbool.h>

typedef struct {
    /* The nine parameters that every process needs. */
    int particles;
    int steps;
    int interval; /* number of steps between two snapshots; the first snapshot is taken at step 0 */
    double density;
    double temperature; /* temperature at the start, and of the heat bath */
    double timestep;
    double cutoff;     /* greatest distance at which particles act on each other, at most half the box */
    double collisions; /* collisions with a heat bath per particle and unit of time; 0: no heat bath */
    int seed;
    /* File of the trajectory, "" if none is wanted. Only process 0 knows it, because no other process writes. */
    char trajectory[256];
} Run;

/* Returns the edge of the periodic cube that contains the particles. */
double box_edge(const Run *run);

/* Returns the degrees of freedom: 3 per particle, less 3 if there is no heat bath, as total momentum stays zero. */
double degrees_of_freedom(const Run *run);

/* Reads the parameters from the file `path`. On a mistake prints place and reason on standard error, returns false. */
bool read_input(const char *path, Run *run);

/* Reads the parameters from the file that the command line names, or from `standard` if it names none. */
bool read_command(int argc, char *argv[], const char *standard, Run *run);
