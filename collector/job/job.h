/* The job that this process is part of, and its place in it. */
#ifndef HIERA_JOB_H
#define HIERA_JOB_H

#include "base/clock.h"

/* Given by the MPI level once MPI has begun. */
typedef struct HieraJob {
    int rank;
    int size;
    int first, traced;   /* the first rank that runs with Hiera, and how many do; 0: not known */
    uint64_t id;         /* the same on all ranks of one run */
    int64_t zero_ns;     /* the job's common start on this host's CLOCK_MONOTONIC */
    uint64_t init_ticks; /* when MPI_Init returned */
    HieraClockFit clock; /* this host's clock against rank 0's */
} HieraJob;

extern HieraJob hiera_job;

#endif
