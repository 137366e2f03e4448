/* Tables of the answer about an executable. */
#pragma once

#include "executable_sums.h"
#include "hiera_measure.h"

/* Make a table with one row for each number of processes: time, and how well the work is distributed. @param all
 * ExecutableSums * */
HieraTable *executable_table_runs(const GPtrArray *all);
/* Make the table of speedups by the laws of Amdahl and Gustafson. @param all  ExecutableSums *, at least two */
HieraTable *executable_table_scalability(const GPtrArray *all);
/* Make the table of processes: a row for each. */
HieraTable *executable_table_processes(const ExecutableSums *sums);
/* Make the table of functions, or of loops: one row for each; if per_process, one for each in each process. */
HieraTable *executable_table_functions(const ExecutableSums *sums, gboolean per_process);
HieraTable *executable_table_loops(const ExecutableSums *sums, gboolean per_process);
/* Make the table of branches that processes decide differently, or that are decided at random. */
HieraTable *executable_table_decisions(const ExecutableSums *sums);
/* Make the table of the vertices of a function. @param graph  index of its graph */
HieraTable *executable_table_graph(const HieraExecution *execution, guint graph);
