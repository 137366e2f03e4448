/* Counters of MPI when it ends. */
#ifndef HIERA_MPI_COUNTERS_H
#define HIERA_MPI_COUNTERS_H

/* In MPI_Finalize: keep the values that counters of MPI have, for who reads them later. */
void hiera_mpi_counters_end(void);

#endif
