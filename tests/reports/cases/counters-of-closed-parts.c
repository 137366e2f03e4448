/* Variables of MPI whose part MPI has closed: Open MPI reads some of them from memory that is no longer there.
 *
 * ingredient: HIERA_COUNTERS names variables of parts of Open MPI that are not in use, by name and by pattern
 * source: found from outside, R8
 * mpi: openmpi
 * run: for names in 'mpi:*' 'mpi:cvar/*' 'mpi:cvar/*ucx*,mpi:cvar/mtl*' mpi:cvar/opal_common_ucx_verbose,mpi:cvar/mtl_ofi_verbose mpi:mtl_psm2_tx_num; do HIERA_COUNTERS="$names" hiera-run mpirun -n 2 ./app || exit; done
 * timeout: 120
 * expect: says mpi:\*: it stands for too many counters
 * expect: says there is no counter mpi:mtl_psm2_tx_num: MPI 
 * expect: never signal 11|Segmentation */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    MPI_File file;
    MPI_Comm grid;
    int size, rank, sizes[1] = {0}, periods[1] = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Dims_create(size, 1, sizes);
    MPI_Cart_create(MPI_COMM_WORLD, 1, sizes, periods, 0, &grid); /* parts that come late, and some that go again */
    MPI_File_open(grid, "file", MPI_MODE_CREATE | MPI_MODE_WRONLY, MPI_INFO_NULL, &file);
    MPI_File_close(&file);
    MPI_Comm_free(&grid);
    printf("rank %d ends\n", rank);
    MPI_Finalize();
    return 0;
}
