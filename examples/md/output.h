/*
 * What process 0 tells the world: a table on standard output, and the trajectory as a file in XYZ format.
 */
#pragma once

#include "input.h"
#include "snapshot.h"

#include <stdbool.h>
#include <stdio.h>

/* Sums over all particles that describe the state at one time. */
typedef struct {
    double kinetic;
    double potential;
    double virial;
    double displacement; /* squared distance from the site, summed over all particles */
} Sums;

typedef struct {
    FILE *trajectory; /* file of the trajectory; NULL: none is wanted */
    double first_energy, drift;
    double temperature, pressure; /* sums over all steps so far */
} Output;

/* Opens the trajectory's file, if one is wanted. Prints the reason and returns false if that fails. */
bool output_open(Output *output, const Run *run);

void output_begin(const Run *run);

/* Adds a step to the means and the drift that output_end() prints. */
void output_step(Output *output, const Run *run, int step, const Sums *sums);

/* Writes a line of the table, and a frame of the trajectory. */
void output_snapshot(Output *output, const Run *run, int step, const Sums *sums, const Snapshot *snapshot);

/* Prints the summary and closes the trajectory; returns false if anything could not be written. */
bool output_end(Output *output, const Run *run);
