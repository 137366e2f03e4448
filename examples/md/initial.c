/*
 * Hides how the start is made. It depends on the run parameters only, never on the number of processes.
 */
#include "initial.h"

#include "random.h"

#include <math.h>

/* The four sites of a crystal cell, in units of its edges; far enough inside that shaken particles stay in the box. */
static const double basis[4][3] = {{.25, .25, .25}, {.75, .75, .25}, {.75, .25, .75}, {.25, .75, .75}};

/* Maximum distance of a particle from its site at the start, in each direction, in units of the cell's edge. */
static const double shake = 0.04;

typedef struct {
    int count[3]; /* number of cells in each direction */
    double edge[3];
    long long sites;
} Crystal;

/* Returns the smallest crystal that has enough sites and fills the box, with cells that are nearly cubes. */
static Crystal make_crystal(const Run *run)
{
    Crystal crystal = {.count = {1, 1, 1}, .sites = 4};

    for (int k = 0; crystal.sites < run->particles; k = (k + 1) % 3) {
        crystal.count[k]++;
        crystal.sites = 4LL * crystal.count[0] * crystal.count[1] * crystal.count[2];
    }
    for (int k = 0; k < 3; k++)
        crystal.edge[k] = box_edge(run) / crystal.count[k];
    return crystal;
}

void initial_sites(const Run *run, Vector *site)
{
    const Crystal crystal = make_crystal(run);

    for (int i = 0; i < run->particles; i++) {
        long long s = crystal.sites * i / run->particles; /* sites without a particle, if any, are spread evenly */
        long long cell = s / 4;
        for (int k = 0; k < 3; k++) {
            site[i].c[k] = (float)(crystal.edge[k] * ((double)(cell % crystal.count[k]) + basis[s % 4][k]));
            cell /= crystal.count[k];
        }
    }
}

/* Moves each particle a little from its site, since in a perfect crystal all forces would be zero at first. */
void initial_positions(const Run *run, const Vector *site, Vector *position)
{
    const Crystal crystal = make_crystal(run);

    for (int i = 0; i < run->particles; i++)
        for (int k = 0; k < 3; k++) {
            double direction = 2 * random_uniform(run->seed, DISPLACEMENTS, i, k) - 1;
            position[i].c[k] = site[i].c[k] + (float)(shake * crystal.edge[k] * direction);
        }
}

/* Random thermal velocities, then corrected: total momentum becomes zero, the temperature exactly the wanted one. */
void initial_velocities(const Run *run, Vector *velocity)
{
    double mean[3] = {0, 0, 0};
    double squares = 0;

    for (int i = 0; i < run->particles; i++) {
        velocity[i] = random_velocity(run->seed, VELOCITIES, i, run->temperature);
        for (int k = 0; k < 3; k++)
            mean[k] += velocity[i].c[k] / run->particles;
    }
    for (int i = 0; i < run->particles; i++)
        for (int k = 0; k < 3; k++) {
            velocity[i].c[k] -= (float)mean[k];
            squares += (double)velocity[i].c[k] * velocity[i].c[k];
        }
    double scale = squares > 0 ? sqrt(degrees_of_freedom(run) * run->temperature / squares) : 0;
    for (int i = 0; i < run->particles; i++)
        for (int k = 0; k < 3; k++)
            velocity[i].c[k] *= (float)scale;
}
