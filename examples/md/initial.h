/*
 * The state at time 0: a slightly shaken face-centred cubic crystal whose particles have thermal velocities.
 */
#pragma once

#include "input.h"
#include "vector.h"

/* Each function fills an array of run->particles vectors. */
void initial_sites(const Run *run, Vector *site);
void initial_positions(const Run *run, const Vector *site, Vector *position);
void initial_velocities(const Run *run, Vector *velocity);
