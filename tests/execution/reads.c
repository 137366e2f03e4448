/* Writes to a file and reads from it. */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char *argv[])
{
    int rank, numbers[4] = {1, 2, 3, 4};
    char name[256];
    MPI_File file;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(name, sizeof name, "%s.data", argv[0]);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    MPI_File_set_view(file, rank * (MPI_Offset)sizeof numbers, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    MPI_File_write_at_all(file, 0, numbers, 4, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, 1, numbers, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_all(file, numbers, 2, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file, 0, numbers, 4, MPI_INT);
    MPI_File_read_at_all_end(file, numbers, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
