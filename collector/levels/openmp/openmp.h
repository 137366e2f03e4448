/* Constructs of OpenMP as regions of the level "openmp": base of libhiera-openmp.
 *
 * It is a separate library, which hiera-run preloads into programs of OpenMP for which the level is asked. It does not
 * link libhiera, and records nothing without it. */
#pragma once

#include "markers/markers.h"

/* Constructs that are open in this thread: they are nested, whichever runtime they are of. */
extern __thread unsigned openmp_depth;

/* A thread's part of a parallel region. Both numbers are openmp_depth as it was behind a begin; 0: there is none. */
typedef struct OpenmpPart {
    uint32_t inside; /* behind that of the part */
    uint32_t work;   /* behind that of the worksharing construct in it, which is open */
} OpenmpPart;

extern __thread OpenmpPart openmp_part; /* the innermost one of this thread */

#define OPENMP_KEY (MARKER_PROCESS << 1) /* first key; those of libhiera-markers are lower */

/* Begin and end a construct of this thread. @param site  as in hiera_begin_at(); then name, and format of arguments */
#define OPENMP_BEGIN(site, ...)                                                                                        \
    (marker_is_recorded()                                                                                              \
         ? hiera_open_scope(MARKER_KEY((unsigned)OPENMP_KEY + openmp_depth++), site, "openmp", __VA_ARGS__)            \
         : (void)0)
#define OPENMP_END()                                                                                                   \
    (marker_is_recorded() && openmp_depth > 0 ? hiera_close_scope(MARKER_KEY((unsigned)OPENMP_KEY + --openmp_depth))   \
                                              : (void)0)

/* Begin this thread's part of a parallel region of so many threads. Returns the part around it, for its end. */
OpenmpPart openmp_begin_part(const void *site, unsigned threads);

/* End the part, and what is still open in it: a construct that was cancelled has no end of its own. */
void openmp_end_part(OpenmpPart around);

/* Begin a loop, sections or a single construct. @param schedule  arguments; NULL: none */
void openmp_begin_work(const void *site, const char *name, const char *schedule);

/* End it. Nothing happens if none is open: a barrier is the end, too, if the runtime was called for no other. */
void openmp_end_work(void);

/* Return "requested=NUMBER", which holds until the next call in this thread. */
const char *openmp_requested(unsigned number);

/* Names of the constructs, the same whichever runtime a program has. */
#define OPENMP_PARALLEL      "parallel"
#define OPENMP_IMPLICIT_TASK "implicit task" /* a thread's part of a parallel region */
#define OPENMP_TEAMS         "teams"
#define OPENMP_LOOP          "loop"
#define OPENMP_SECTIONS      "sections"
#define OPENMP_SINGLE        "single"  /* in the thread that runs its code */
#define OPENMP_BARRIER       "barrier" /* also at the end of a loop, of sections and of a single construct */
#define OPENMP_CRITICAL      "critical"
#define OPENMP_ORDERED       "ordered"
#define OPENMP_TASK          "task"
#define OPENMP_TASKLOOP      "taskloop"
#define OPENMP_TASKWAIT      "taskwait"
#define OPENMP_TASKGROUP     "taskgroup" /* the wait at its end */
#define OPENMP_ACQUIRE       "acquire "  /* before a name of what is waited for: critical, lock, … */
