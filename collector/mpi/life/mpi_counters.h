/* What MPI's own counters (MPI_T) need in MPI_Finalize. */
#pragma once

/* Called in MPI_Finalize: save the last values of MPI's counters, which are returned from then on. */
void hiera_mpi_counters_end(void);
