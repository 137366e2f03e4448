/* Constructs of OpenMP as regions of the level "openmp": base of libhiera-openmp.
 *
 * It is a separate library, which hiera-run preloads into programs of OpenMP for which the level is asked. It does not
 * link libhiera, and records nothing without it. */
#pragma once

#include "markers/markers.h"
#include "record/prepared.h"

#include <stdbool.h>

#pragma weak hiera_open_prepared
#pragma weak hiera_mark_prepared

/* Record what this thread did with memory that is watched (mpi/handle/watchpoints.h). */
extern void hiera_level_report(void);
#pragma weak hiera_level_report

/* A thread's part of a parallel region. Both numbers are how many constructs were open behind a begin; 0: there is
 * none. */
typedef struct OpenmpPart {
    uint32_t inside; /* behind that of the part */
    uint32_t work;   /* behind that of the worksharing construct in it, which is open */
} OpenmpPart;

/* Constant arguments of a construct: to initialize a variable, and as the address of one. */
#define OPENMP_TEXT(text)                                                                                              \
    {                                                                                                                  \
        sizeof text - 1, text                                                                                          \
    }
#define OPENMP_ARGS(text)                                                                                              \
    __extension__({                                                                                                    \
        static const HieraPrepared args_ = OPENMP_TEXT(text);                                                          \
        &args_;                                                                                                        \
    })

/* Begin and end a construct of this thread. @param site  as in hiera_begin_at()  @param args  NULL: none */
void openmp_begin(const void *site, const char *name, const HieraPrepared *args);
void openmp_end(void);

/* Return how many constructs of this thread are open. */
unsigned openmp_count_open(void);

/* End constructs until so many are open. */
void openmp_end_down_to(unsigned n);

extern const HieraPrepared openmp_no_args;

/* Record what has no length. */
void openmp_mark(const void *site, const char *name, const HieraPrepared *args);

/* Begin a parallel region. @param requested  number of threads; 0: not known. Returns the number by which the parts of
 * the region are known; 0: it has none, as no other region without a number can be open. */
unsigned openmp_begin_region(const void *site, unsigned requested);
void openmp_end_region(void);

/* Begin this thread's part of a parallel region of so many threads. @param region  the number of the region. Returns
 * the part around it, for its end. */
OpenmpPart openmp_begin_part(const void *site, unsigned threads, unsigned region);

/* End the part, and what is still open in it: a construct that was cancelled has no end of its own. */
void openmp_end_part(OpenmpPart around);

/* Whether this thread is in a part. */
bool openmp_is_in_part(void);

/* Begin a loop, sections or a single construct. @param schedule  arguments; NULL: none */
void openmp_begin_work(const void *site, const char *name, const HieraPrepared *schedule);

/* End it. Nothing happens if none is open: a barrier is the end, too, if the runtime was called for no other. */
void openmp_end_work(void);

/* A thread begins the next one of the sections. That is recorded only with HIERA_CHECK. */
void openmp_section(const void *site);

/* Begin to wait for a lock, or what a thread does while it has it. */
void openmp_begin_on_lock(const void *site, const char *name, const void *lock);

/* Whether this thread tries to get a lock: wrappers record that, not OMPT. */
extern __thread bool openmp_tries_lock;

/* A thread gets a lock without waiting, or gives one back. */
void openmp_mark_lock(const void *site, const char *name, const void *lock);

/* Record that a task is created. Returns the number by which it is known until it has ended, when openmp_free_task() is
 * called: no other one has it meanwhile; 0: it has none, as there are too many. */
unsigned openmp_create_task(const void *site);
void openmp_free_task(unsigned number);

void openmp_begin_task(const void *site, unsigned number);

/* How a task depends on data: numbers of GNU's runtime, and of OMPT up to MUTEX. */
typedef enum OpenmpDepend {
    OPENMP_DEPEND_IN = 1,
    OPENMP_DEPEND_OUT = 2,
    OPENMP_DEPEND_INOUT = 3,
    OPENMP_DEPEND_MUTEX = 4,
    OPENMP_DEPEND_SET = 5,
    OPENMP_DEPEND_ALL = 6 /* on all memory */
} OpenmpDepend;

/* Record what the task depends on that this thread has created last, or the `taskwait` in which it is. Data at NULL
 * have no number: since GCC 13 that is all memory. */
void openmp_depend(const void *site, OpenmpDepend how, const void *data);

/* Names of the constructs, the same whichever runtime a program has. */
#define OPENMP_PARALLEL      "parallel"
#define OPENMP_IMPLICIT_TASK "implicit task" /* a thread's part of a parallel region */
#define OPENMP_TEAMS         "teams"
#define OPENMP_LOOP          "loop"
#define OPENMP_SECTIONS      "sections"
#define OPENMP_SECTION       "section" /* no time */
#define OPENMP_SINGLE        "single"  /* in the thread that runs its code */
#define OPENMP_BARRIER       "barrier" /* also at the end of a loop, of sections and of a single construct */
#define OPENMP_CRITICAL      "critical"
#define OPENMP_ORDERED       "ordered"
#define OPENMP_TASK          "task"
#define OPENMP_CREATE        "create task"     /* no time */
#define OPENMP_GROUP         "begin taskgroup" /* no time */
#define OPENMP_DETACH        "detach"          /* no time; the task is not complete when its code ends */
#define OPENMP_TASKLOOP      "taskloop"
#define OPENMP_TASKWAIT      "taskwait"
#define OPENMP_TASKGROUP     "taskgroup" /* the wait at its end */
#define OPENMP_ACQUIRE       "acquire "  /* before a name of what is waited for: critical, lock, … */
#define OPENMP_RELEASE       "release "  /* before lock or nest lock, which is given back: no time */
