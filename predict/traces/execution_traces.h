/* The simulated run of an executable as traces: a follower of its processes that writes them. Functions in which a
 * process comes to calls of MPI, and others that last (execution/walk/moves.c), become regions of the level `function`.
 */
#ifndef HIERA_PREDICT_EXECUTION_TRACES_H
#define HIERA_PREDICT_EXECUTION_TRACES_H

#include "execution/run.h"
#include "machine/hosts.h"

typedef struct ExecutionTraces ExecutionTraces;

/* Begin the traces of a run, in a folder that is made if necessary; what is in it with the same names is overwritten.
 *
 * @param execution  its graph
 * @param hosts      of the processes; without names: all are on one
 * @param command    for the attribute `predicted`
 * @return to be ended with execution_traces_close or freed; NULL with an error: HIERA_GRAPH_ERROR_USE */
ExecutionTraces *execution_traces_new(const HieraExecution *execution, guint32 n_processes, const Hosts *hosts,
                                      const char *command, const char *folder, GError **error);
/* What is reported of the processes. Valid as long as the traces. */
const HieraWorldFollower *execution_traces_follower(ExecutionTraces *traces);
/* End them: of a run that does not end with calls that have no end.
 *
 * @param run  that they followed
 * @return FALSE with an error if something could not be written */
gboolean execution_traces_close(ExecutionTraces *traces, const HieraExecutionRun *run, GError **error);
void execution_traces_free(ExecutionTraces *traces);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExecutionTraces, execution_traces_free)

#endif
