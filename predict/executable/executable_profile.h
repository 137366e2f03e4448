/* Reads from a recorded run how often loops are repeated whose end a simulation cannot compute. */
#pragma once

#include "execution/graph/execution_graph.h"

/* Read the exact times of loops (HIERA_LOOPS, HIERA_SEARCH) of a run.
 *
 * @param trace  of the same program, perhaps of a smaller problem
 * @param n      receives the number of loops found
 * @param error  the traces cannot be read, or have no times of loops
 * @return by loop: mean number of times that its header is reached in an execution; below 0: not known. To be freed
 * with g_free */
gdouble *executable_profile_read(const HieraExecution *execution, const char *trace, guint *n, GError **error);
