/* Matrix: a block for each process of a grid, with a frame of ghosts. Hides where elements are stored. */
#include "internal.h"

#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct OopsMatrix {
    OopsTopology *topology;
    /* Distribution of rows over the topology's rows; of columns over its columns. */
    OopsDistribution *over_rows, *over_cols;
    OopsType type;
    int ghosts;
    int rows, cols, stride; /* number of own rows and columns; distance between two rows in memory, in elements */
    size_t bytes;           /* size of an element in bytes */
    char *memory;
    char *edges; /* buffer for the exchange: two times `ghosts` columns to send, and two times to receive, with the
                    height of the frame */
};

static int part_row(const OopsMatrix *m)
{
    int row;
    oops_topology_place(m->topology, &row, NULL);
    return row;
}

static int part_col(const OopsMatrix *m)
{
    int col;
    oops_topology_place(m->topology, NULL, &col);
    return col;
}

/* Return the address of own element (row, col); negative or larger numbers: of a ghost. */
static char *at(const OopsMatrix *m, int row, int col)
{
    ptrdiff_t index = (ptrdiff_t)(row + m->ghosts) * m->stride + col + m->ghosts;
    return m->memory + index * (ptrdiff_t)m->bytes;
}

static size_t edge_bytes(const OopsMatrix *m)
{
    return (size_t)(m->rows + 2 * m->ghosts) * (size_t)m->ghosts * m->bytes;
}

static void clear_away(OopsMatrix *m)
{
    if (!m)
        return;
    oops_distribution_free(m->over_rows);
    oops_distribution_free(m->over_cols);
    free(m->memory);
    free(m->edges);
    free(m);
}

/* Check that the last block, which is the smallest one, has at least as many rows and columns as there are ghosts. */
static int check_blocks(const OopsMatrix *m, int grid_rows, int grid_cols)
{
    bool fit = oops_distribution_local_size(m->over_rows, grid_rows - 1) >= m->ghosts &&
               oops_distribution_local_size(m->over_cols, grid_cols - 1) >= m->ghosts;
    return m->ghosts == 0 || fit ? OOPS_SUCCESS : OOPS_ERR_SHAPE;
}

static int divide(OopsMatrix *m, int rows, int cols)
{
    int grid_rows, grid_cols;
    oops_topology_shape(m->topology, &grid_rows, &grid_cols);
    int error = oops_distribution_blocked_new(rows, grid_rows, &m->over_rows);
    if (!error)
        error = oops_distribution_blocked_new(cols, grid_cols, &m->over_cols);
    if (!error)
        error = check_blocks(m, grid_rows, grid_cols);
    if (error)
        return error;
    m->rows = oops_distribution_local_size(m->over_rows, part_row(m));
    m->cols = oops_distribution_local_size(m->over_cols, part_col(m));
    m->stride = m->cols + 2 * m->ghosts;
    m->memory = calloc((size_t)(m->rows + 2 * m->ghosts) * (size_t)m->stride + 1, m->bytes);
    m->edges = malloc(4 * edge_bytes(m) + 1);
    return m->memory && m->edges ? OOPS_SUCCESS : OOPS_ERR_MEMORY;
}

int oops_matrix_new(OopsTopology *topology, int rows, int cols, OopsType type, int ghosts, OopsMatrix **matrix)
{
    HIERA_CALL("oops", "Matrix::Matrix", "rows=%d cols=%d ghosts=%d", rows, cols, ghosts);
    if (!topology || !matrix)
        return OOPS_ERR_OBJECT;
    *matrix = NULL;
    if (oops_type_bytes(type) == 0)
        return OOPS_ERR_TYPE;
    if (rows < 0 || cols < 0 || ghosts < 0 || (long long)rows * cols > INT_MAX)
        return OOPS_ERR_RANGE;
    if (!oops_topology_is_cartesian(topology))
        return OOPS_ERR_SHAPE;
    OopsMatrix *m = malloc(sizeof *m);
    if (!m)
        return OOPS_ERR_MEMORY;
    *m = (OopsMatrix){.topology = topology, .type = type, .ghosts = ghosts, .bytes = (size_t)oops_type_bytes(type)};
    int error = divide(m, rows, cols);
    if (error)
        clear_away(m);
    else
        *matrix = m;
    return error;
}

int oops_matrix_free(OopsMatrix *m)
{
    HIERA_CALL("oops", "Matrix::free", NULL);
    clear_away(m);
    return OOPS_SUCCESS;
}

/* --- where elements of the matrix are stored --- */

void *oops_matrix_data(OopsMatrix *m)
{
    return m ? at(m, 0, 0) : NULL;
}

