/* Every method of OOPS, compared with answers worked out without it. The last line of rank 0 is the number of answers.
 * Lines with GOLDEN: cases/oops.py knows what the trace must say of them. */
#include "oops.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;
static long answers;

#define EXPECT(expected, actual) expect(__LINE__, #actual, (double)(expected), (double)(actual))
#define GOOD(call)               expect(__LINE__, #call, OOPS_SUCCESS, call)

static void expect(int line, const char *what, double expected, double actual)
{
    answers++;
    if (expected == actual)
        return;
    fprintf(stderr, "oops.c:%d: rank %d of %d: %s: expected %g, actual %g\n", line, rank, size, what, expected, actual);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* --- groups --- */

static void check_collectives(OopsGroup *g)
{
    int value = rank == size - 1 ? 42 : 0, own[2] = {rank, 10 * rank}, all[8], part[2] = {-1, -1};
    GOOD(oops_group_barrier(g));
    GOOD(oops_group_bcast(g, &value, 1, OOPS_INT, size - 1));
    EXPECT(42, value);
    memset(all, -1, sizeof all);
    GOOD(oops_group_gather(g, own, 2, OOPS_INT, all, NULL, 0));
    for (int m = 0; m < size; m++)
        EXPECT(rank == 0 ? 10 * m : -1, all[2 * m + 1]);
    GOOD(oops_group_gather(g, own, 2, OOPS_INT, all, NULL, OOPS_ALL));
    for (int m = 0; m < size; m++)
        EXPECT(10 * m, all[2 * m + 1]);
    GOOD(oops_group_scatter(g, all, NULL, OOPS_INT, part, 2, 0));
    EXPECT(10 * rank, part[1]);
}

/* Member m has m + 1 numbers. */
static void check_unequal_parts(OopsGroup *g)
{
    int own[4], all[20], counts[4], offsets[4], total = size * (size + 1) / 2;
    for (int m = 0; m < size; m++) {
        counts[m] = m + 1;
        offsets[m] = 4 * (size - 1 - m); /* backwards, with gaps */
    }
    for (int i = 0; i <= rank; i++)
        own[i] = 100 * rank + i;
    for (int root = -1; root < size; root++) {
        memset(all, -1, sizeof all);
        GOOD(oops_group_gather(g, own, rank + 1, OOPS_INT, all, counts, root < 0 ? OOPS_ALL : root));
        EXPECT(root < 0 || root == rank ? 100 * (size - 1) + size - 1 : -1, all[total - 1]);
        memset(all, -1, sizeof all);
        GOOD(oops_group_gatherv(g, own, rank + 1, OOPS_INT, all, counts, offsets, root < 0 ? OOPS_ALL : root));
        EXPECT(root < 0 || root == rank ? 0 : -1, all[4 * (size - 1)]);
        EXPECT(root < 0 || root == rank ? 100 * (size - 1) : -1, all[0]);
        EXPECT(-1, all[4 * size]);
    }
    GOOD(oops_group_gatherv(g, own, rank + 1, OOPS_INT, all, counts, offsets, OOPS_ALL));
    memset(own, -1, sizeof own);
    GOOD(oops_group_scatterv(g, all, counts, offsets, OOPS_INT, own, rank + 1, size - 1));
    EXPECT(100 * rank + rank, own[rank]);
    GOOD(oops_group_gather(g, own, rank + 1, OOPS_INT, all, counts, OOPS_ALL));
    memset(own, -1, sizeof own);
    GOOD(oops_group_scatter(g, all, counts, OOPS_INT, own, rank + 1, 0));
    EXPECT(100 * rank + rank, own[rank]);
}

static double factorial(int n)
{
    return n < 2 ? 1 : n * factorial(n - 1);
}

static void check_reductions(OopsGroup *g)
{
    double own[2] = {rank + 1, -rank}, sum[2] = {-7, -7}, all = size * (size + 1) / 2.0;
    long whole = rank + 1, product = 0;
    char letter = (char)('a' + rank), last = 0;
    float half = 0.5f * (float)rank, least = -7;
    GOOD(oops_group_sum(g, own, sum, 2, OOPS_DOUBLE, size - 1));
    EXPECT(rank == size - 1 ? all : -7, sum[0]);
    GOOD(oops_group_sum(g, own, sum, 2, OOPS_DOUBLE, OOPS_ALL));
    EXPECT(all, sum[0]);
    EXPECT(size - all, sum[1]);
    GOOD(oops_group_prod(g, &whole, &product, 1, OOPS_LONG, OOPS_ALL));
    EXPECT(factorial(size), product);
    GOOD(oops_group_max(g, &letter, &last, 1, OOPS_CHAR, 0));
    EXPECT(rank == 0 ? 'a' + size - 1 : 0, last);
    GOOD(oops_group_min(g, &half, &least, 1, OOPS_FLOAT, OOPS_ALL));
    EXPECT(0, least);
    GOOD(oops_group_reduce(g, own, sum, 1, OOPS_DOUBLE, OOPS_PROD, 0));
    EXPECT(rank == 0 ? factorial(size) : all, sum[0]);
    GOOD(oops_group_allreduce(g, own, sum, 2, OOPS_DOUBLE, OOPS_MIN));
    EXPECT(1 - size, sum[1]);
    GOOD(oops_group_scan(g, own, sum, 1, OOPS_DOUBLE, OOPS_SUM));
    EXPECT((rank + 1) * (rank + 2) / 2, sum[0]);
}

/* A letter round the ring, by the group and by partners. */
static void check_messages(OopsGroup *g)
{
    int next = (rank + 1) % size, previous = (rank + size - 1) % size, got = -1;
    OopsPartner *to, *from;
    GOOD(oops_partner_new(g, next, &to));
    GOOD(oops_partner_new(g, previous, &from));
    if (size > 1 && rank == 0)
        GOOD(oops_group_recv(g, &got, 1, OOPS_INT, previous, 3));
    if (size > 1)
        GOOD(oops_group_send(g, &rank, 1, OOPS_INT, next, 3));
    if (size > 1 && rank > 0)
        GOOD(oops_group_recv(g, &got, 1, OOPS_INT, previous, 3));
    EXPECT(size > 1 ? previous : -1, got);
    if (size > 1 && rank % 2 == 0)
        GOOD(oops_partner_send(to, &next, 1, OOPS_INT, OOPS_TAG_MAX));
    if (size > 1)
        GOOD(oops_partner_recv(from, &got, 1, OOPS_INT, OOPS_TAG_MAX));
    if (size > 1 && rank % 2 == 1)
        GOOD(oops_partner_send(to, &next, 1, OOPS_INT, OOPS_TAG_MAX));
    EXPECT(size > 1 ? rank : -1, got);
    GOOD(oops_partner_free(to));
    GOOD(oops_partner_free(from));
}

static void check_parts(OopsGroup *g)
{
    OopsGroup *odd, *some, *again;
    int ranks[4] = {size - 1, 0};
    GOOD(oops_group_split(g, rank % 2 == 1 ? 5 : OOPS_NOBODY, -rank, &odd));
    EXPECT(rank % 2 == 1, odd != NULL);
    if (odd) {
        EXPECT(size / 2, oops_group_size(odd));
        EXPECT((size - 1 - rank) / 2, oops_group_rank(odd)); /* the keys turn the order round */
        for (int p = 0; p < size; p++)
            EXPECT(p % 2, oops_group_is_in_group(odd, p));
    }
    GOOD(oops_group_free(odd));
    GOOD(oops_group_sub_group(g, size > 1 ? 2 : 1, ranks, &some));
    EXPECT(rank == 0 || rank == size - 1, some != NULL);
    if (some) {
        EXPECT(size > 1 ? 2 : 1, oops_group_size(some));
        EXPECT(rank == size - 1 ? 0 : 1, oops_group_rank(some));
        EXPECT(size <= 2, oops_group_is_in_group(some, size / 2) && oops_group_is_in_group(some, size - 1));
    }
    GOOD(oops_group_free(some));
    GOOD(oops_group_new(oops_group_comm(g), &again));
    EXPECT(size, oops_group_size(again));
    EXPECT(0, oops_group_comm(again) == oops_group_comm(g));
    GOOD(oops_group_free(again));
}

static void check_teams(OopsGroup *g)
{
    for (int teams = 1; teams <= size; teams++) {
        OopsWorkgroup *w;
        int members = 0, mine = 0, sum;
        GOOD(oops_workgroup_new(g, teams, &w));
        for (int p = 0; p < size; p++)
            members += oops_workgroup_is_in_group(w, p);
        EXPECT(members, oops_group_size(oops_workgroup_group(w)));
        EXPECT(1, members == size / teams || members == size / teams + (size % teams > 0));
        EXPECT(1, oops_workgroup_is_in_group(w, rank));
        mine = oops_group_rank(oops_workgroup_group(w)) == 0;
        GOOD(oops_group_sum(g, &mine, &sum, 1, OOPS_INT, OOPS_ALL));
        EXPECT(teams, sum);
        EXPECT(rank == size - 1 ? teams - 1 : oops_workgroup_team(w), oops_workgroup_team(w));
        GOOD(oops_workgroup_free(w));
    }
}

/* --- topologies --- */

/* The methods of its group: once each, so that they are in the trace under the class's name. */
static void check_delegation(OopsTopology *t)
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

/* Who is expected in a direction: by places, not by ranks. */
static int expected_neighbour(int rows, int cols, bool closed, int direction)
{
    int row = rank / cols + down[direction], col = rank % cols + right[direction];
    if (closed)
        return (row + rows) % rows * cols + (col + cols) % cols;
    return row < 0 || row >= rows || col < 0 || col >= cols ? OOPS_NOBODY : row * cols + col;
}

/* Each member sends its rank in all directions; what comes is the neighbour's rank, or nothing. Messages this short do
 * not wait for their receives, unless they go to the sender itself (MPICH). */
static void check_neighbours(OopsTopology *t, int rows, int cols, bool closed, int first, int last)
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

static void check_line(OopsTopology *t, bool closed)
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
static void check_grid_lines(OopsTopology *t, int rows, int cols, bool closed)
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

static void check_lines(OopsGroup *g)
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

/* --- vectors --- */

/* Element g has the numbers 10 g, 10 g + 1, …: from the first and the last process to the vector, to the one behind it;
 * in between all are doubled. */
static void check_load_and_store(OopsVector *v, int elements, int width)
{
    int numbers = elements * width;
    int *all = malloc((size_t)numbers * sizeof *all + 1);
    for (int root = 0; root < size; root += size > 1 ? size - 1 : 1) {
        int *data = oops_vector_data(v);
        for (int i = 0; i < numbers; i++)
            all[i] = rank == root ? i / width * 10 + i % width : -1;
        GOOD(oops_vector_load(v, all, root));
        for (int i = 0; i < oops_vector_local_size(v); i++)
            for (int k = 0; k < width; k++) {
                EXPECT(10 * oops_vector_local_to_global(v, i) + k, data[i * width + k]);
                data[i * width + k] *= 2;
            }
        memset(all, -1, (size_t)numbers * sizeof *all);
        GOOD(oops_vector_store(v, all, (root + 1) % size));
        for (int i = 0; i < numbers; i++)
            EXPECT(rank == (root + 1) % size ? 2 * (i / width * 10 + i % width) : -1, all[i]);
    }
    free(all);
}

/* Each element has one place, and its place knows it. */
static void check_places(OopsVector *v, int elements, bool everywhere)
{
    int own = oops_vector_local_size(v), total;
    for (int g = 0; g < elements; g++) {
        int owner = -9, local = -9;
        GOOD(oops_vector_global_to_local(v, g, &owner, &local));
        EXPECT(everywhere, owner == OOPS_ALL);
        if (everywhere || owner == rank)
            EXPECT(g, oops_vector_local_to_global(v, local));
    }
    GOOD(oops_group_sum(NULL, &own, &total, 1, OOPS_INT, OOPS_ALL) == OOPS_ERR_OBJECT ? OOPS_SUCCESS : 1);
    EXPECT(OOPS_ERR_RANGE, oops_vector_local_to_global(v, own));
}

static void check_vectors(OopsTopology *t)
{
    static const int sizes[] = {0, 3, 17};
    for (int s = 0; s < 3; s++) {
        OopsDistribution *d[2];
        OopsVector *v;
        GOOD(oops_distribution_blocked_new(sizes[s], size, &d[0]));
        GOOD(oops_distribution_cyclic_new(sizes[s], size, 2, &d[1]));
        for (int k = 0; k < 2; k++) {
            GOOD(oops_vector_new(t, d[k], OOPS_INT, 3, 0, &v));
            check_places(v, sizes[s], false);
            check_load_and_store(v, sizes[s], 3);
            GOOD(oops_vector_sync_ghosts_cart(v)); /* without ghosts: nothing */
            GOOD(oops_vector_free(v));
            GOOD(oops_distribution_free(d[k]));
        }
        GOOD(oops_vector_repl_new(t, sizes[s], OOPS_INT, 2, &v));
        EXPECT(sizes[s], oops_vector_local_size(v));
        check_places(v, sizes[s], true);
        check_load_and_store(v, sizes[s], 2);
        GOOD(oops_vector_free(v));
        for (int owner = 0; owner < size; owner++) {
            GOOD(oops_vector_sequ_new(t, sizes[s], OOPS_INT, 2, owner, &v));
            EXPECT(rank == owner ? sizes[s] : 0, oops_vector_local_size(v));
            check_places(v, sizes[s], false);
            check_load_and_store(v, sizes[s], 2);
            GOOD(oops_vector_free(v));
        }
    }
}

/* Own elements are their numbers in the whole; the ghosts become those before and behind, -1 beyond an open end. */
static void check_vector_ghosts(OopsTopology *t, bool closed)
{
    const int elements = 13;
    for (int ghosts = 1; ghosts <= 3; ghosts++) {
        OopsDistribution *d;
        OopsVector *v;
        GOOD(oops_distribution_blocked_new(elements, size, &d));
        GOOD(oops_vector_new(t, d, OOPS_DOUBLE, 2, ghosts, &v));
        double *data = oops_vector_data(v);
        int own = oops_vector_local_size(v), first = oops_vector_local_to_global(v, 0);
        for (int i = -ghosts; i < own + ghosts; i++)
            data[2 * i] = data[2 * i + 1] = i < 0 || i >= own ? -1 : first + i;
        GOOD(oops_vector_sync_ghosts_cart(v));
        for (int i = -ghosts; i < own + ghosts; i++) {
            int g = first + i;
            EXPECT(g >= 0 && g < elements ? g : closed ? (g + elements) % elements : -1, data[2 * i + 1]);
        }
        GOOD(oops_vector_free(v));
        GOOD(oops_distribution_free(d));
    }
}

/* --- matrices --- */

enum { ROWS = 9, COLS = 11 };

static double cell(int row, int col)
{
    return 100 * ((row + ROWS) % ROWS) + (col + COLS) % COLS;
}

static void check_matrix_values(OopsMatrix *m)
{
    double whole[ROWS][COLS], *data = oops_matrix_data(m);
    int rows, cols, stride = oops_matrix_stride(m);
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            whole[i][j] = rank == size - 1 ? cell(i, j) : -1;
    GOOD(oops_matrix_load(m, whole, size - 1));
    GOOD(oops_matrix_local_size(m, &rows, &cols));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            int row = i, col = j, owner;
            GOOD(oops_matrix_local_to_global(m, &row, &col));
            EXPECT(cell(row, col), data[i * stride + j]);
            data[i * stride + j] += 0.5;
            GOOD(oops_matrix_global_to_local(m, &row, &col, &owner));
            EXPECT(1, row == i && col == j && owner == rank);
        }
    memset(whole, 0, sizeof whole);
    GOOD(oops_matrix_store(m, whole, 0));
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLS; j++)
            EXPECT(rank == 0 ? cell(i, j) + 0.5 : 0, whole[i][j]);
}

