/* Sums over several simulations of an executable with the same number of processes; tables show their means. */
#pragma once

#include "execution/run.h"

typedef struct {
    gdouble time_ps, compute_ps, mpi_ps, waiting_ps, sending_ps, cycles;
    gdouble n_sent, n_received, bytes_sent, bytes_received, n_collectives, n_drawn;
    gdouble *counters;    /* as in HieraProcess */
    gdouble *library;     /* by vertex: cycles of the library function that it called last */
    gboolean *was_capped; /* by loop: it reached the maximum of repetitions */
} ProcessSums;

typedef struct {
    const HieraExecution *execution;
    guint32 n_processes;
    guint n_simulations;
    ProcessSums *processes;
    GArray *ends_ps;       /* gdouble: end time of each simulation */
    gboolean *was_drawn;   /* by vertex: its branch was drawn */
    HieraDecided *decided; /* by process and vertex, in the last simulation */
    GHashTable *notes;
} ExecutableSums;

ExecutableSums *executable_sums_new(const HieraExecution *execution, guint32 n_processes);
void executable_sums_free(ExecutableSums *sums);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ExecutableSums, executable_sums_free)
void executable_sums_add(ExecutableSums *sums, const HieraExecutionRun *run);

/* Means over the simulations: time of the run; cycles of all processes; computation. */
gdouble executable_sums_time(const ExecutableSums *sums);
gdouble executable_sums_cycles(const ExecutableSums *sums);
gdouble executable_sums_compute(const ExecutableSums *sums);
/* Return the cycles of a function without its callees, in all simulations. */
gdouble executable_sums_function(const ExecutableSums *sums, guint32 process, guint graph);
/* @param all  ExecutableSums, at least one. @return the sums of the smallest number of processes */
const ExecutableSums *executable_sums_find_smallest(const GPtrArray *all);