int oops_matrix_stride(const OopsMatrix *m)
{
    return m ? m->stride : OOPS_ERR_OBJECT;
}

int oops_matrix_local_size(OopsMatrix *m, int *rows, int *cols)
{
    HIERA_CALL("oops", "Matrix::localSize", NULL);
    if (!m || !rows || !cols)
        return OOPS_ERR_OBJECT;
    *rows = m->rows;
    *cols = m->cols;
    return OOPS_SUCCESS;
}

int oops_matrix_local_to_global(OopsMatrix *m, int *row, int *col)
{
    HIERA_CALL("oops", "Matrix::localToGlobal", NULL);
    if (!m || !row || !col)
        return OOPS_ERR_OBJECT;
    int global_row = oops_distribution_local_to_global(m->over_rows, part_row(m), *row);
    int global_col = oops_distribution_local_to_global(m->over_cols, part_col(m), *col);
    if (global_row < 0 || global_col < 0)
        return OOPS_ERR_RANGE;
    *row = global_row;
    *col = global_col;
    return OOPS_SUCCESS;
}

int oops_matrix_global_to_local(OopsMatrix *m, int *row, int *col, int *rank)
{
    HIERA_CALL("oops", "Matrix::globalToLocal", NULL);
    int grid_row, grid_col, local_row, local_col;
    if (!m || !row || !col || !rank)
        return OOPS_ERR_OBJECT;
    int error = oops_distribution_global_to_local(m->over_rows, *row, &grid_row, &local_row);
    if (!error)
        error = oops_distribution_global_to_local(m->over_cols, *col, &grid_col, &local_col);
    if (error)
        return error;
    *row = local_row;
    *col = local_col;
    *rank = oops_topology_rank_at(m->topology, grid_row, grid_col);
    return OOPS_SUCCESS;
}

/* --- filling the matrix from one array, and writing it to one --- */

/* The part of the whole matrix that a member has: its first row and column, its numbers of rows and columns. */
typedef struct Block {
    int row, col, rows, cols;
} Block;

static int begin_of(OopsDistribution *over, int part, int count)
{
    return count > 0 ? oops_distribution_local_to_global(over, part, 0) : 0;
}

static Block block_of(const OopsMatrix *m, int rank)
{
    int grid_cols;
    oops_topology_shape(m->topology, NULL, &grid_cols);
    int grid_row = rank / grid_cols, grid_col = rank % grid_cols;
    Block block = {.rows = oops_distribution_local_size(m->over_rows, grid_row),
                   .cols = oops_distribution_local_size(m->over_cols, grid_col)};
    block.row = begin_of(m->over_rows, grid_row, block.rows);
    block.col = begin_of(m->over_cols, grid_col, block.cols);
    return block;
}

/* Copy lines of `bytes` bytes each. to_step, from_step: distance between two lines in bytes. */
static void copy_lines(char *to, size_t to_step, const char *from, size_t from_step, int lines, size_t bytes)
{
    for (int i = 0; i < lines; i++)
        memcpy(to + (size_t)i * to_step, from + (size_t)i * from_step, bytes);
}

/* Buffers for sending or receiving the blocks of all members. */
typedef struct Parcel {
    char *parts, *own; /* on root: blocks of all members, one after the other; own block without its ghosts */
    int *counts;
} Parcel;

static void parcel_clear(Parcel *parcel)
{
    free(parcel->parts);
    free(parcel->own);
    free(parcel->counts);
}

static int parcel_init(Parcel *parcel, const OopsMatrix *m, int root)
{
    OopsGroup *group = oops_topology_group(m->topology);
    size_t all = (size_t)oops_distribution_size(m->over_rows) * (size_t)oops_distribution_size(m->over_cols);
    parcel->own = malloc((size_t)m->rows * (size_t)m->cols * m->bytes + 1);
    parcel->parts = group->rank == root ? malloc(all * m->bytes + 1) : NULL;
    parcel->counts = malloc((size_t)group->size * sizeof *parcel->counts);
    if (!parcel->own || !parcel->counts || (group->rank == root && !parcel->parts)) {
        parcel_clear(parcel);
        return OOPS_ERR_MEMORY;
    }
    for (int p = 0; p < group->size && group->rank == root; p++) {
        Block block = block_of(m, p);
        parcel->counts[p] = block.rows * block.cols;
    }
    return OOPS_SUCCESS;
}

