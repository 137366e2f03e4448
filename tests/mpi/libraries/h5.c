/* All ranks write a file with HDF5: each one row of a matrix. Then each rank reads the row of the next rank. */
#include <hdf5.h>
#include <mpi.h>
#include <stdio.h>

enum { WIDTH = 64 };

int main(int argc, char **argv)
{
    int rank, size;
    double row[WIDTH];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < WIDTH; i++)
        row[i] = rank + i / 100.0;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS), transfer = H5Pcreate(H5P_DATASET_XFER);
    H5Pset_fapl_mpio(access, MPI_COMM_WORLD, MPI_INFO_NULL);
    H5Pset_dxpl_mpio(transfer, H5FD_MPIO_COLLECTIVE);
    hid_t file = H5Fcreate("rows.h5", H5F_ACC_TRUNC, H5P_DEFAULT, access);
    hsize_t all[2] = {(hsize_t)size, WIDTH}, own[2] = {1, WIDTH}, start[2] = {(hsize_t)rank, 0};
    hid_t space = H5Screate_simple(2, all, NULL), memory = H5Screate_simple(2, own, NULL);
    hid_t group = H5Gcreate2(file, "results", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t set = H5Dcreate2(group, "rows", H5T_NATIVE_DOUBLE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, own, NULL);
    H5Dwrite(set, H5T_NATIVE_DOUBLE, memory, space, transfer, row);
    H5Fflush(file, H5F_SCOPE_GLOBAL);
    MPI_Barrier(MPI_COMM_WORLD);
    start[0] = (hsize_t)((rank + 1) % size);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, own, NULL);
    H5Dread(set, H5T_NATIVE_DOUBLE, memory, space, transfer, row);
    H5Dclose(set);
    H5Gclose(group);
    H5Fclose(file);
    double sum = 0, total = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += row[i];
    MPI_Reduce(&sum, &total, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %.2f\n", total);
    MPI_Finalize();
    return 0;
}
