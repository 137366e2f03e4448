/* End of the counters of MPI. */
#pragma once

/* Called in MPI_Finalize: store the values of MPI's counters for later readers. */
void hiera_mpi_counters_end(void);
