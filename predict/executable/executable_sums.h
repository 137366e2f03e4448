/* Several simulations of an executable with the same number of processes: sums, of which the tables show means. */
#ifndef HIERA_PREDICT_EXECUTABLE_SUMS_H
#define HIERA_PREDICT_EXECUTABLE_SUMS_H

#include "execution/run.h"

typedef struct {
    gdouble time_ps, compute_ps, mpi_ps, waiting_ps, sending_ps, cycles;
    gdouble n_sent, n_received, bytes_sent, bytes_received, n_collectives, n_drawn;
    gdouble *counters;    /* as of HieraProcess */
    gdouble *library;     /* by vertex: cycles of a library's function that it called the last time */
    gboolean *was_capped; /* by loop */
} ProcessSums;

typedef struct {
    const HieraExecution *execution;
    guint32 n_processes;
    guint n_simulations;
    ProcessSums *processes;
    GArray *ends_ps;       /* gdouble: of each simulation */
    gboolean *was_drawn;   /* by vertex */
    HieraDecided *decided; /* by process and vertex: of the last simulation */
    GHashTable *notes;
} ExecutableSums;

ExecutableSums *executable_sums_new(const HieraExecution *execution, guint32 n_processes);
void executable_sums_free(ExecutableSums *sums);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExecutableSums, executable_sums_free)
void executable_sums_add(ExecutableSums *sums, const HieraExecutionRun *run);

/* Mean of the simulations: how long the run takes; of its processes; what all of them execute. */
gdouble executable_sums_time(const ExecutableSums *sums);
gdouble executable_sums_cycles(const ExecutableSums *sums);
gdouble executable_sums_compute(const ExecutableSums *sums);
/* Cycles of a function outside of what it calls, in all simulations. */
gdouble executable_sums_function(const ExecutableSums *sums, guint32 process, guint graph);
/* @param all  ExecutableSums, at least one. @return those of the fewest processes */
const ExecutableSums *executable_sums_find_smallest(const GPtrArray *all);

#endif
