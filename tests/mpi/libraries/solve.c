/* A linear system with a known solution (x_i = i), solved by ScaLAPACK on a grid of processes. Hiera is not used. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

void Cblacs_pinfo(int *rank, int *size);
void Cblacs_get(int context, int what, int *value);
void Cblacs_gridinit(int *context, const char *order, int rows, int columns);
void Cblacs_gridinfo(int context, int *rows, int *columns, int *row, int *column);
void Cblacs_barrier(int context, const char *scope);
void Cblacs_gridexit(int context);
void Cblacs_exit(int go_on);
int numroc_(const int *n, const int *block, const int *process, const int *first, const int *processes);
void descinit_(int *desc, const int *m, const int *n, const int *mb, const int *nb, const int *row, const int *column,
               const int *context, const int *leading, int *info);
void pdelset_(double *a, const int *i, const int *j, const int *desc, const double *value);
void pdelget_(const char *scope, const char *top, double *value, const double *a, const int *i, const int *j, const int *desc,
              size_t scope_length, size_t top_length);
void pdgesv_(const int *n, const int *nrhs, double *a, const int *ia, const int *ja, const int *desca, int *pivots, double *b,
             const int *ib, const int *jb, const int *descb, int *info);
double pdlange_(const char *norm, const int *m, const int *n, const double *a, const int *ia, const int *ja, const int *desca,
                double *work, size_t norm_length);

enum { BLOCK = 4 };

static const int zero = 0, one = 1, block = BLOCK;

static double *matrix(int *desc, int rows, int columns, int context)
{
    int nprow, npcol, row, column, info;
    Cblacs_gridinfo(context, &nprow, &npcol, &row, &column);
    int m = numroc_(&rows, &block, &row, &zero, &nprow), n = numroc_(&columns, &block, &column, &zero, &npcol);
    int leading = m > 0 ? m : 1;
    descinit_(desc, &rows, &columns, &block, &block, &zero, &zero, &context, &leading, &info);
    return calloc((size_t)leading * (size_t)(n > 0 ? n : 1), sizeof(double));
}

static double element(int i, int j, int n)
{
    return i == j ? n : 1.0 / (1 + abs(i - j));
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 24, rank, size, context, desca[9], descb[9], info;
    Cblacs_pinfo(&rank, &size);
    int rows = size % 2 == 0 ? 2 : 1;
    Cblacs_get(-1, 0, &context);
    Cblacs_gridinit(&context, "Row", rows, size / rows);
    Cblacs_barrier(context, "All"); /* its last call, to MPI, is a jump */
    double *a = matrix(desca, n, n, context), *b = matrix(descb, n, 1, context), *work = calloc((size_t)n, sizeof(double));
    int *pivots = calloc((size_t)n + BLOCK, sizeof(int));
    for (int i = 1; i <= n; i++) {
        double sum = 0;
        for (int j = 1; j <= n; j++) {
            double value = element(i, j, n);
            pdelset_(a, &i, &j, desca, &value);
            sum += value * j;
        }
        pdelset_(b, &i, &one, descb, &sum);
    }
    pdgesv_(&n, &one, a, &one, &one, desca, pivots, b, &one, &one, descb, &info);
    double norm = pdlange_("F", &n, &one, b, &one, &one, descb, work, 1), last;
    pdelget_("All", " ", &last, b, &n, &one, descb, 3, 1);
    if (rank == 0)
        printf("info %d norm %.12g last %.12g\n", info, norm, last);
    free(a), free(b), free(work), free(pivots);
    Cblacs_gridexit(context);
    Cblacs_exit(0);
    return fabs(last - n) < 1e-9 * n && fabs(norm * norm - n * (n + 1.0) * (2 * n + 1) / 6) < 1e-6 * norm * norm ? 0 : 1;
}
