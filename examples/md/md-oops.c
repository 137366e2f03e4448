/*
 * Molecular dynamics as in md.c, written with OOPS: groups of processes, a grid of them, vectors distributed over them.
 * No call of MPI is here, and no message is written by hand: the grid has its rows and columns, a vector is loaded from
 * and stored on process 0, and a sum is a method.
 *
 * The physics are those of md.c. OOPS has sums of elements, but none of sections of an array, each to another process:
 * so forces are summed particle by particle, and that is nearly all of what this program communicates.
 */
#include "force.h"
#include "initial.h"
#include "input.h"
#include "memory.h"
#include "motion.h"
#include "output.h"
#include "snapshot.h"

#include <oops.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* Properties of the particles; for each there is a vector that is distributed over all processes. */
typedef enum { SITE, POSITION, VELOCITY, FORCE, PROPERTIES } Property;

typedef struct {
    OopsGroup *all;
    OopsTopology *grid;
    OopsDistribution *blocks;
    OopsVector *state[PROPERTIES];
    Particles own; /* the parts of the state's vectors that this process has */
} World;

/* A row or a column of the process grid: its processes, and all particles that they own. */
typedef struct {
    OopsTopology *pipe;
    int members, me;
    int *counts; /* by member: number of particles */
    int *floats; /* by member: number of floats in a vector of its particles */
    Side all;
    Vector *own_force; /* forces on this process's particles, from all partners in the row or column */
} Line;

/* Ends the program if a method of OOPS has failed; errors of MPI end the program by themselves. */
static void must(int error)
{
    char text[OOPS_ERROR_TEXT];
    if (error == OOPS_SUCCESS)
        return;
    fprintf(stderr, "md: %s\n", oops_error_text(error, text));
    exit(EXIT_FAILURE);
}

/* Sends the parameters, which process 0 has read, to all; 0 particles mean that process 0 could not read them. */
static void share_parameters(OopsTopology *grid, Run *run)
{
    must(oops_topology_bcast(grid, &run->particles, 1, OOPS_INT, 0));
    must(oops_topology_bcast(grid, &run->steps, 1, OOPS_INT, 0));
    must(oops_topology_bcast(grid, &run->interval, 1, OOPS_INT, 0));
    must(oops_topology_bcast(grid, &run->density, 1, OOPS_DOUBLE, 0));
    must(oops_topology_bcast(grid, &run->temperature, 1, OOPS_DOUBLE, 0));
    must(oops_topology_bcast(grid, &run->timestep, 1, OOPS_DOUBLE, 0));
    must(oops_topology_bcast(grid, &run->cutoff, 1, OOPS_DOUBLE, 0));
    must(oops_topology_bcast(grid, &run->collisions, 1, OOPS_DOUBLE, 0));
    must(oops_topology_bcast(grid, &run->seed, 1, OOPS_INT, 0));
}

static bool is_first(const World *world)
{
    return oops_group_rank(world->all) == 0;
}

/* Process 0 makes the initial state, so that it does not depend on the number of processes. No force acts yet. */
static void load_state(const Run *run, World *world)
{
    Vector *all[PROPERTIES];
    int number = is_first(world) ? run->particles : 0;

    for (int p = 0; p < PROPERTIES; p++)
        all[p] = allocate(number, sizeof(Vector));
    if (is_first(world)) {
        initial_sites(run, all[SITE]);
        initial_positions(run, all[SITE], all[POSITION]);
        initial_velocities(run, all[VELOCITY]);
    }
    for (int p = 0; p < PROPERTIES; p++) {
        must(oops_vector_load(world->state[p], all[p], 0));
        free(all[p]);
    }
}

/* Numbers the particles of all processes from 0, in the order of the processes' ranks. */
static void number_particles(World *world)
{
    Particles *own = &world->own;
    int end;
    must(oops_topology_scan(world->grid, &own->count, &end, 1, OOPS_INT, OOPS_SUM));
    for (int i = 0; i < own->count; i++)
        own->id[i] = end - own->count + i;
}

