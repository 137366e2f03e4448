/* Functions that hiera-transform needs of MPI. libhiera-parallel-NAME.so defines them, a library for each MPI:
 * mpi_transport.c. Errors of MPI end the program, as MPI does by default. Waiting does not occupy a CPU for long. */
#pragma once

#include <stddef.h>

typedef struct {
    /* Initialize MPI. @param beside  becomes how many of the `size` processes are on this host */
    void (*begin)(int *rank, int *size, int *beside);
    /* Broadcast n bytes from process 0 to all other processes. */
    void (*broadcast)(void *bytes, size_t n);
    /* Send to process `to`; receive from process `from`. A send may wait until the message is received. */
    void (*send)(int to, const void *bytes, size_t n);
    void (*receive)(int from, void *bytes, size_t n);
    /* Finalize MPI, together with all other processes. */
    void (*end)(void);
} HieraTransport;

/* Name of the symbol in libhiera-parallel-NAME.so that is the HieraTransport. */
#define HIERA_TRANSPORT "hiera_transport"
