/*
 * How particles move: velocity Verlet, in the two halves that a step consists of, and collisions with a heat bath.
 */
#pragma once

#include "input.h"
#include "vector.h"

/* The particles that a process owns: their state, and the force on them from everywhere. */
typedef struct {
    int count;
    int *id;
    Vector *position;
    Vector *velocity;
    Vector *site; /* where it started in the crystal, or the periodic image of that which it has moved away from */
    Vector *force;
} Particles;

/* Advances the velocities by half a time step. */
void kick(Particles *own, double timestep);

/* Advances the positions by one time step. */
void drift(Particles *own, double timestep, double box);

/* Lets the heat bath hit each particle with probability collisions × timestep and give it a new velocity (Andersen). */
void collide(Particles *own, const Run *run, int step);

double kinetic_energy(const Particles *own);

/* Sum of the squares of the distances from the sites. */
double square_displacement(const Particles *own);