static void make_particles(const Run *run, World *world)
{
    must(oops_distribution_blocked_new(run->particles, oops_group_size(world->all), &world->blocks));
    for (int p = 0; p < PROPERTIES; p++)
        must(oops_vector_new(world->grid, world->blocks, OOPS_FLOAT, 3, 0, &world->state[p]));
    int count = oops_vector_local_size(world->state[POSITION]);
    world->own = (Particles){
        .count = count,
        .id = allocate(count, sizeof(int)),
        .position = oops_vector_data(world->state[POSITION]),
        .velocity = oops_vector_data(world->state[VELOCITY]),
        .site = oops_vector_data(world->state[SITE]),
        .force = oops_vector_data(world->state[FORCE]),
    };
    load_state(run, world);
    number_particles(world);
}

static void allocate_line(Line *line, int own_count)
{
    for (int m = 0; m < line->members; m++) {
        line->floats[m] = 3 * line->counts[m];
        line->all.count += line->counts[m];
    }
    line->all.id = allocate(line->all.count, sizeof *line->all.id);
    line->all.position = allocate(line->all.count, sizeof *line->all.position);
    line->all.force = allocate(line->all.count, sizeof *line->all.force);
    line->own_force = allocate(own_count, sizeof *line->own_force);
}

/* Makes a row or column: gets the numbers of the particles that its other processes own. */
static void make_line(OopsTopology *pipe, const Particles *own, Line *line)
{
    OopsGroup *group = oops_topology_group(pipe);
    *line = (Line){.pipe = pipe, .members = oops_group_size(group), .me = oops_group_rank(group)};
    line->counts = allocate(line->members, sizeof *line->counts);
    line->floats = allocate(line->members, sizeof *line->floats);
    must(oops_topology_gather(pipe, &own->count, 1, OOPS_INT, line->counts, NULL, OOPS_ALL));
    allocate_line(line, own->count);
    must(oops_topology_gather(pipe, own->id, own->count, OOPS_INT, line->all.id, line->counts, OOPS_ALL));
}

static void gather_positions(const Particles *own, Line *row, Line *column)
{
    must(oops_topology_gather(row->pipe, own->position, 3 * own->count, OOPS_FLOAT, row->all.position, row->floats,
                              OOPS_ALL));
    must(oops_topology_gather(column->pipe, own->position, 3 * own->count, OOPS_FLOAT, column->all.position,
                              column->floats, OOPS_ALL));
}

/* Returns where the summed force on particle i of member m goes; NULL on all other members. */
static float *result(const Line *line, int m, int i)
{
    return m == line->me ? line->own_force[i].c : NULL;
}

/* For each particle of a row or column: sums the forces on it, on the member that owns it. */
static void sum_forces(Particles *own, Line *row, Line *column)
{
    const Vector *force = row->all.force;
    for (int m = 0; m < row->members; m++)
        for (int i = 0; i < row->counts[m]; i++, force++)
            must(oops_topology_sum(row->pipe, force->c, result(row, m, i), 3, OOPS_FLOAT, m));

    force = column->all.force;
    for (int m = 0; m < column->members; m++)
        for (int i = 0; i < column->counts[m]; i++, force++)
            must(oops_topology_sum(column->pipe, force->c, result(column, m, i), 3, OOPS_FLOAT, m));

    for (int i = 0; i < own->count; i++)
        for (int k = 0; k < 3; k++)
            own->force[i].c[k] = row->own_force[i].c[k] + column->own_force[i].c[k];
}

