/* Adds a process to its job without messages to other ranks: MPI_Init was not seen, or the program uses sessions. */
#pragma once

#include "job/job.h"

#include <stdbool.h>

/* Join the process to its job. The caller has set rank and size of the job, and determines when the program continues.
 * Returns 0 or the errno. */
int hiera_late_join(HieraJob *job);

/* Find rank and size of a process that ends without having joined its job. For HieraLevelOps.find_job.
 * @return whether it has called MPI, and Hiera has seen none of its calls */
bool hiera_late_find_job(HieraJob *job);
