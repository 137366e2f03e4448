/* One simulated run of a program that is only known as an executable. */
#pragma once

#include "execution/mpi/world.h"

typedef struct {
    HieraWorld world;
    HieraSimResult result;
} HieraExecutionRun;

/* Simulate processes that all execute the same program.
 *
 * @param execution  graph of the program; must outlive the run
 * @param options    must outlive the run
 * @param machine    its n_ranks is that of the options
 * @param follower   callbacks that report the actions of processes; NULL: none
 * @param run        receives the results; to be cleared with hiera_execution_run_clear in any case
 * @param error      as of hiera_simulate; or that a process was given up
 * @return whether all processes ended */
gboolean hiera_execution_run(const HieraExecution *execution, const HieraWalkOptions *options,
                             const HieraMachine *machine, const HieraWorldFollower *follower, HieraExecutionRun *run,
                             GError **error);
void hiera_execution_run_clear(HieraExecutionRun *run);
/* Whether a program calls MPI anywhere in the code that is analysed. */
gboolean hiera_execution_calls_mpi(const HieraExecution *execution);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HieraExecutionRun, hiera_execution_run_clear)