static Sums sum_energies(OopsTopology *grid, const Particles *own, PairSums pairs)
{
    double kinetic = kinetic_energy(own), displacement = square_displacement(own);
    Sums sums = {0};

    must(oops_topology_sum(grid, &kinetic, &sums.kinetic, 1, OOPS_DOUBLE, OOPS_ALL));
    must(oops_topology_sum(grid, &pairs.potential, &sums.potential, 1, OOPS_DOUBLE, OOPS_ALL));
    must(oops_topology_sum(grid, &pairs.virial, &sums.virial, 1, OOPS_DOUBLE, OOPS_ALL));
    must(oops_topology_sum(grid, &displacement, &sums.displacement, 1, OOPS_DOUBLE, OOPS_ALL));
    return sums;
}

/* Collects one property of all particles on process 0. `room`: array for all particles. */
static void store_columns(const World *world, int number, Property property, Vector *room, float *column[3])
{
    must(oops_vector_store(world->state[property], room, 0));
    if (is_first(world))
        split_into_columns(number, room, column);
}

static void take_snapshot(const Run *run, const World *world, Vector *room, Snapshot *snapshot)
{
    store_columns(world, run->particles, POSITION, room, snapshot->position);
    store_columns(world, run->particles, VELOCITY, room, snapshot->velocity);
    store_columns(world, run->particles, FORCE, room, snapshot->force);
}

/* Runs all steps; their order is explained at simulate() in md.c. */
static void simulate(const Run *run, World *world, Line *row, Line *column, Vector *room, Snapshot *snapshot,
                     Output *output)
{
    const double box = box_edge(run);
    Particles *own = &world->own;

    for (int step = 0; step < run->steps; step++) {
        gather_positions(own, row, column);
        PairSums pairs = compute_forces(box, run->cutoff, &row->all, &column->all);
        sum_forces(own, row, column);
        if (step > 0) /* not in the first step: the initial velocities are already those of time 0 */
            kick(own, run->timestep);

        Sums sums = sum_energies(world->grid, own, pairs);
        if (is_first(world))
            output_step(output, run, step, &sums);
        if (step % run->interval == 0) {
            take_snapshot(run, world, room, snapshot);
            if (is_first(world))
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
    free(line->floats);
    free(line->all.id);
    free(line->all.position);
    free(line->all.force);
    free(line->own_force);
}

static void free_particles(World *world)
{
    for (int p = 0; p < PROPERTIES; p++)
        must(oops_vector_free(world->state[p]));
    must(oops_distribution_free(world->blocks));
    free(world->own.id);
}

static void run_simulation(const Run *run, World *world, Output *output)
{
    OopsTopology *my_row, *my_column;
    Line row, column;
    Snapshot snapshot;
    int number = is_first(world) ? run->particles : 0;
    Vector *room = allocate(number, sizeof *room);

    allocate_snapshot(&snapshot, number);
    add_forces(&snapshot, number);
    make_particles(run, world);
    must(oops_topology_row(world->grid, &my_row));
    must(oops_topology_col(world->grid, &my_column));
    make_line(my_row, &world->own, &row);
    make_line(my_column, &world->own, &column);
    simulate(run, world, &row, &column, room, &snapshot, output);

    free_line(&row);
    free_line(&column);
    free_particles(world);
    free_snapshot(&snapshot);
    free(room);
}

int main(int argc, char *argv[])
{
    Run run = {0};
    World world = {0};
    Output output = {0};
    bool good = true;

    must(oops_init(&argc, &argv));
    must(oops_group_world(&world.all));
    must(oops_topology_grid_new(world.all, 0, &world.grid));

    /* If process 0 cannot start, it still takes part in the broadcasts, or the others would wait for ever. */
    if (is_first(&world) && !(read_command(argc, argv, "md-oops.in", &run) && output_open(&output, &run)))
        run.particles = 0;
    share_parameters(world.grid, &run);
    if (run.particles > 0) {
        if (is_first(&world))
            output_begin(&run);
        run_simulation(&run, &world, &output);
        if (is_first(&world))
            good = output_end(&output, &run);
    }

    must(oops_topology_free(world.grid));
    must(oops_group_free(world.all));
    must(oops_finalize());
    return run.particles > 0 && good ? EXIT_SUCCESS : EXIT_FAILURE;
}
