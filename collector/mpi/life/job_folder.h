/* Chooses the folder of the traces: the folder of the settings, or a subfolder of this job if that folder has other
 * files (claim.h). */
#pragma once

#include "job/job.h"
#include "job/launcher_env.h"
#include "job/roster.h"
#include "write/companion_files.h"

#include <mpi.h>

/* Choose the folder together, before any member makes a file. MPI_COMM_NULL: this process decides alone. */
void hiera_folder_settle(MPI_Comm members, const HieraRoster *roster, const HieraJob *job);

/* Return the list of the members' trace files, for the first member. */
HieraFileList hiera_folder_list(const HieraRoster *roster);

/* For a process that is the only one of its MPI job but was launched together with others: the launcher belongs to
 * another MPI, so each process is a job of size 1. Each process uses a subfolder of its own; the first one prints a
 * message. */
void hiera_folder_settle_single(const HieraLaunch *launched, HieraJob *job);

/* Choose the folder for this process alone. `free`: not in a signal handler, so malloc may be used. */
void hiera_folder_settle_alone(const HieraJob *job, bool free);

/* For HieraLevelOps.choose_folder: this process ends without having joined. */
void hiera_folder_choose(HieraJob *job, bool free);
