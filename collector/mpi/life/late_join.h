/* Joining without an exchange with other ranks: where MPI_Init did not come to us, or sessions take its place. */
#ifndef HIERA_LATE_JOIN_H
#define HIERA_LATE_JOIN_H

#include "job/job.h"

/* Rank, size and init of the job are known. Returns 0 or the errno. */
int hiera_late_join(HieraJob *job);

/* For HieraLevelOps.find_job: this process ends without ever having joined. */
void hiera_late_find_job(HieraJob *job);

#endif
