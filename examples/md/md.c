/*
 * Molecular dynamics of Lennard-Jones particles by force decomposition (S. Plimpton, "Fast parallel algorithms for
 * short-range molecular dynamics", J. Comput. Phys. 117, 1995), on MPI.
 *
 * The processes form a grid. Each owns a block of the particles and moves them. The process in row r and column c
 * computes the forces between the particles owned in row r and those owned in column c: every pair of particles meets
 * in the grid. So a process needs the positions of its row and its column only, not all, and then its partial forces
 * are summed over the row and over the column to the particles' owners.
 *
 * This file hides nothing: it is the whole parallel algorithm but for the messages of auxfmd.c.
 */
#include "auxfmd.h"
#include "force.h"
#include "initial.h"
#include "input.h"
#include "memory.h"
#include "motion.h"
#include "output.h"

#include <mpi.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* A row or a column of the process grid: its processes, and all particles that they own. */
typedef struct {
    MPI_Comm comm;
    int members;
    int *counts;  /* by member: number of particles */
    int *offsets; /* by member: index of its first particle in the row or column */
    Side all;
    Vector *own_force; /* forces on this process's particles, from all partners in the row or column */
} Line;

static MPI_Datatype vector_type;

/* Sends the parameters, which process 0 has read, to all; 0 particles mean that process 0 could not read them. */
static void share_parameters(Run *run)
{
    MPI_Bcast(&run->particles, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->steps, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->interval, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->density, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->temperature, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->timestep, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->cutoff, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->collisions, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&run->seed, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static Particles allocate_particles(int count)
{
    Particles own = {
        .count = count,
        .id = allocate(count, sizeof(int)),
        .position = allocate(count, sizeof(Vector)),
        .velocity = allocate(count, sizeof(Vector)),
        .site = allocate(count, sizeof(Vector)),
        .force = allocate(count, sizeof(Vector)),
    };
    return own;
}

/* Process 0 makes the initial state, so that it does not depend on the number of processes. */
static void start_particles(const Run *run, Share *share, Particles *own)
{
    int number = share->rank == 0 ? run->particles : 0;
    Vector *site = allocate(number, sizeof *site);
    Vector *position = allocate(number, sizeof *position);
    Vector *velocity = allocate(number, sizeof *velocity);

    if (share->rank == 0) {
        initial_sites(run, site);
        initial_positions(run, site, position);
        initial_velocities(run, velocity);
    }
    distribute(share, site, own->site);
    distribute(share, position, own->position);
    distribute(share, velocity, own->velocity);
    free(site);
    free(position);
    free(velocity);
}

/* Makes a datatype for messages of vectors. Reductions send plain floats: MPI_SUM is not defined for derived types. */
static void make_vector_type(void)
{
    MPI_Type_contiguous(3, MPI_FLOAT, &vector_type);
    MPI_Type_commit(&vector_type);
}

/* Numbers the particles of all processes from 0, in the order of the processes' ranks. */
static void number_particles(Particles *own)
{
    int end;
    MPI_Scan(&own->count, &end, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < own->count; i++)
        own->id[i] = end - own->count + i;
}

/* Returns the number of rows of the most square grid; a prime number of processes gives a single row. */
static int grid_rows(int size)
{
    int rows = 1;
    for (int divisor = 2; divisor * divisor <= size; divisor++)
        if (size % divisor == 0)
            rows = divisor;
    return rows;
}

static void allocate_members(Line *line, int members)
{
    line->members = members;
    line->counts = allocate(members, sizeof *line->counts);
    line->offsets = allocate(members, sizeof *line->offsets);
}

static void allocate_line(Line *line, int own_count)
{
    for (int m = 0; m < line->members; m++) {
        line->offsets[m] = line->all.count;
        line->all.count += line->counts[m];
    }
    line->all.id = allocate(line->all.count, sizeof *line->all.id);
    line->all.position = allocate(line->all.count, sizeof *line->all.position);
    line->all.force = allocate(line->all.count, sizeof *line->all.force);
    line->own_force = allocate(own_count, sizeof *line->own_force);
}

/* Makes row and column of this process, with the numbers of the particles that the other members own. */
static void make_grid(const Share *share, const Particles *own, Line *row, Line *column)
{
    int rows = grid_rows(share->size), columns = share->size / rows;
    int my_row = share->rank / columns, my_column = share->rank % columns;

    MPI_Comm_split(MPI_COMM_WORLD, my_row, my_column, &row->comm);
    MPI_Comm_split(MPI_COMM_WORLD, my_column, my_row, &column->comm);
    allocate_members(row, columns);
    allocate_members(column, rows);

    MPI_Allgather(&own->count, 1, MPI_INT, row->counts, 1, MPI_INT, row->comm);
    MPI_Allgather(&own->count, 1, MPI_INT, column->counts, 1, MPI_INT, column->comm);
    allocate_line(row, own->count);
    allocate_line(column, own->count);

    MPI_Allgatherv(own->id, own->count, MPI_INT, row->all.id, row->counts, row->offsets, MPI_INT, row->comm);
    MPI_Allgatherv(own->id, own->count, MPI_INT, column->all.id, column->counts, column->offsets, MPI_INT,
                   column->comm);
}

static void gather_positions(const Particles *own, Line *row, Line *column)
{
    MPI_Allgatherv(own->position, own->count, vector_type, row->all.position, row->counts, row->offsets, vector_type,
                   row->comm);
    MPI_Allgatherv(own->position, own->count, vector_type, column->all.position, column->counts, column->offsets,
                   vector_type, column->comm);
}

/* Sums the forces on the particles; each member of a row or column is the root for its own particles. */
static void sum_forces(Particles *own, Line *row, Line *column)
{
    for (int m = 0; m < row->members; m++)
        MPI_Reduce(row->all.force + row->offsets[m], row->own_force, 3 * row->counts[m], MPI_FLOAT, MPI_SUM, m,
                   row->comm);
    for (int m = 0; m < column->members; m++)
        MPI_Reduce(column->all.force + column->offsets[m], column->own_force, 3 * column->counts[m], MPI_FLOAT, MPI_SUM,
                   m, column->comm);
    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 3; k++)
            own->force[i].c[k] = row->own_force[i].c[k] + column->own_force[i].c[k];
}

/* Sums energies, virial and displacement over all processes; the result is valid on process 0 only. */
static Sums sum_energies(const Particles *own, PairSums pairs)
{
    double kinetic = kinetic_energy(own), displacement = square_displacement(own);
    Sums sums = {0};

    MPI_Reduce(&kinetic, &sums.kinetic, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&pairs.potential, &sums.potential, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&pairs.virial, &sums.virial, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Reduce(&displacement, &sums.displacement, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    return sums;
}

/*
 * Velocity Verlet, turned so that a step begins with the forces: they are computed once per step, with none before the
 * loop, and in the middle of a step positions and velocities belong to the same time.
 */
static void simulate(const Run *run, const Share *share, Particles *own, Line *row, Line *column, Snapshot *snapshot,
                     Output *output)
{
    const double box = box_edge(run);

    for (int step = 0; step < run->steps; step++) {
        gather_positions(own, row, column);
        PairSums pairs = compute_forces(box, run->cutoff, &row->all, &column->all);
        sum_forces(own, row, column);
        if (step > 0) /* not in the first step: the initial velocities are already those of time 0 */
            kick(own, run->timestep);

        Sums sums = sum_energies(own, pairs);
        if (share->rank == 0)
            output_step(output, run, step, &sums);
        if (step % run->interval == 0) {
            collect(share, own->position, own->velocity, snapshot);
            if (share->rank == 0)
                output_snapshot(output, run, step, &sums, snapshot);
        }

        collide(own, run, step);
        kick(own, run->timestep);
        drift(own, run->timestep, box);
    }
}

static void free_line(Line *line)
{
    free(line->counts);
    free(line->offsets);
    free(line->all.id);
    free(line->all.position);
    free(line->all.force);
    free(line->own_force);
}

static void free_particles(Particles *own)
{
    free(own->id);
    free(own->position);
    free(own->velocity);
    free(own->site);
    free(own->force);
}

/*
 * Builds the world, lets it run, and clears it away. The vector type and the two communicators are needed to the very
 * end; we leave them to MPI_Finalize, which is allowed, though a debug build of MPICH warns of a "leaked handle".
 */
static void run_simulation(const Run *run, Share *share, Output *output)
{
    Line row = {0}, column = {0};
    Snapshot snapshot;

    /* Particles per process: as equal as possible; the first processes get the ones that are left over. */
    share->count = run->particles / share->size + (share->rank < run->particles % share->size);
    share->counts = allocate(share->size, sizeof *share->counts);
    Particles own = allocate_particles(share->count);
    allocate_snapshot(&snapshot, share->rank == 0 ? run->particles : share->count);

    start_particles(run, share, &own);
    make_vector_type();
    number_particles(&own);
    make_grid(share, &own, &row, &column);
    simulate(run, share, &own, &row, &column, &snapshot, output);

    free_line(&row);
    free_line(&column);
    free_snapshot(&snapshot);
    free_particles(&own);
    free(share->counts);
}

int main(int argc, char *argv[])
{
    Run run = {0};
    Share share = {0};
    Output output = {0};
    bool good = true;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &share.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &share.size);

    /* If process 0 cannot start, it still takes part in the broadcasts, or the others would wait for ever. */
    if (share.rank == 0 && !(read_command(argc, argv, "md.in", &run) && output_open(&output, &run)))
        run.particles = 0;
    share_parameters(&run);
    if (run.particles > 0) {
        if (share.rank == 0)
            output_begin(&run);
        run_simulation(&run, &share, &output);
        if (share.rank == 0)
            good = output_end(&output, &run);
    }

    MPI_Finalize();
    return run.particles > 0 && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
