/* Matrices: the places of their cells, and their ghosts. */
#include "oops_checks.h"

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

/* Ghost cells without a neighbour keep what the program writes there: -1. */
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

void check_matrices(OopsTopology *t, bool closed, bool flat)
{
    for (int ghosts = 0; ghosts <= 2; ghosts++) {
        OopsMatrix *m;
        GOOD(oops_matrix_new(t, ROWS, COLS, OOPS_DOUBLE, ghosts, &m));
        check_matrix_values(m);
        check_matrix_ghosts(m, ghosts, closed, flat);
        GOOD(oops_matrix_free(m));
    }
}
