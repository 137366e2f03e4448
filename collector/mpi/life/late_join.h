/* Join a process without messages to other ranks: if MPI_Init was not seen, or if the program uses sessions. */
#pragma once

#include "job/job.h"

/* Join. The caller has set rank and size of the job, and determines when the program continues. Returns 0 or the errno.
 */
int hiera_late_join(HieraJob *job);

/* For HieraLevelOps.find_job: this process ends without having joined. */
void hiera_late_find_job(HieraJob *job);
