/* Scratch memory of a thread: it has the requests of a list while MPI completes them. It is kept until the thread ends
 * and grows with the longest list, so most calls allocate nothing. Only an outermost call may use it. */
#ifndef HIERA_REQUEST_SCRATCH_H
#define HIERA_REQUEST_SCRATCH_H

#include "pending.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

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

extern __thread HieraScratch hiera_scratch_now __attribute__((tls_model("initial-exec")));
bool hiera_scratch_grow(int64_t count);

/* Scratch memory for `count` requests. Its contents stay, unless it has to grow. NULL if there is no memory. */
static inline const HieraScratch *hiera_scratch(int64_t count)
{
    HieraScratch *scratch = &hiera_scratch_now;
    return __builtin_expect(count <= scratch->count, 1) || hiera_scratch_grow(count) ? scratch : NULL;
}

/* Free the scratch memory: the thread ends. */
void hiera_scratch_end_thread(void);

#endif
