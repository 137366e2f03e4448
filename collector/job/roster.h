/* Finds the processes of the job that run with Hiera, without communicating with processes that may not.
 *
 * Before MPI_Init each process with Hiera makes an entry in a folder for this launch. MPI_Init returns in no process
 * before all processes have called it, so afterwards all entries exist. Then one process makes a proposal, a list of
 * the ranks that take part, and all processes follow the first proposal. Entries and proposal are symbolic links:
 * creating one is atomic, also on shared file systems, and needs neither a descriptor nor a block of the disk. So all
 * members agree on the list, whatever is late or fails. A process that sees another folder is not a member. */
#pragma once

#include "launcher_env.h"

typedef struct HieraRoster {
    bool known;      /* whether all processes that see this folder know all members, those with Hiera */
    int obstacle;    /* the error for which the members are not known; 0: none */
    int n, *ranks;   /* ranks of the members in MPI_COMM_WORLD, ascending, with this process; if not `known`, only this
                        process */
    uint64_t job;    /* number of the launch, the same in all processes, whatever folder they see; 0: unknown */
    int64_t zero_ns; /* zero of the common time scale, in ns of this host's CLOCK_MONOTONIC, before the start of every
                        member; 0: none */
} HieraRoster;

/* Before MPI_Init: make this process's entry in the folder of the launch, below `dir`. */
void hiera_roster_enter(const HieraLaunch *launch, const char *dir);

/* After MPI_Init: find the processes of the job that run with Hiera. Rank and size are those of MPI. */
HieraRoster hiera_roster_close(int rank, int size);

/* All members are done with the roster. `last`: this process removes the folder. If the members are not known, each
 * process leaves its entry until it ends. */
void hiera_roster_leave(bool last);

/* For programs without MPI_Init (sessions): finds no members, but gives all processes that call it a common zero of
 * time. The last of them to end removes the folder. */
HieraRoster hiera_roster_look(const HieraLaunch *launch, const char *dir, int rank, int size);
