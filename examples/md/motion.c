/*
 * Hides the equations of motion. All of it is local: only forces need the other processes.
 */
#include "motion.h"

#include "random.h"

#include <math.h>

void kick(Particles *own, double timestep)
{
    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 3; k++)
            own->velocity[i].c[k] += (float)(timestep / 2) * own->force[i].c[k];
}

void drift(Particles *own, double timestep, double box)
{
    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 3; k++) {
            float *x = &own->position[i].c[k];
            *x += (float)timestep * own->velocity[i].c[k];
            /* A particle that leaves the box enters opposite. Its site moves along: x - site remains as it was. */
            float jump = (float)box * floorf(*x / (float)box);
            *x -= jump;
            own->site[i].c[k] -= jump;
        }
}

void collide(Particles *own, const Run *run, int step)
{
    const int hit_draw = 6; /* draws 0 to 5 are those of random_velocity() */
    const double probability = run->collisions * run->timestep;

    if (probability == 0)
        return;
    for (int i = 0; i < own->count; i++)
        if (random_uniform(run->seed, HEAT_BATH + step, own->id[i], hit_draw) < probability)
            own->velocity[i] = random_velocity(run->seed, HEAT_BATH + step, own->id[i], run->temperature);
}

double kinetic_energy(const Particles *own)
{
    double sum = 0;
    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 3; k++)
            sum += 0.5 * own->velocity[i].c[k] * own->velocity[i].c[k];
    return sum;
}

double square_displacement(const Particles *own)
{
    double sum = 0;
    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 3; k++) {
            double way = own->position[i].c[k] - own->site[i].c[k];
            sum += way * way;
        }
    return sum;
}
