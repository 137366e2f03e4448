/* How far the collector is in this process. Written by process/ alone. */
#ifndef HIERA_LIFE_H
#define HIERA_LIFE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct HieraLife {
    bool loaded; /* settings are read */
    bool joined; /* the job is known: MPI has begun, or the process ends without it */
    bool closed; /* nothing is recorded or written any more */
    pid_t pid;   /* of the process that records; a child shares its memory at times, never its trace */
} HieraLife;

extern HieraLife hiera_life;

/* A number that no other process has: those of other hosts, or other containers, may have the same pid. */
uint64_t hiera_life_unique(void);

#endif