/* Copy all blocks from the whole matrix `all` to `parts`, where they are one after the other, or back. */
static void sort_blocks(const OopsMatrix *m, char *all, char *parts, bool into_parts)
{
    size_t line = (size_t)oops_distribution_size(m->over_cols) * m->bytes;
    for (int p = 0; p < oops_topology_group(m->topology)->size; p++) {
        Block block = block_of(m, p);
        size_t width = (size_t)block.cols * m->bytes;
        char *corner = all + (size_t)block.row * line + (size_t)block.col * m->bytes;
        if (into_parts)
            copy_lines(parts, width, corner, line, block.rows, width);
        else
            copy_lines(corner, line, parts, width, block.rows, width);
        parts += (size_t)block.rows * width;
    }
}

static int check_root(const OopsMatrix *m, const void *all, int root)
{
    if (!m)
        return OOPS_ERR_OBJECT;
    OopsGroup *group = oops_topology_group(m->topology);
    if (root < 0 || root >= group->size)
        return OOPS_ERR_RANGE;
    return group->rank == root && !all ? OOPS_ERR_OBJECT : OOPS_SUCCESS;
}

int oops_matrix_load(OopsMatrix *m, const void *all, int root)
{
    HIERA_CALL("oops", "Matrix::load", "root=%d", root);
    Parcel parcel;
    int error = check_root(m, all, root);
    if (!error)
        error = parcel_init(&parcel, m, root);
    if (error)
        return error;
    size_t width = (size_t)m->cols * m->bytes;
    if (parcel.parts)
        sort_blocks(m, (char *)(uintptr_t)all, parcel.parts, true);
    error =
        oops_topology_scatter(m->topology, parcel.parts, parcel.counts, m->type, parcel.own, m->rows * m->cols, root);
    if (!error)
        copy_lines(at(m, 0, 0), (size_t)m->stride * m->bytes, parcel.own, width, m->rows, width);
    parcel_clear(&parcel);
    return error;
}

int oops_matrix_store(OopsMatrix *m, void *all, int root)
{
    HIERA_CALL("oops", "Matrix::store", "root=%d", root);
    Parcel parcel;
    int error = check_root(m, all, root);
    if (!error)
        error = parcel_init(&parcel, m, root);
    if (error)
        return error;
    size_t width = (size_t)m->cols * m->bytes;
    copy_lines(parcel.own, width, at(m, 0, 0), (size_t)m->stride * m->bytes, m->rows, width);
    error =
        oops_topology_gather(m->topology, parcel.own, m->rows * m->cols, m->type, parcel.parts, parcel.counts, root);
    if (!error && parcel.parts)
        sort_blocks(m, all, parcel.parts, false);
    parcel_clear(&parcel);
    return error;
}

/* --- exchange of ghosts --- */

/* Send columns, beginning at `own`, to the east or west; columns from the opposite side are received at `ghosts`. At an
 * open border nothing is received. Columns are not contiguous in memory, hence the copies. */
static int shift_columns(OopsMatrix *m, OopsDirection direction, int own, int ghosts)
{
    size_t step = (size_t)m->stride * m->bytes, width = (size_t)m->ghosts * m->bytes;
    char *out = m->edges, *in = m->edges + edge_bytes(m);
    copy_lines(out, width, at(m, 0, own), step, m->rows, width);
    int error = oops_ghosts_shift(m->topology, direction, out, in, (size_t)m->rows * width);
    if (!error && oops_topology_neighbour(m->topology, oops_direction_back(direction)) >= 0)
        copy_lines(at(m, 0, ghosts), step, in, width, m->rows, width);
    return error;
}

static int shift_rows(OopsMatrix *m, OopsDirection direction, int own, int ghosts)
{
    size_t bytes = (size_t)m->ghosts * (size_t)m->stride * m->bytes;
    return oops_ghosts_shift(m->topology, direction, at(m, own, -m->ghosts), at(m, ghosts, -m->ghosts), bytes);
}

/* Exchange columns, then rows with their ghosts: so corners arrive in two steps, through a neighbour. */
int oops_matrix_sync_ghosts_cart(OopsMatrix *m)
{
    HIERA_CALL("oops", "Matrix::syncGhostsCart", NULL);
    if (!m)
        return OOPS_ERR_OBJECT;
    if (m->ghosts == 0)
        return OOPS_SUCCESS;
    int error = shift_columns(m, OOPS_EAST, m->cols - m->ghosts, -m->ghosts);
    if (!error)
        error = shift_columns(m, OOPS_WEST, 0, m->cols);
    if (error || oops_topology_neighbour(m->topology, OOPS_NORTH) == OOPS_ERR_DIRECTION)
        return error;
    error = shift_rows(m, OOPS_SOUTH, m->rows - m->ghosts, -m->ghosts);
    return error ? error : shift_rows(m, OOPS_NORTH, 0, m->rows);
}
