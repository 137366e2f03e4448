/* End of the counters of MPI. */
#ifndef HIERA_MPI_COUNTERS_H
#define HIERA_MPI_COUNTERS_H

/* Called in MPI_Finalize: store the values of MPI's counters for later readers. */
void hiera_mpi_counters_end(void);

#endif
