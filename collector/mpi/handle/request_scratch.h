/* Scratch memory of a thread: it has the requests of a list while MPI completes them. It is kept until the thread ends
 * and grows with the longest list, so most calls allocate nothing. Only an outermost call may use it. */
#ifndef HIERA_REQUEST_SCRATCH_H
#define HIERA_REQUEST_SCRATCH_H

#include "pending.h"

#include <mpi.h>

/* Number of INTEGERs in a Fortran status. */
#ifdef MPI_F_STATUS_SIZE
enum { HIERA_FORTRAN_STATUS = MPI_F_STATUS_SIZE };
#else
enum { HIERA_FORTRAN_STATUS = sizeof(MPI_Status) / sizeof(MPI_Fint) };
#endif
typedef struct HieraScratch {
    int64_t count; /* number of elements of each array */
    HieraPending *pending;
    MPI_Status *statuses;
    /* For calls from Fortran: requests and indices as in C, and statuses as in Fortran. */
    MPI_Request *requests;
    int *indices;
    MPI_Fint *fortran_statuses;
} HieraScratch;

/* Scratch memory for `count` requests. Its contents stay, unless it has to grow. NULL if there is no memory. */
const HieraScratch *hiera_scratch(int64_t count);

/* Free the scratch memory: the thread ends. */
void hiera_scratch_end_thread(void);

#endif
