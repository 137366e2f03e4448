/* A transform by FFTW with MPI, forward and backward. The result is the input times its length. Hiera is not used. */
#include <fftw3-mpi.h>

#include <math.h>
#include <stdio.h>

enum { ROWS = 32, COLUMNS = 16 };

int main(int argc, char **argv)
{
    int rank;
    double worst = 0, all = 0, corner = 0;
    ptrdiff_t rows, first;
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    ptrdiff_t room = fftw_mpi_local_size_2d(ROWS, COLUMNS, MPI_COMM_WORLD, &rows, &first);
    fftw_complex *data = fftw_alloc_complex((size_t)room);
    fftw_plan forward = fftw_mpi_plan_dft_2d(ROWS, COLUMNS, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    fftw_plan backward = fftw_mpi_plan_dft_2d(ROWS, COLUMNS, data, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (ptrdiff_t i = 0; i < rows * COLUMNS; i++) {
        data[i][0] = (double)(first * COLUMNS + i);
        data[i][1] = 1;
    }
    fftw_execute(forward);
    corner = first == 0 && rows > 0 ? data[0][0] : 0;
    fftw_mpi_execute_dft(backward, data, data);
    for (ptrdiff_t i = 0; i < rows * COLUMNS; i++)
        worst = fmax(worst, fabs(data[i][0] / (ROWS * COLUMNS) - (double)(first * COLUMNS + i)));
    MPI_Reduce(&worst, &all, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.12g, right to %d digits\n", corner, all < 1e-9 ? 9 : 0);
    fftw_destroy_plan(forward);
    fftw_destroy_plan(backward);
    fftw_free(data);
    fftw_mpi_cleanup();
    MPI_Finalize();
    return all < 1e-9 ? 0 : 1;
}
