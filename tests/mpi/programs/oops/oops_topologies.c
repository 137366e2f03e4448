/* Topologies: methods of their group, neighbours, lines, rows and columns. */
#include "oops_checks.h"

/* Calls each method of its group once, so that the trace has it under the name of the class. */
void check_delegation(OopsTopology *t)
{
    int one = 1, result = 0, all[4], counts[4] = {1, 1, 1, 1}, offsets[4] = {0, 1, 2, 3}, value = rank == 0 ? 7 : 0;
    OopsGroup *part;
    GOOD(oops_topology_barrier(t));
    GOOD(oops_topology_bcast(t, &value, 1, OOPS_INT, 0)); /* GOLDEN bcast */
    EXPECT(7, value);
    GOOD(oops_topology_gather(t, &rank, 1, OOPS_INT, all, NULL, OOPS_ALL));
    EXPECT(size - 1, all[size - 1]);
    all[size - 1] = -1;
    GOOD(oops_topology_gatherv(t, &rank, 1, OOPS_INT, all, counts, offsets, OOPS_ALL));
    EXPECT(size - 1, all[size - 1]);
    GOOD(oops_topology_scatter(t, all, NULL, OOPS_INT, &result, 1, 0));
    EXPECT(rank, result);
    GOOD(oops_topology_scatterv(t, all, counts, offsets, OOPS_INT, &result, 1, size - 1));
    EXPECT(rank, result);
    GOOD(oops_topology_sum(t, &one, &result, 1, OOPS_INT, OOPS_ALL)); /* GOLDEN sum to all */
    EXPECT(size, result);
    GOOD(oops_topology_prod(t, &one, &result, 1, OOPS_INT, OOPS_ALL));
    EXPECT(1, result);
    GOOD(oops_topology_max(t, &rank, &result, 1, OOPS_INT, OOPS_ALL));
    EXPECT(size - 1, result);
    GOOD(oops_topology_min(t, &rank, &result, 1, OOPS_INT, OOPS_ALL));
    EXPECT(0, result);
    GOOD(oops_topology_reduce(t, &one, &result, 1, OOPS_INT, OOPS_SUM, 0));
    EXPECT(rank == 0 ? size : 0, result);
    GOOD(oops_topology_allreduce(t, &one, &result, 1, OOPS_INT, OOPS_SUM));
    EXPECT(size, result);
    GOOD(oops_topology_scan(t, &one, &result, 1, OOPS_INT, OOPS_SUM));
    EXPECT(rank + 1, result);
    GOOD(oops_topology_split(t, 0, -rank, &part));
    EXPECT(size - 1 - rank, oops_group_rank(part));
    GOOD(oops_group_free(part));
    if (size > 1 && rank == 0)
        GOOD(oops_topology_send(t, &value, 1, OOPS_INT, size - 1, 9));
    if (size > 1 && rank == size - 1)
        GOOD(oops_topology_recv(t, &result, 1, OOPS_INT, 0, 9));
    EXPECT(size > 1 && rank == size - 1 ? 7 : rank + 1, result);
}

static const int down[OOPS_DIRECTIONS] = {-1, 1, 0, 0, -1, 1, -1, 1}, right[OOPS_DIRECTIONS] = {0, 0, -1, 1, -1, 1, 1, -1};

/* The expected neighbour in a direction, computed from places, not from ranks. */
static int expected_neighbour(int rows, int cols, bool closed, int direction)
{
    int row = rank / cols + down[direction], col = rank % cols + right[direction];
    if (closed)
        return (row + rows) % rows * cols + (col + cols) % cols;
    return row < 0 || row >= rows || col < 0 || col >= cols ? OOPS_NOBODY : row * cols + col;
}

/* Each member sends its rank in all directions and must receive the rank of its neighbour, or nothing. Such short
 * messages do not wait for their receives, unless they go to the sender itself (MPICH). */
void check_neighbours(OopsTopology *t, int rows, int cols, bool closed, int first, int last)
{
    for (int d = first; d <= last; d++) {
        int neighbour = expected_neighbour(rows, cols, closed, d);
        EXPECT(neighbour, oops_topology_neighbour(t, (OopsDirection)d));
        if (neighbour != rank)
            GOOD(oops_topology_to(t, (OopsDirection)d, &rank, 1, OOPS_INT));
    }
    for (int d = first; d <= last; d++) {
        int got = OOPS_NOBODY, neighbour = expected_neighbour(rows, cols, closed, d);
        if (neighbour != rank) {
            GOOD(oops_topology_from(t, (OopsDirection)d, &got, 1, OOPS_INT));
            EXPECT(neighbour, got);
        }
    }
}

