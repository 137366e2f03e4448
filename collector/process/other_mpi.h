/* A program that uses another MPI than this library. A process that a rank starts inherits the preload, and a script
 * may start jobs of several MPIs. Handles and constants differ between MPIs, so no call may pass through this library.
 */
#pragma once

#include <stdbool.h>

/* If the program is linked with another MPI, start it again with the libhiera of that MPI, or without libhiera: before
 * its main, and in the same process. Returns only if the program uses this MPI, or cannot be started again: then true.
 */
bool hiera_other_mpi_leave(void);

/* Print a message if the program has loaded another MPI by dlopen(). Called before MPI_Init. */
void hiera_other_mpi_complain(void);
