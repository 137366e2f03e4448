/* Constructs of OpenMP as regions of the level "openmp": base of libhiera-openmp.
 *
 * It is a separate library, which hiera-run preloads into programs of OpenMP for which the level is asked. It does not
 * link libhiera, and records nothing without it. */
#pragma once

#include "markers/markers.h"

/* Constructs that are open in this thread: they are nested, whichever runtime they are of. */
extern __thread unsigned openmp_depth;

#define OPENMP_KEY (MARKER_PROCESS << 1) /* first key; those of libhiera-markers are lower */

/* Begin and end a construct of this thread. @param site  as in hiera_begin_at(); then name, and format of arguments */
#define OPENMP_BEGIN(site, ...)                                                                                        \
    (marker_is_recorded()                                                                                              \
         ? hiera_open_scope(MARKER_KEY((unsigned)OPENMP_KEY + openmp_depth++), site, "openmp", __VA_ARGS__)            \
         : (void)0)
#define OPENMP_END()                                                                                                   \
    (marker_is_recorded() && openmp_depth > 0 ? hiera_close_scope(MARKER_KEY((unsigned)OPENMP_KEY + --openmp_depth))   \
                                              : (void)0)

/* Names of the constructs, the same whichever runtime a program has. */
#define OPENMP_PARALLEL      "parallel"
#define OPENMP_IMPLICIT_TASK "implicit task" /* a thread's part of a parallel region */
#define OPENMP_TEAMS         "teams"
#define OPENMP_BARRIER       "barrier" /* also at the end of a loop, of sections and of a single construct */
#define OPENMP_CRITICAL      "critical"
#define OPENMP_ORDERED       "ordered"
#define OPENMP_TASK          "task"
#define OPENMP_TASKLOOP      "taskloop"
#define OPENMP_TASKWAIT      "taskwait"
#define OPENMP_TASKGROUP     "taskgroup" /* the wait at its end */
#define OPENMP_ACQUIRE       "acquire "  /* before a name of what is waited for: critical, lock, … */
