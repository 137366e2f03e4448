/* Tables about simulated executables. */
#pragma once

#include "executable_sums.h"
#include "hiera_measure.h"

/* Make a table with one row for each number of processes: time, and how well the work is distributed. @param all
 * ExecutableSums * */
HieraTable *executable_table_runs(const GPtrArray *all);
/* Make the table with one row for each process. */
/* Make the table of speedups by the laws of Amdahl and Gustafson. @param all  at least two */
HieraTable *executable_table_scalability(const GPtrArray *all);
HieraTable *executable_table_processes(const ExecutableSums *sums);
/* One row for each function, or for each function of each process. */
HieraTable *executable_table_functions(const ExecutableSums *sums, gboolean per_process);
HieraTable *executable_table_loops(const ExecutableSums *sums, gboolean per_process);
/* Decisions that differ between processes, and those that were drawn at random. */
HieraTable *executable_table_decisions(const ExecutableSums *sums);
/* Make the table of the vertices of a function. */
HieraTable *executable_table_graph(const HieraExecution *execution, guint graph);
