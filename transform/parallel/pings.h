/* Timing of MPI for hiera-predict calibrate: how long messages and collectives take. libhiera-parallel-NAME.so defines
 * it beside the transport: mpi_pings.c. The first and the last process exchange messages. Sent data has
 * just been written, as in programs: if another CPU copies it, that is slower than with data sent before.
 * All processes call all functions with the same arguments, and all get the results of process 0. */
#pragma once

#include <stddef.h>

/* Kinds of timings of messages, each repeated n times: X(identifier, description). */
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

/* Collectives that are timed, with all processes: X(identifier, name). simulator/machine.h says what `bytes` means. */
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
    /* Initialize MPI; rank and size become those in MPI_COMM_WORLD. */
    void (*begin)(int *rank, int *size);
    /* Return the MPI library's version text; return the name of a rank's host. Valid until the next call. */
    const char *(*library)(void);
    const char *(*host)(int rank);
    /* Time messages. @param seconds  becomes n durations, without the time that reading the clock takes */
    void (*ping)(const HieraPing *ping, int n, double *seconds);
    /* Time a collective. @param seconds  becomes n durations, each that of `count` consecutive calls */
    void (*collective)(HieraPingCollective collective, size_t bytes, int count, int n, double *seconds);
    /* Finalize MPI. */
    void (*end)(void);
} HieraPings;

/* Name of the symbol in libhiera-parallel-NAME.so that is the HieraPings. */
#define HIERA_PINGS_TABLE "hiera_pings"