/* Cells that no process has get what the program writes there: -1. */
static void check_matrix_ghosts(OopsMatrix *m, int ghosts, bool closed, bool flat)
{
    double *data = oops_matrix_data(m);
    int rows, cols, stride = oops_matrix_stride(m), row = 0, col = 0;
    GOOD(oops_matrix_local_size(m, &rows, &cols));
    GOOD(oops_matrix_local_to_global(m, &row, &col));
    for (int i = -ghosts; i < rows + ghosts; i++)
        for (int j = -ghosts; j < cols + ghosts; j++)
            data[i * stride + j] = i < 0 || i >= rows || j < 0 || j >= cols ? -1 : cell(row + i, col + j);
    GOOD(oops_matrix_sync_ghosts_cart(m));
    for (int i = -ghosts; i < rows + ghosts; i++)
        for (int j = -ghosts; j < cols + ghosts; j++) {
            bool outside = row + i < 0 || row + i >= ROWS || col + j < 0 || col + j >= COLS || (flat && (i < 0 || i >= rows));
            EXPECT(outside && !closed ? -1 : cell(row + i, col + j), data[i * stride + j]);
        }
}

static void check_matrices(OopsTopology *t, bool closed, bool flat)
{
    for (int ghosts = 0; ghosts <= 2; ghosts++) {
        OopsMatrix *m;
        GOOD(oops_matrix_new(t, ROWS, COLS, OOPS_DOUBLE, ghosts, &m));
        check_matrix_values(m);
        check_matrix_ghosts(m, ghosts, closed, flat);
        GOOD(oops_matrix_free(m));
    }
}

