/* Sums of several simulations of an executable with one number of processes; tables show the means. */
#pragma once

#include "execution/run.h"

typedef struct {
    gdouble time_ps, compute_ps, mpi_ps, waiting_ps, sending_ps, cycles;
    gdouble n_sent, n_received, bytes_sent, bytes_received, n_collectives, n_drawn;
    gdouble *counters; /* by counter of HieraProcess (executions of vertices, loops, functions): sum over simulations */
    gdouble *library;  /* by vertex: cycles of the library function that the vertex called last */
    gboolean *was_capped; /* by loop: whether it reached the maximum of iterations in any simulation */
} ProcessSums;

typedef struct {
    const HieraExecution *execution;
    guint32 n_processes;
    guint n_simulations;
    ProcessSums *processes;
    GArray *ends_ps;       /* gdouble: end of the run in each simulation */
    guint8 *unknown;       /* by vertex: HieraUnknown, of all processes in all simulations */
    guint64 *n_undecided;  /* by vertex: number of decisions without operands, likewise */
    HieraDecided *decided; /* by process, then by vertex: last decision of a branch, in the last simulation */
    GHashTable *notes;     /* as HieraWorld.notes */
} ExecutableSums;

ExecutableSums *executable_sums_new(const HieraExecution *execution, guint32 n_processes);
void executable_sums_free(ExecutableSums *sums);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExecutableSums, executable_sums_free)
void executable_sums_add(ExecutableSums *sums, const HieraExecutionRun *run);

/* Return means over the simulations: time of the run; cycles of all processes; computation of all processes. */
gdouble executable_sums_time(const ExecutableSums *sums);
gdouble executable_sums_cycles(const ExecutableSums *sums);
gdouble executable_sums_compute(const ExecutableSums *sums);
/* Return the cycles of a process in a function without the functions that it calls, summed over the simulations. */
gdouble executable_sums_function(const ExecutableSums *sums, guint32 process, guint graph);
/* Return the sums with the smallest number of processes. @param all  ExecutableSums, at least one */
const ExecutableSums *executable_sums_find_smallest(const GPtrArray *all);
