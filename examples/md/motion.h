/*
 * How particles move: velocity Verlet, in the two halves that a step consists of, and collisions with a heat bath.
 */
#pragma once

#include "input.h"
#include "vector.h"

/* The particles that a process owns: their state, and the forces on them from all particles. */
typedef struct {
    int count;
    int *id;
    Vector *position;
    Vector *velocity;
    Vector *site; /* by particle: its place in the crystal at the start; jumps with the particle from wall to wall */
    Vector *force;
} Particles;

/* Advances the velocities by half a time step. */
void kick(Particles *own, double timestep);

/* Advances the positions by one time step. */
void drift(Particles *own, double timestep, double box);

/* Gives each particle, with probability collisions × timestep, a new velocity from the heat bath (Andersen). */
void collide(Particles *own, const Run *run, int step);

double kinetic_energy(const Particles *own);

/* Returns the sum over the particles of the squared distance from the site. */
double square_displacement(const Particles *own);
