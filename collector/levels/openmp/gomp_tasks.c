/* Tasks of GNU's runtime. The runtime keeps a copy of the program's data for each task; ours has what the task's
 * wrapper needs before it. */
#include "gomp.h"

#include <string.h>

/* Before the data of a task. */
typedef struct Task {
    void *event; /* of a detached task: the runtime writes it into the first word of the program's data */
    GompBody *body;
    void (*copy)(void *to, void *from); /* the program's function that copies the data; NULL: they are plain */
    void *from;                         /* the program's data, until they are copied */
    const void *site;
    size_t offset, bytes; /* of the data, from the begin of this; how many they are */
    bool detaches;
} Task;

static void run_task(void *data)
{
    const Task *task = data;
    openmp_begin(task->site, OPENMP_TASK, NULL);
    task->body((char *)data + task->offset);
    openmp_end();
}

/* The runtime calls this to make its copy. */
static void copy_task(void *to, void *from)
{
    const Task *task = from;
    *(Task *)to = *task;
    if (task->detaches)
        *(void **)task->from = task->event;
    if (task->copy)
        task->copy((char *)to + task->offset, task->from);
    else
        memcpy((char *)to + task->offset, task->from, task->bytes);
}

/* Begin of the data behind a Task, on a multiple of `align`. */
static size_t offset_of(size_t align)
{
    return align > 1 ? (sizeof(Task) + align - 1) / align * align : sizeof(Task);
}

enum { DETACH = 1 << 13 }; /* of the flags */

typedef void TaskFunction(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, bool now,
                          unsigned flags, void **depend, int priority, void *detach);

MARKER_PUBLIC TaskFunction GOMP_task;
void GOMP_task(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, bool now,
               unsigned flags, void **depend, int priority, void *detach)
{
    GOMP_NEXT(GOMP_task);
    size_t most = align > (long)_Alignof(Task) ? (size_t)align : _Alignof(Task);
    if (!is_recorded) {
        next_(body, data, copy, bytes, align, now, flags, depend, priority, detach);
        return;
    }
    bool detaches = data && (flags & DETACH);
    Task task = {NULL, body, copy, data, openmp_gomp_site(body), offset_of(most), (size_t)bytes, detaches};
    next_(run_task, &task, copy_task, (long)(task.offset + task.bytes), (long)most, now, flags, depend, priority,
          detach);
}

GOMP_AROUND(GOMP_taskwait, OPENMP_TASKWAIT, (void), ())
GOMP_AROUND(GOMP_taskwait_depend, OPENMP_TASKWAIT, (void **depend), (depend))
GOMP_AROUND(GOMP_taskgroup_end, OPENMP_TASKGROUP, (void), ())

/* A loop of tasks waits for them all. The bounds of each task are in the program's data, so the tasks are no regions.
 */
#define TASKLOOP(function, type)                                                                                       \
    GOMP_AROUND(function, OPENMP_TASKLOOP,                                                                             \
                (GompBody * body, void *data, void (*copy)(void *, void *), long bytes, long align, unsigned flags,    \
                 unsigned long tasks, int priority, type from, type to, type step),                                    \
                (body, data, copy, bytes, align, flags, tasks, priority, from, to, step))
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
