/* What hiera-transform asks of MPI. libhiera-parallel-NAME.so defines it, a library for each MPI: mpi_transport.c.
 * Errors of MPI end the program, as MPI does by default. Waiting takes no processor from others for long. */
#ifndef HIERA_TRANSPORT_H
#define HIERA_TRANSPORT_H

#include <stddef.h>

typedef struct {
    /* Initialize MPI. @param beside  becomes the number of processes of this host, of `size` in all */
    void (*begin)(int *rank, int *size, int *beside);
    /* To all, from process 0. */
    void (*broadcast)(void *bytes, size_t n);
    /* To another one, and there. A send may wait until it is received. */
    void (*send)(int to, const void *bytes, size_t n);
    void (*receive)(int from, void *bytes, size_t n);
    /* Finalize MPI, together with all others. */
    void (*end)(void);
} HieraTransport;

/* The name of the table in the library. */
#define HIERA_TRANSPORT "hiera_transport"

#endif
