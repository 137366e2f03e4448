/* What the launcher tells a process of its job through the environment, before MPI starts. */
#ifndef HIERA_LAUNCHER_ENV_H
#define HIERA_LAUNCHER_ENV_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HieraLaunch {
    uint64_t key; /* the same for all processes of this launch and for no other; 0: not known */
    int rank;     /* in MPI_COMM_WORLD, -1: not known */
    int size;     /* of MPI_COMM_WORLD, 0: not known */
} HieraLaunch;

/* `by_pmi`: MPI asks the older interface PMI first (MPICH), not PMIx (Open MPI). */
HieraLaunch hiera_launch_read(bool by_pmi);

/* What any launcher has said, be it that of another MPI: rank and size alone. */
HieraLaunch hiera_launch_read_any(void);

#endif
