/* Reads the variables by which a launcher describes the job to a process, before MPI_Init. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraLaunch {
    uint64_t key; /* identifies the launch: the same number in all of its processes; 0: unknown */
    int rank;     /* rank in MPI_COMM_WORLD; -1: unknown */
    int size;     /* size of MPI_COMM_WORLD; 0: unknown */
} HieraLaunch;

/* Read the variables for this MPI. `by_pmi`: MPI uses the older interface PMI first (MPICH), not PMIx (Open MPI). */
HieraLaunch hiera_launch_read(bool by_pmi);

/* Rank and size as set by any launcher, even one of another MPI. */
HieraLaunch hiera_launch_read_any(void);
