/* All ranks write a NetCDF file together, in the format that is based on HDF5. */
#include <mpi.h>
#include <netcdf.h>
#include <netcdf_par.h>
#include <stdio.h>

enum { WIDTH = 16 };

int main(int argc, char **argv)
{
    int rank, size, file, dimensions[2], temperature, values[WIDTH];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < WIDTH; i++)
        values[i] = rank * WIDTH + i;
    nc_create_par("fields.nc", NC_NETCDF4 | NC_CLOBBER, MPI_COMM_WORLD, MPI_INFO_NULL, &file);
    nc_def_dim(file, "rank", (size_t)size, &dimensions[0]);
    nc_def_dim(file, "place", WIDTH, &dimensions[1]);
    nc_def_var(file, "temperature", NC_INT, 2, dimensions, &temperature);
    nc_put_att_text(file, temperature, "units", 1, "K");
    nc_enddef(file);
    nc_var_par_access(file, temperature, NC_COLLECTIVE);
    size_t start[2] = {(size_t)rank, 0}, count[2] = {1, WIDTH};
    nc_put_vara_int(file, temperature, start, count, values);
    nc_sync(file);
    start[0] = (size_t)((rank + 1) % size);
    nc_get_vara_int(file, temperature, start, count, values);
    nc_close(file);
    int sum = 0, total = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += values[i];
    MPI_Reduce(&sum, &total, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", total);
    MPI_Finalize();
    return 0;
}
