/*
 * Hides the potential, the periodic images, and which process computes which pair.
 *
 * Potential: Lennard-Jones u(r) = 4 (r^-12 - r^-6), shifted so that both energy and force go to zero at the cutoff c:
 * u(r) - u(c) - (r - c) u'(c). Nothing jumps when a pair crosses the cutoff, hence energy is conserved.
 */
#include "force.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

typedef struct {
    float box;
    float cutoff;
    float energy_shift; /* u(c), potential at the cutoff distance c */
    float force_shift;  /* -u'(c), force at the cutoff distance c */
} Potential;

static Potential make_potential(double box, double cutoff)
{
    double inverse_6 = pow(cutoff, -6);
    Potential potential = {
        .box = (float)box,
        .cutoff = (float)cutoff,
        .energy_shift = (float)(4 * inverse_6 * (inverse_6 - 1)),
        .force_shift = (float)(24 * inverse_6 * (2 * inverse_6 - 1) / cutoff),
    };
    return potential;
}

/* Returns the shorter one of two distances between coordinates: straight, or through the wall of the periodic box. */
static inline float nearest_image(float distance, float box)
{
    if (distance > box / 2)
        return distance - box;
    if (distance < -box / 2)
        return distance + box;
    return distance;
}

/*
 * The checkerboard: of (i, j) and (j, i) exactly one is true, and of i's partners half. A plain i < j would do the same
 * but leave the processes below the diagonal of the grid without work. A particle is no partner of its own.
 */
static inline bool counts_here(int i, int j)
{
    return (i + j) % 2 != 0 ? i < j : i > j;
}

/* Adds to `sums` what a pair of particles contributes; `square`: their distance squared. Returns force / distance. */
static inline float interact(const Potential *potential, float square, PairSums *sums)
{
    float distance = sqrtf(square);
    float inverse_2 = 1 / square;
    float inverse_6 = inverse_2 * inverse_2 * inverse_2;
    float force = 24 * inverse_2 * inverse_6 * (2 * inverse_6 - 1) - potential->force_shift / distance;

    sums->potential += 4 * inverse_6 * (inverse_6 - 1) - potential->energy_shift +
                       potential->force_shift * (distance - potential->cutoff);
    sums->virial += force * square;
    return force;
}

/* Adds the forces between one particle of the row and all particles of the column, with opposite signs. */
static void one_with_all(const Potential *potential, int id, Vector at, Vector *force, Side *column, PairSums *sums)
{
    const float reach = potential->cutoff * potential->cutoff;

    for (int j = 0; j < column->count; j++) {
        Vector way;
        float square = 0;
        for (int k = 0; k < 3; k++) {
            way.c[k] = nearest_image(at.c[k] - column->position[j].c[k], potential->box);
            square += way.c[k] * way.c[k];
        }
        if (square >= reach || !counts_here(id, column->id[j]))
            continue;
        float strength = interact(potential, square, sums);
        for (int k = 0; k < 3; k++) {
            force->c[k] += strength * way.c[k];
            column->force[j].c[k] -= strength * way.c[k];
        }
    }
}

PairSums compute_forces(double box, double cutoff, Side *row, Side *column)
{
    const Potential potential = make_potential(box, cutoff);
    PairSums sums = {0, 0};

    memset(row->force, 0, (size_t)row->count * sizeof *row->force);
    memset(column->force, 0, (size_t)column->count * sizeof *column->force);
    for (int i = 0; i < row->count; i++)
        one_with_all(&potential, row->id[i], row->position[i], &row->force[i], column, &sums);
    return sums;
}
