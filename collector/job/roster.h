/* Which processes of the job run with Hiera: found out without asking those that may not.
 *
 * Before MPI_Init each process with Hiera puts an entry into a folder of its launch; MPI_Init then holds everybody
 * until all have come so far. After it one entry proposes who takes part, and all follow the proposal that stands.
 * Entries and proposal are symbolic links: made whole or not at all, by one process only, on any shared file system,
 * without a descriptor or a block of the disk. So nobody can expect another that does not expect him, whatever is late
 * or fails; processes that do not see the same folder are not expected at all. */
#ifndef HIERA_ROSTER_H
#define HIERA_ROSTER_H

#include "launcher_env.h"

typedef struct HieraRoster {
    bool known;    /* the members below are all that run with Hiera, as far as this folder is seen */
    int obstacle;  /* why they are not known: an error, 0 if there was none */
    int n, *ranks; /* in MPI_COMM_WORLD, ascending; this process is among them. Not known: this one alone */
    uint64_t job;  /* the same for all of the launch, whatever folder they see; 0: not known */
    int64_t
        zero_ns; /* of those that look: not after the start of any, on this host's CLOCK_MONOTONIC; 0: none in common */
} HieraRoster;

/* Before MPI_Init. */
void hiera_roster_enter(const HieraLaunch *launch, const char *dir);

/* After it, with what MPI says of this process. */
HieraRoster hiera_roster_close(int rank, int size);

/* All members have closed it; `last`: this one removes what is left. Where members are not known, nobody does so before
 * his end. */
void hiera_roster_leave(bool last);

/* Where nothing holds everybody: not who is there, but the same zero for all that ever look. What is left goes when the
 * last of them ends. */
HieraRoster hiera_roster_look(const HieraLaunch *launch, const char *dir, int rank, int size);

#endif
