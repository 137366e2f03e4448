/* Reads, before MPI_Init, the environment variables by which a launcher describes the job to its processes. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraLaunch {
    uint64_t key; /* number of the launch, the same in all of its processes; 0: unknown */
    int rank;     /* this process's rank in MPI_COMM_WORLD; -1: unknown */
    int size;     /* size of MPI_COMM_WORLD; 0: unknown */
} HieraLaunch;

/* Read the variables. `by_pmi`: first those of PMI, which MPICH uses, then those of PMIx; else only those of PMIx. */
HieraLaunch hiera_launch_read(bool by_pmi);

/* Read rank and size as any launcher sets them, even that of another MPI; key 0. */
HieraLaunch hiera_launch_read_any(void);
