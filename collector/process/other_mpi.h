/* A program of another MPI than this library's: what a rank starts inherits the preload, and a script may start jobs of
 * several MPIs. Handles and constants differ between MPIs, so no call may pass through here. */
#ifndef HIERA_OTHER_MPI_H
#define HIERA_OTHER_MPI_H

#include <stdbool.h>

/* If the program is linked with another MPI, start it again with the libhiera of that MPI, or without any: before its
 * main, and as the same process. Returns only if this program is none, or cannot be started again: then true. */
bool hiera_other_mpi_leave(void);

/* Before MPI_Init: say so if the program has loaded another MPI while it ran (dlopen). */
void hiera_other_mpi_complain(void);

#endif
