/*
 * Hides how results look. Energies are per particle. Pressure is that of the force-shifted potential itself:
 * there is no correction for the part beyond the cutoff, neither here nor in the forces nor in the energy.
 */
#include "output.h"

#include <errno.h>
#include <math.h>
#include <string.h>

static double temperature_of(const Run *run, const Sums *sums)
{
    return 2 * sums->kinetic / degrees_of_freedom(run);
}

/* Returns the pressure. Clausius: three times pressure times volume is twice the kinetic energy plus the virial. */
static double pressure_of(const Run *run, const Sums *sums)
{
    double volume = run->particles / run->density;
    return (2 * sums->kinetic + sums->virial) / (3 * volume);
}

/* Returns the length of the mean velocity: zero apart from rounding, as all forces come in opposite pairs. */
static double momentum_of(const Run *run, const Snapshot *snapshot)
{
    double sum[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < run->particles; i++)
            sum[k] += snapshot->velocity[k][i];
    return sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / run->particles;
}

bool output_open(Output *output, const Run *run)
{
    *output = (Output){0};
    if (run->trajectory[0] == '\0')
        return true;
    output->trajectory = fopen(run->trajectory, "w");
    if (output->trajectory == NULL)
        fprintf(stderr, "md: %s: %s\n", run->trajectory, strerror(errno));
    return output->trajectory != NULL;
}

void output_begin(const Run *run)
{
    printf("# %d particles in a periodic cube of edge %.4f\n", run->particles, box_edge(run));
    printf("#%7s %10s %10s %10s %11s %10s %12s %9s\n", "step", "kinetic", "potential", "total", "temperature",
           "pressure", "displacement", "momentum");
}

void output_step(Output *output, const Run *run, int step, const Sums *sums)
{
    double energy = (sums->kinetic + sums->potential) / run->particles;

    if (step == 0)
        output->first_energy = energy;
    output->drift = fmax(output->drift, fabs(energy - output->first_energy));
    output->temperature += temperature_of(run, sums);
    output->pressure += pressure_of(run, sums);
}

/* Writes a frame in the "extended" XYZ format, which ASE, OVITO and VMD read. */
static void write_frame(FILE *file, const Run *run, int step, const Snapshot *s)
{
    double box = box_edge(run);
    bool forces = s->force[0] != NULL;
    fprintf(file, "%d\n", run->particles);
    fprintf(file, "Lattice=\"%.6f 0 0 0 %.6f 0 0 0 %.6f\" Properties=species:S:1:pos:R:3:velo:R:3%s Time=%g\n", box,
            box, box, forces ? ":forces:R:3" : "", step * run->timestep);
    for (int i = 0; i < run->particles; i++) {
        fprintf(file, "Ar %.6f %.6f %.6f %.7f %.7f %.7f", s->position[0][i], s->position[1][i], s->position[2][i],
                s->velocity[0][i], s->velocity[1][i], s->velocity[2][i]);
        if (forces)
            fprintf(file, " %.5f %.5f %.5f", s->force[0][i], s->force[1][i], s->force[2][i]);
        fputc('\n', file);
    }
}

void output_snapshot(Output *output, const Run *run, int step, const Sums *sums, const Snapshot *snapshot)
{
    double n = run->particles;
    printf("%8d %10.6f %10.6f %10.6f %11.6f %10.6f %12.6f %9.1e\n", step, sums->kinetic / n, sums->potential / n,
           (sums->kinetic + sums->potential) / n, temperature_of(run, sums), pressure_of(run, sums),
           sums->displacement / n, momentum_of(run, snapshot));
    if (output->trajectory != NULL)
        write_frame(output->trajectory, run, step, snapshot);
}

bool output_end(Output *output, const Run *run)
{
    printf("# mean temperature %.6f, mean pressure %.6f\n", output->temperature / run->steps,
           output->pressure / run->steps);
    printf("# total energy strayed from its first value by at most %.1e per particle\n", output->drift);

    bool good = fflush(stdout) == 0 && !ferror(stdout);
    if (!good)
        fprintf(stderr, "md: standard output: cannot be written\n");
    if (output->trajectory != NULL) {
        bool written = !ferror(output->trajectory);
        if (fclose(output->trajectory) != 0 || !written) {
            fprintf(stderr, "md: %s: cannot be written\n", run->trajectory);
            good = false;
        }
    }
    return good;
}
