/* Ranks write to a file, each for itself and together. */
#include <mpi.h>

static int numbers[65536];

int main(int argc, char **argv)
{
    int rank, size;
    MPI_File file;
    MPI_Request request;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_File_open(MPI_COMM_WORLD, "written", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_write_at(file, rank * 4096, numbers, 1000 * (rank + 1), MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_iwrite_at(file, rank * 4096, numbers, 500, MPI_INT, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_write_at_all(file, rank * 4096, numbers, 250 * (rank + 1), MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
