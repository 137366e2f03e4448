/*
 * What process 0 tells the world: a table on standard output, and the trajectory as a file in XYZ format.
 */
#pragma once

#include "input.h"
#include "snapshot.h"

#include <stdbool.h>
#include <stdio.h>

/* The sums over all particles that describe the state at one time. */
typedef struct {
    double kinetic;
    double potential;
    double virial;
    double displacement; /* squared, from the sites */
} Sums;

typedef struct {
    FILE *trajectory; /* NULL: none wanted */
    double first_energy, drift;
    double temperature, pressure; /* summed over the steps */
} Output;

/* Opens the trajectory if there is to be one; says what is wrong and returns false if that cannot be. */
bool output_open(Output *output, const Run *run);

void output_begin(const Run *run);

/* Each step counts in the means and the drift that output_end() prints. */
void output_step(Output *output, const Run *run, int step, const Sums *sums);

/* A line of the table, and a frame of the trajectory. */
void output_snapshot(Output *output, const Run *run, int step, const Sums *sums, const Snapshot *snapshot);

/* Prints the summary and closes everything; false if something could not be written. */
bool output_end(Output *output, const Run *run);
