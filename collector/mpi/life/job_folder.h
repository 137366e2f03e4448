/* Which folder the traces go to: the one of the settings, or a folder of this job's own in it (claim.h). */
#ifndef HIERA_JOB_FOLDER_H
#define HIERA_JOB_FOLDER_H

#include "job/job.h"
#include "job/launcher_env.h"
#include "job/roster.h"

#include <mpi.h>

/* The members decide together, before the first of them makes its file. MPI_COMM_NULL: each decides for itself. */
void hiera_folder_settle(MPI_Comm members, const HieraRoster *roster, const HieraJob *job);

/* A process that is all of its job, but was launched with others: they believe the same, since the launcher is not that
 * of their MPI. Each has a folder of its own and is a job of its own; the first one says so. */
void hiera_folder_settle_single(const HieraLaunch *launched, HieraJob *job);

/* A process that asks no other. `free`: no signal handler runs, malloc may be used. */
void hiera_folder_settle_alone(const HieraJob *job, bool free);

/* For HieraLevelOps.choose_folder: a process that ends without having joined. */
void hiera_folder_choose(HieraJob *job, bool free);

#endif
