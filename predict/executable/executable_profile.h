/* How often loops were repeated in a recorded run, for those whose end is not known. */
#ifndef HIERA_PREDICT_EXECUTABLE_PROFILE_H
#define HIERA_PREDICT_EXECUTABLE_PROFILE_H

#include "execution/graph/execution_graph.h"

/* Read the exact times of loops (HIERA_LOOPS, HIERA_SEARCH) of a run.
 *
 * @param trace  of the same program, perhaps smaller
 * @param n      becomes how many loops were found
 * @param error  the traces cannot be read, or have no times of loops
 * @return by loop: how often its begin was reached in an execution, in the mean; below 0: not known. To be freed with
 *         g_free */
gdouble *executable_profile_read(const HieraExecution *execution, const char *trace, guint *n, GError **error);

#endif
