/* A product of two square matrices, its rows shared out evenly: rank 0 tells each other rank its rows, computes its
 * own, and is told when the others are done. Each rank writes its rows to a file of its own, as in table 4.2 of Calzeta
 * and de Souza (2008).
 *
 * usage: matrix [N [TIMES [FOLDER]]]: the product is made so many times */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 2000 };

static double left[MOST * MOST], right[MOST * MOST], product[MOST * MOST];

static double processor_time(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void multiply(int n, int from, int to)
{
    for (int row = from; row < to; row++) {
        for (int column = 0; column < n; column++) {
            double sum = 0;
            for (int k = 0; k < n; k++)
                sum += left[row * n + k] * right[k * n + column];
            product[row * n + column] = sum;
        }
    }
}

static void fill(int n)
{
    for (int row = 0; row < n; row++) {
        for (int column = 0; column < n; column++) {
            left[row * n + column] = row + column;
            right[row * n + column] = row - column;
        }
    }
}

static void write_rows(const char *folder, int rank, int n, int from, int to)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/rows-%d", folder, rank);
    FILE *file = fopen(path, "wb");
    if (!file)
        return;
    for (int row = from; row < to; row++)
        fwrite(&product[row * n], sizeof(double), (size_t)n, file);
    fclose(file);
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 400, times = argc > 2 ? atoi(argv[2]) : 1, rank, size, rows[2];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    fill(n);
    for (int other = 1; rank == 0 && other < size; other++) {
        rows[0] = n * other / size;
        rows[1] = n * (other + 1) / size;
        MPI_Send(rows, 2, MPI_INT, other, 1, MPI_COMM_WORLD);
    }
    if (rank == 0) {
        rows[0] = 0;
        rows[1] = n / size;
    } else {
        MPI_Recv(rows, 2, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    double begin = processor_time();
    for (int i = 0; i < times; i++)
        multiply(n, rows[0], rows[1]);
    printf("rank %d computed %.6f s\n", rank, processor_time() - begin);
    if (argc > 3)
        write_rows(argv[3], rank, n, rows[0], rows[1]);
    if (rank != 0)
        MPI_Send(rows, 2, MPI_INT, 0, 2, MPI_COMM_WORLD);
    for (int other = 1; rank == 0 && other < size; other++)
        MPI_Recv(rows, 2, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
