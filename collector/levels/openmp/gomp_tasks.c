/* Tasks of GNU's runtime. The runtime keeps a copy of the program's data for each task; ours has what the task's
 * wrapper needs before it. */
#include "gomp.h"

#include <string.h>

/* Before the data of a task. */
typedef struct Task {
    /* The first words of the program's data, which the runtime knows: it writes the event of a detached task, or the
     * bounds of a task of a loop; the third one has the reductions of a loop. */
    uintptr_t head[3];
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
        *(uintptr_t *)task->from = task->head[0];
    if (task->copy)
        task->copy((char *)to + task->offset, task->from);
    else
        memcpy((char *)to + task->offset, task->from, task->bytes);
}

/* Alignment of a Task with data behind it. */
static size_t align_of(long align)
{
    return align > (long)_Alignof(Task) ? (size_t)align : _Alignof(Task);
}

/* Begin of the data behind a Task, on a multiple of `align`. */
static size_t offset_of(size_t align)
{
    return (sizeof(Task) + align - 1) / align * align;
}

enum { DETACH = 1 << 13 }; /* of the flags */

typedef void TaskFunction(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, bool now,
                          unsigned flags, void **depend, int priority, void *detach);

MARKER_PUBLIC TaskFunction GOMP_task;
void GOMP_task(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, bool now,
               unsigned flags, void **depend, int priority, void *detach)
{
    GOMP_NEXT(GOMP_task);
    size_t most = align_of(align);
    if (!is_recorded) {
        next_(body, data, copy, bytes, align, now, flags, depend, priority, detach);
        return;
    }
    bool detaches = data && (flags & DETACH);
    Task task = {{0}, body, copy, data, openmp_gomp_site(body), offset_of(most), (size_t)bytes, detaches};
    next_(run_task, &task, copy_task, (long)(task.offset + task.bytes), (long)most, now, flags, depend, priority,
          detach);
}

GOMP_AROUND(GOMP_taskwait, OPENMP_TASKWAIT, (void), ())
GOMP_AROUND(GOMP_taskwait_depend, OPENMP_TASKWAIT, (void **depend), (depend))
GOMP_AROUND(GOMP_taskgroup_end, OPENMP_TASKGROUP, (void), ())

/* --- loops of tasks --- */

enum { REDUCTION = 1 << 12 };            /* of the flags */
enum { BOUNDS = 2 * sizeof(uintptr_t) }; /* bytes at the begin of the data */
enum { LARGE = 1 << 16 };                /* bytes of data of which the stack may have no room for a second copy */

static void run_task_of_loop(void *data)
{
    const Task *task = data;
    memcpy((char *)data + task->offset, task->head, BOUNDS);
    run_task(data);
}

/* Room for a Task with so many bytes of data behind it, wherever it begins. */
static size_t room_for(size_t bytes, long align)
{
    return offset_of(align_of(align)) + bytes + align_of(align) - 1;
}

/* Make in `room` what the runtime passes on to each task. If the program has no function that copies its data, they are
 * in it: the runtime copies them only for tasks that run later, and takes more of the stack for each task if it is
 * given a function. */
static Task *fill_task_of_loop(char *room, const Task *from, long align)
{
    Task *task = (Task *)(void *)(room + -(uintptr_t)room % align_of(align));
    *task = *from;
    task->offset = offset_of(align_of(align));
    if (!from->copy)
        memcpy((char *)task + task->offset, from->from, from->bytes);
    return task;
}

/* Define the wrapper: a loop of tasks waits for them all. */
#define TASKLOOP(function, type)                                                                                       \
    MARKER_PUBLIC void function(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align,      \
                                unsigned flags, unsigned long tasks, int priority, type from, type to, type step);     \
    void function(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, unsigned flags,    \
                  unsigned long tasks, int priority, type from, type to, type step)                                    \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        if (!is_recorded) {                                                                                            \
            next_(body, data, copy, bytes, align, flags, tasks, priority, from, to, step);                             \
            return;                                                                                                    \
        }                                                                                                              \
        openmp_begin(GOMP_SITE, OPENMP_TASKLOOP, NULL);                                                                \
        if (!copy && bytes > LARGE) {                                                                                  \
            next_(body, data, copy, bytes, align, flags, tasks, priority, from, to, step);                             \
            openmp_end();                                                                                              \
            return;                                                                                                    \
        }                                                                                                              \
        char *room = __builtin_alloca(room_for(copy ? 0 : (size_t)bytes, align));                                      \
        const uintptr_t reductions = flags & REDUCTION ? ((const uintptr_t *)data)[2] : 0;                             \
        Task given = {{0, 0, reductions}, body, copy, data, openmp_gomp_site(body), 0, (size_t)bytes, false};          \
        Task *task = fill_task_of_loop(room, &given, align);                                                           \
        next_(run_task_of_loop, task, copy ? copy_task : NULL, (long)task->offset + bytes, (long)align_of(align),      \
              flags, tasks, priority, from, to, step);                                                                 \
        openmp_end();                                                                                                  \
    }
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
