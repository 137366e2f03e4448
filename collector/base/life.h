/* State of the collector in this process; only process/ changes this state. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct HieraLife {
    bool loaded;   /* the settings have been read */
    bool joined;   /* rank and job are known: after MPI_Init, or when a process ends without MPI_Init */
    bool closed;   /* recording and writing have ended */
    bool asleep;   /* this is a child of fork; closed until it calls MPI_Init (process/children.h) */
    bool recovers; /* this process completes the trace of another process, which was killed */
    pid_t pid;     /* the process that records; a vfork child may share this memory, but must not write the trace */
} HieraLife;

extern HieraLife hiera_life;

/* A number that identifies this process. A pid does not: processes on other hosts or in containers may have the same.
 */
uint64_t hiera_life_unique(void);
