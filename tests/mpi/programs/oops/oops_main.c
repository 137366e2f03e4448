/* Calls every method of OOPS and compares the answers with answers computed without OOPS. The last line of rank 0 is
 * the number of answers. cases/oops.py knows what the trace must contain for lines with GOLDEN. */
#include "oops_checks.h"

int rank, size;
static long answers;

void expect(const char *file, int line, const char *what, double expected, double actual)
{
    answers++;
    if (expected == actual)
        return;
    fprintf(stderr, "%s:%d: rank %d of %d: %s: expected %g, actual %g\n", file, line, rank, size, what, expected, actual);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* A grid as square as possible, a torus, and a torus of one column, whose members are their own west and east. */
static void check_grids(OopsGroup *g)
{
    for (int shape = 0; shape < 3; shape++) {
        OopsTopology *t;
        bool closed = shape > 0;
        int rows = shape == 2 ? size : size == 4 ? 2 : 1, cols = size / rows;
        if (shape == 0)
            GOOD(oops_topology_grid_new(g, 0, &t)); /* GOLDEN grid */
        else
            GOOD(oops_topology_torus_new(g, shape == 2 ? 1 : 0, &t));
        if (shape < 2)
            check_delegation(t);
        check_neighbours(t, rows, cols, closed, OOPS_NORTH, OOPS_SW);
        check_line(t, closed);
        check_grid_lines(t, rows, cols, closed);
        check_matrices(t, closed, false);
        check_vector_ghosts(t, closed);
        GOOD(oops_topology_free(t));
    }
}

static void check_data(OopsGroup *g)
{
    OopsTopology *t;
    GOOD(oops_topology_linear_new(g, &t));
    check_vectors(t);
    check_vector_ghosts(t, false);
    check_matrices(t, false, true);
    GOOD(oops_topology_free(t));
    GOOD(oops_topology_pipe_new(g, true, &t));
    check_vector_ghosts(t, true);
    GOOD(oops_topology_free(t));
}

int main(int argc, char *argv[])
{
    OopsGroup *world;
    GOOD(oops_init(&argc, &argv));
    GOOD(oops_init(NULL, NULL)); /* one call is enough */
    GOOD(oops_group_world(&world));
    rank = oops_group_rank(world);
    size = oops_group_size(world);
    check_collectives(world);
    check_unequal_parts(world);
    check_reductions(world);
    check_messages(world);
    check_parts(world);
    check_teams(world);
    check_lines(world);
    check_grids(world);
    check_data(world);
    check_errors(world);
    check_mpi_errors(world);
    GOOD(oops_group_free(world));
    GOOD(oops_finalize());
    if (rank == 0)
        printf("%ld\n", answers);
    return 0;
}
