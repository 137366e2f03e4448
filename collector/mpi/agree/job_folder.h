/* Chooses the folder of the traces: the folder of the settings, or a subfolder of this job if that folder has other
 * files (claim.h). */
#pragma once

#include "job/job.h"
#include "job/launcher_env.h"
#include "job/roster.h"
#include "write/companion_files.h"

#include <mpi.h>

/* Choose the folder of the traces, before any member makes a file. Collective; MPI_COMM_NULL: this process alone. */
void hiera_folder_settle(MPI_Comm members, const HieraRoster *roster, const HieraJob *job);

/* Return the list of the trace files of all members; to be called on the first member. */
HieraFileList hiera_folder_list(const HieraRoster *roster);

/* For a process that is the only one of its MPI job but was launched together with others: the launcher belongs to
 * another MPI, so each process is a job of size 1. Each process uses a subfolder of its own; the first one prints a
 * message. */
void hiera_folder_settle_single(const HieraLaunch *launched, HieraJob *job);

/* Choose the folder of the traces for this process alone. `free`: not in a signal handler, so malloc may be used. */
void hiera_folder_settle_alone(const HieraJob *job, bool free);

/* Choose the folder of a process that ends without having called MPI_Init. For HieraLevelOps.choose_folder. */
void hiera_folder_choose(HieraJob *job, bool free);
