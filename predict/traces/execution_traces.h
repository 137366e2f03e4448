/* Writes the simulated run of an executable as traces, as a follower of its processes. Functions in which a process
 * reaches MPI calls, and others that last (execution/walk/moves.c), become regions of the level `function`. */
#pragma once

#include "execution/run.h"
#include "machine/hosts.h"

typedef struct ExecutionTraces ExecutionTraces;

/* Begin the traces of a run, in a folder that is made if necessary; files with the same names are overwritten.
 *
 * @param execution  graph of the program
 * @param hosts      hosts of the processes; without names: all are on one
 * @param command    value of the attribute `predicted`
 * @return to be ended with execution_traces_close or freed; NULL with an error: HIERA_GRAPH_ERROR_USE */
ExecutionTraces *execution_traces_new(const HieraExecution *execution, guint32 n_processes, const Hosts *hosts,
                                      const char *command, const char *folder, GError **error);
/* Return the callbacks that write what the processes do. Valid as long as the traces. */
const HieraWorldFollower *execution_traces_follower(ExecutionTraces *traces);
/* End the traces. In a run that does not end, the open calls have no end.
 *
 * @param run  the run that was followed
 * @return FALSE with an error if something could not be written */
gboolean execution_traces_close(ExecutionTraces *traces, const HieraExecutionRun *run, GError **error);
void execution_traces_free(ExecutionTraces *traces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExecutionTraces, execution_traces_free)
