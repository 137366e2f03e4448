/* Room of a thread for what must be remembered of a list of requests while MPI completes it. It is as long as the
 * longest list so far and kept for the next one, until the thread ends: a call that completes requests allocates
 * nothing. Only an outermost call may use it. */
#ifndef HIERA_REQUEST_SCRATCH_H
#define HIERA_REQUEST_SCRATCH_H

#include "pending.h"

#include <mpi.h>

/* INTEGERs of a status as Fortran has it. */
#ifdef MPI_F_STATUS_SIZE
enum { HIERA_FORTRAN_STATUS = MPI_F_STATUS_SIZE };
#else
enum { HIERA_FORTRAN_STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
#endif
typedef struct HieraScratch {
    int64_t count; /* so many of each */
    HieraPending *pending;
    MPI_Status *statuses;
    /* Of a call from Fortran, as C would have them, and the statuses as Fortran has them. */
    MPI_Request *requests;
    int *indices;
    MPI_Fint *fortran_statuses;
} HieraScratch;

/* Room for `count` requests; what was in it stays, unless it was shorter. NULL: no memory. */
const HieraScratch *hiera_scratch(int64_t count);

/* The thread ends. */
void hiera_scratch_end_thread(void);

#endif
