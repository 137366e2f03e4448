/* Functions that hiera-transform needs of MPI. libhiera-parallel-NAME.so defines them, a library for each MPI:
 * mpi_transport.c. Errors of MPI end the program, as MPI does by default. Waiting does not occupy a CPU for long. */
#pragma once

#include <stddef.h>

typedef struct {
    /* Initialize MPI. @param beside  becomes the number of processes on this host, out of `size` */
    void (*begin)(int *rank, int *size, int *beside);
    /* Broadcast from process 0 to all. */
    void (*broadcast)(void *bytes, size_t n);
    /* Send to another process, and receive there. A send may wait until it is received. */
    void (*send)(int to, const void *bytes, size_t n);
    void (*receive)(int from, void *bytes, size_t n);
    /* Finalize MPI, together with all others. */
    void (*end)(void);
} HieraTransport;

/* Name of the table's symbol in the library. */
#define HIERA_TRANSPORT "hiera_transport"