/* A grid as square as can be, a torus, and a torus of a single column, whose members are their own west and east. */
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

/* --- errors --- */

static void check_errors(OopsGroup *g)
{
    char text[OOPS_ERROR_TEXT];
    OopsTopology *t, *plain;
    OopsDistribution *d;
    OopsVector *v;
    OopsMatrix *m;
    OopsPartner *p;
    OopsWorkgroup *w;
    int one = 1, result;
    EXPECT(OOPS_ERR_OBJECT, oops_group_bcast(NULL, &one, 1, OOPS_INT, 0));
    EXPECT(OOPS_ERR_TYPE, oops_group_bcast(g, &one, 1, OOPS_TYPES, 0));
    EXPECT(OOPS_ERR_TYPE, oops_group_scan(g, &one, &result, 1, OOPS_INT, OOPS_OPS));
    EXPECT(OOPS_ERR_RANGE, oops_group_bcast(g, &one, 1, OOPS_INT, size));
    EXPECT(OOPS_ERR_RANGE, oops_group_bcast(g, &one, 1, OOPS_INT, OOPS_ALL));
    EXPECT(OOPS_ERR_RANGE, oops_group_reduce(g, &one, &result, 1, OOPS_INT, OOPS_SUM, OOPS_ALL));
    EXPECT(OOPS_ERR_RANGE, oops_group_send(g, &one, 1, OOPS_INT, 0, OOPS_TAG_MAX + 1));
    EXPECT(OOPS_ERR_RANGE, oops_group_recv(g, &one, 1, OOPS_INT, size, 0));
    EXPECT(OOPS_ERR_RANGE, oops_group_is_in_group(g, size));
    EXPECT(OOPS_ERR_RANGE, oops_partner_new(g, -1, &p));
    EXPECT(OOPS_ERR_RANGE, oops_workgroup_new(g, size + 1, &w));
    EXPECT(1, p == NULL && w == NULL);
    EXPECT(OOPS_ERR_RANGE, oops_topology_grid_new(g, size + 1, &t));
    EXPECT(OOPS_ERR_OBJECT, oops_topology_grid_new(NULL, 1, &t));
    GOOD(oops_topology_plain_new(g, &plain));
    GOOD(oops_distribution_cyclic_new(20, size, 1, &d));
    EXPECT(OOPS_ERR_SHAPE, oops_vector_new(plain, d, OOPS_INT, 1, 1, &v));
    EXPECT(OOPS_ERR_RANGE, oops_vector_new(plain, d, OOPS_INT, 0, 0, &v));
    EXPECT(OOPS_ERR_TYPE, oops_vector_new(plain, d, OOPS_TYPES, 1, 0, &v));
    EXPECT(OOPS_ERR_RANGE, oops_vector_repl_new(plain, 1 << 30, OOPS_CHAR, 2, &v));
    EXPECT(OOPS_ERR_RANGE, oops_vector_sequ_new(plain, 1, OOPS_CHAR, 2, size, &v));
    GOOD(oops_distribution_free(d));
    GOOD(oops_distribution_blocked_new(20, size + 1, &d));
    EXPECT(OOPS_ERR_SHAPE, oops_vector_new(plain, d, OOPS_INT, 1, 0, &v));
    EXPECT(OOPS_ERR_SHAPE, oops_matrix_new(plain, 5, 5, OOPS_INT, 0, &m));
    EXPECT(1, v == NULL && m == NULL);
    GOOD(oops_distribution_free(d));
    GOOD(oops_topology_free(plain));
    GOOD(oops_topology_linear_new(g, &t));
    GOOD(oops_distribution_blocked_new(2 * size - 1, size, &d));
    EXPECT(OOPS_ERR_SHAPE, oops_vector_new(t, d, OOPS_INT, 1, 2, &v)); /* the last part has one element */
    EXPECT(OOPS_ERR_SHAPE, oops_matrix_new(t, 5, 2 * size - 1, OOPS_INT, 2, &m));
    GOOD(oops_distribution_free(d));
    GOOD(oops_topology_free(t));
    GOOD(oops_group_free(NULL) + oops_topology_free(NULL) + oops_vector_free(NULL) + oops_matrix_free(NULL) +
         oops_workgroup_free(NULL) + oops_partner_free(NULL));
    EXPECT(0, strcmp(oops_error_text(OOPS_ERR_SHAPE, text), "OOPS: the objects do not fit together"));
    EXPECT(0, strcmp(oops_error_text(-99, text), "unknown error -99"));
    EXPECT(1, strstr(oops_error_text(MPI_ERR_COUNT, text), "count") != NULL);
}

/* MPI's own errors come back as they are, where MPI returns them at all. */
static void check_mpi_errors(OopsGroup *g)
{
    int one = 1, class = MPI_SUCCESS;
    MPI_Comm_set_errhandler(oops_group_comm(g), MPI_ERRORS_RETURN);
    int error = oops_group_bcast(g, &one, -1, OOPS_INT, 0);
    EXPECT(1, error > 0);
    MPI_Error_class(error, &class);
    EXPECT(MPI_ERR_COUNT, class);
    MPI_Comm_set_errhandler(oops_group_comm(g), MPI_ERRORS_ARE_FATAL);
}

int main(int argc, char *argv[])
{
    OopsGroup *world;
    GOOD(oops_init(&argc, &argv));
    GOOD(oops_init(NULL, NULL)); /* once is enough */
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
