/*
 * Random numbers without a state: each is a function of what it is for, so all processes agree on them
 * and it does not matter who draws first.
 */
#pragma once

#include "vector.h"

/* What a number is for. The heat bath has one stream per step: HEAT_BATH + step. */
enum { DISPLACEMENTS, VELOCITIES, HEAT_BATH };

/* Uniform in (0, 1). */
double random_uniform(int seed, int stream, int particle, int draw);

/* The velocity of a particle of mass 1 in equilibrium at this temperature (Maxwell's distribution). Uses draws 0 to 5.
 */
Vector random_velocity(int seed, int stream, int particle, double temperature);