void check_line(OopsTopology *t, bool closed)
{
    int previous = rank > 0 ? rank - 1 : closed ? size - 1 : OOPS_NOBODY;
    int next = rank < size - 1 ? rank + 1 : closed ? 0 : OOPS_NOBODY, got[2] = {OOPS_NOBODY, OOPS_NOBODY};
    EXPECT(previous, oops_topology_neighbour(t, OOPS_PREVIOUS));
    EXPECT(next, oops_topology_neighbour(t, OOPS_NEXT));
    if (next == rank)
        return;
    GOOD(oops_topology_to(t, OOPS_NEXT, &rank, 1, OOPS_INT));
    GOOD(oops_topology_to(t, OOPS_PREVIOUS, &rank, 1, OOPS_INT));
    GOOD(oops_topology_from(t, OOPS_PREVIOUS, &got[0], 1, OOPS_INT));
    GOOD(oops_topology_from(t, OOPS_NEXT, &got[1], 1, OOPS_INT));
    EXPECT(previous, got[0]);
    EXPECT(next, got[1]);
}

/* Rows and columns are pipes of their own. */
void check_grid_lines(OopsTopology *t, int rows, int cols, bool closed)
{
    OopsTopology *row, *col;
    int sum = -1, at_row, at_col, shape_rows, shape_cols;
    GOOD(oops_topology_row(t, &row));
    GOOD(oops_topology_col(t, &col));
    GOOD(oops_topology_shape(t, &shape_rows, &shape_cols));
    GOOD(oops_topology_place(t, &at_row, &at_col));
    EXPECT(rows, shape_rows);
    EXPECT(cols, shape_cols);
    EXPECT(rank, at_row * cols + at_col);
    GOOD(oops_topology_sum(row, &rank, &sum, 1, OOPS_INT, OOPS_ALL));
    EXPECT(cols * (2 * at_row * cols + cols - 1) / 2, sum);
    GOOD(oops_topology_sum(col, &rank, &sum, 1, OOPS_INT, OOPS_ALL));
    EXPECT(rows * (2 * at_col + (rows - 1) * cols) / 2, sum);
    EXPECT(at_col > 0 ? at_col - 1 : closed ? cols - 1 : OOPS_NOBODY, oops_topology_neighbour(row, OOPS_PREVIOUS));
    EXPECT(at_row < rows - 1 ? at_row + 1 : closed ? 0 : OOPS_NOBODY, oops_topology_neighbour(col, OOPS_NEXT));
}

void check_lines(OopsGroup *g)
{
    OopsTopology *t, *row;
    GOOD(oops_topology_new(g, &t));
    check_delegation(t);
    EXPECT(OOPS_ERR_DIRECTION, oops_topology_to(t, OOPS_NEXT, &rank, 1, OOPS_INT));
    GOOD(oops_topology_free(t));
    GOOD(oops_topology_plain_new(g, &t));
    check_delegation(t);
    EXPECT(OOPS_ERR_DIRECTION, oops_topology_neighbour(t, OOPS_EAST));
    GOOD(oops_topology_free(t));
    GOOD(oops_topology_linear_new(g, &t));
    check_delegation(t);
    check_neighbours(t, 1, size, false, OOPS_WEST, OOPS_EAST);
    check_line(t, false);
    EXPECT(OOPS_ERR_DIRECTION, oops_topology_from(t, OOPS_SW, &rank, 1, OOPS_INT));
    EXPECT(OOPS_ERR_DIRECTION, oops_topology_row(t, &row));
    GOOD(oops_topology_free(t));
    for (int closed = 0; closed <= 1; closed++) {
        GOOD(oops_topology_pipe_new(g, closed, &t));
        check_delegation(t);
        check_line(t, closed);
        EXPECT(OOPS_ERR_DIRECTION, oops_topology_neighbour(t, OOPS_EAST));
        GOOD(oops_topology_free(t));
    }
}
