/* What hiera-predict calibrate asks of MPI: how long messages and collectives take. libhiera-parallel-NAME.so defines
 * it beside the transport: mpi_pings.c. Two processes exchange messages, the first and the last one. What is sent has
 * just been written, as in programs: where another processor copies it, it is slower than what has been sent before.
 * All functions are called by all processes with the same arguments, and all get the answer of process 0. */
#ifndef HIERA_PINGS_H
#define HIERA_PINGS_H

#include <stddef.h>

/* What is timed, n times: X(identifier, what). */
#define HIERA_PINGS(X)                                                                                                 \
    X(ROUND_TRIP, "half a round trip of blocking messages")                                                            \
    X(SEND, "a blocking send whose receive is posted before, or `delay_s` after it was allowed")                       \
    X(RECEIVE, "a blocking receive that begins `delay_s` after the message was allowed")                               \
    X(BURST, "`count` blocking sends, and an answer when all have been received")                                      \
    X(EXCHANGE, "each of `count` non-blocking messages to each other after each other")                                \
    X(OVERLAP, "a non-blocking send, and the wait for it after computing for `delay_s`, as its receiver does")
typedef enum {
#define X(identifier, what) HIERA_PING_##identifier,
    HIERA_PINGS(X)
#undef X
} HieraPingKind;

typedef struct {
    HieraPingKind kind;
    size_t bytes;
    double delay_s;
    int count;
} HieraPing;

/* Collectives of all processes: X(identifier, name); `bytes` as in simulator/machine.h. */
#define HIERA_PING_COLLECTIVES(X)                                                                                      \
    X(BARRIER, "barrier")                                                                                              \
    X(BROADCAST, "broadcast")                                                                                          \
    X(REDUCE, "reduce")                                                                                                \
    X(ALLREDUCE, "allreduce")                                                                                          \
    X(ALLGATHER, "allgather")                                                                                          \
    X(ALLTOALL, "alltoall")
typedef enum {
#define X(identifier, name) HIERA_PING_##identifier,
    HIERA_PING_COLLECTIVES(X)
#undef X
        HIERA_PING_N_COLLECTIVES
} HieraPingCollective;

typedef struct {
    /* Initialize MPI. */
    void (*begin)(int *rank, int *size);
    /* What MPI says of itself; a host's name. Valid until the next call. */
    const char *(*library)(void);
    const char *(*host)(int rank);
    /* @param seconds  n of them; the clock's own time is taken off */
    void (*ping)(const HieraPing *ping, int n, double *seconds);
    /* `count` of a collective after each other, n times. @param seconds  of all of them */
    void (*collective)(HieraPingCollective collective, size_t bytes, int count, int n, double *seconds);
    /* Finalize MPI. */
    void (*end)(void);
} HieraPings;

/* The name of the table in the library. */
#define HIERA_PINGS_TABLE "hiera_pings"

#endif
