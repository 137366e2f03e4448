/*
 * Random numbers without a state: each is a function of what it is for, so all processes agree on them
 * and it does not matter who draws first.
 */
#pragma once

#include "vector.h"

/* Streams: what a random number is used for. The heat bath has one for each step: HEAT_BATH + step. */
enum { DISPLACEMENTS, VELOCITIES, HEAT_BATH };

/* Returns a random number with uniform distribution in (0, 1), which depends on these four numbers only. */
double random_uniform(int seed, int stream, int particle, int draw);

/* The velocity of a particle of mass 1 in equilibrium at this temperature (Maxwell's distribution). Uses draws 0 to 5.
 */
Vector random_velocity(int seed, int stream, int particle, double temperature);
