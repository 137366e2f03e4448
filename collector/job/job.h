/* The job of this process, and the rank of the process in it. */
#pragma once

#include "base/clock.h"

/* Set by the MPI level after MPI_Init. */
typedef struct HieraJob {
    int rank;
    int size;
    int first, traced;   /* first rank that runs with Hiera, and number of such ranks; 0: unknown */
    uint64_t id;         /* the same number on all ranks of one run */
    int64_t zero_ns;     /* common start of the job, on this host's CLOCK_MONOTONIC */
    uint64_t init_ticks; /* end of MPI_Init and of Hiera's work in it */
    HieraClockFit clock; /* this host's clock compared with rank 0's */
} HieraJob;

extern HieraJob hiera_job;
