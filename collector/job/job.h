/* The MPI job that this process belongs to, and the rank of this process in MPI_COMM_WORLD. */
#pragma once

#include "base/clock.h"

/* The job of this process; set by the MPI level after MPI_Init. */
typedef struct HieraJob {
    int rank;
    int size;
    int first, traced;   /* lowest rank that runs with Hiera, and number of such ranks; 0: unknown */
    uint64_t id;         /* number of the job, the same on all ranks; 0: unknown */
    int64_t zero_ns;     /* zero of the job's time scale, in ns of this host's CLOCK_MONOTONIC */
    uint64_t init_ticks; /* time, in ticks, at which MPI_Init and Hiera's work in it ended */
    HieraClockFit clock; /* this host's clock compared with rank 0's */
} HieraJob;

extern HieraJob hiera_job;
