/* One simulated run of a program, of which only the executable is known. */
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
/* Whether the analysed code of a program has any call of MPI. */
gboolean hiera_execution_calls_mpi(const HieraExecution *execution);

/* Whether the program names the library of the ABI of MPI 5.0, whose handles and constants are not known here. */
gboolean hiera_execution_is_of_abi(const HieraExecution *execution);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(HieraExecutionRun, hiera_execution_run_clear)
