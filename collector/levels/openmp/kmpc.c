/* See kmpc.h. Schedules of loops, waits of iterations for others, and tasks that are left. */
#include "kmpc.h"

__thread KmpcLoop openmp_kmpc;
__thread const void *openmp_enqueues;

/* The low bits are the same for ordered and monotonic loops and for others. */
static const HieraPrepared *schedule_of(int schedule)
{
    static const HieraPrepared all[] = {
        {0},
        OPENMP_TEXT("schedule=static"),
        OPENMP_TEXT("schedule=static"),
        OPENMP_TEXT("schedule=dynamic"),
        OPENMP_TEXT("schedule=guided"),
        OPENMP_TEXT("schedule=runtime"),
        OPENMP_TEXT("schedule=auto"),
    };
    unsigned number = (unsigned)schedule & 31;
    return number < sizeof all / sizeof *all ? &all[number] : NULL;
}

/* Define the wrapper of a begin: of loops of any schedule but a static one, which is also asked for in parts. */
#define INIT(function, type, step_type)                                                                                \
    MARKER_PUBLIC void function(void *place, int thread, int schedule, type from, type to, step_type step,             \
                                step_type chunk);                                                                      \
    void function(void *place, int thread, int schedule, type from, type to, step_type step, step_type chunk)          \
    {                                                                                                                  \
        GOMP_FIND(function, GOMP_SITE);                                                                                \
        openmp_kmpc = (KmpcLoop){GOMP_SITE, schedule_of(schedule)};                                                    \
        next_(place, thread, schedule, from, to, step, chunk);                                                         \
        openmp_kmpc.site = NULL;                                                                                       \
    }

INIT(__kmpc_dispatch_init_4, int32_t, int32_t)
INIT(__kmpc_dispatch_init_4u, uint32_t, int32_t)
INIT(__kmpc_dispatch_init_8, int64_t, int64_t)
INIT(__kmpc_dispatch_init_8u, uint64_t, int64_t)

MARKER_PUBLIC void __kmpc_doacross_wait(void *place, int thread, const int64_t *iteration);
void __kmpc_doacross_wait(void *place, int thread, const int64_t *iteration)
{
    GOMP_FIND(__kmpc_doacross_wait, GOMP_SITE);
    openmp_begin(GOMP_SITE, OPENMP_ACQUIRE "doacross", NULL);
    next_(place, thread, iteration);
    openmp_end();
}

/* Enqueue a task. A task that is not tied to a thread does so with its rest, and returns. */
MARKER_PUBLIC int32_t __kmpc_omp_task(void *place, int32_t thread, void *task);
int32_t __kmpc_omp_task(void *place, int32_t thread, void *task)
{
    GOMP_FIND(__kmpc_omp_task, GOMP_SITE);
    const void *around = openmp_enqueues; /* others may run meanwhile */
    const void *innermost = openmp_innermost_task();
    openmp_enqueues = GOMP_SITE;
    int32_t result = next_(place, thread, task);
    if (openmp_enqueues && innermost && openmp_innermost_task() == innermost) /* the rest may have run at once */
        openmp_leave_task();
    openmp_enqueues = around;
    return result;
}
