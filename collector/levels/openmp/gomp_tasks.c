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
    unsigned number;
    bool detaches;
} Task;

static void run(char *data, const Task *task)
{
    task->body(data + task->offset);
    if (task->detaches)
        openmp_mark(task->site, OPENMP_DETACH, &openmp_no_args);
    openmp_end();
}

static void run_task(void *data)
{
    const Task *task = data;
    openmp_begin_task(task->site, task->number);
    run(data, task);
    openmp_free_task(task->number);
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

/* --- what tasks depend on --- */

/* Record dependences in the shape in which GCC writes them down: how many there are, how many of each kind, then the
 * addresses of data by kind. A first number of 0 says that there are more kinds; behind them come objects, each with an
 * address and its kind. */
static void record_depend(const void *site, void *const *depend)
{
    static const OpenmpDepend kinds[] = {OPENMP_DEPEND_OUT, OPENMP_DEPEND_MUTEX, OPENMP_DEPEND_IN};
    const uintptr_t *numbers = (const uintptr_t *)(const void *)depend;
    const bool is_old = numbers[0] != 0;
    size_t n = numbers[is_old ? 0 : 1], at = is_old ? 2 : 5, behind = at + n;
    const size_t counts[] = {numbers[is_old ? 1 : 2], is_old ? 0 : numbers[3], is_old ? n - numbers[1] : numbers[4]};
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
        for (size_t i = 0; i < counts[kind] && at < behind; i++, at++)
            openmp_depend(site, kinds[kind], depend[at]);
    for (; at < behind; at++) {
        void *const *object = depend[at];
        openmp_depend(site, (OpenmpDepend)(uintptr_t)object[1], object[0]);
    }
}

enum { DEPEND = 1 << 3, DETACH = 1 << 13 }; /* of the flags */

MARKER_PUBLIC void GOMP_taskwait_depend(void **depend);
static void wait_depend(const void *site, void **depend)
{
    GOMP_FIND(GOMP_taskwait_depend, site);
    if (!next_) /* older than GCC 9 */
        return;
    openmp_begin(site, OPENMP_TASKWAIT, NULL);
    record_depend(site, depend);
    next_(depend);
    openmp_end();
}

typedef void TaskFunction(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, bool later,
                          unsigned flags, void **depend, int priority, void *detach);

MARKER_PUBLIC TaskFunction GOMP_task;
void GOMP_task(GompBody *body, void *data, void (*copy)(void *, void *), long bytes, long align, bool later,
               unsigned flags, void **depend, int priority, void *detach)
{
    GOMP_NEXT(GOMP_task);
    size_t most = align_of(align);
    if (!is_recorded) {
        next_(body, data, copy, bytes, align, later, flags, depend, priority, detach);
        return;
    }
    const void *site = openmp_gomp_site(body);
    if ((flags & DEPEND) && !later)
        wait_depend(site, depend); /* the runtime would do that itself, unseen */
    unsigned number = openmp_create_task(site);
    if ((flags & DEPEND) && later)
        record_depend(site, depend);
    Task task = {{0}, body, copy, data, site, offset_of(most), (size_t)bytes, number, data && (flags & DETACH)};
    next_(run_task, &task, copy_task, (long)(task.offset + task.bytes), (long)most, later, flags, depend, priority,
          detach);
}

GOMP_AROUND(GOMP_taskwait, OPENMP_TASKWAIT, (void), ())
GOMP_AROUND(GOMP_taskgroup_end, OPENMP_TASKGROUP, (void), ())

MARKER_PUBLIC void GOMP_taskgroup_start(void);
void GOMP_taskgroup_start(void)
{
    GOMP_NEXT(GOMP_taskgroup_start);
    if (is_recorded)
        openmp_mark(GOMP_SITE, OPENMP_GROUP, &openmp_no_args);
    next_();
}

void GOMP_taskwait_depend(void **depend)
{
    GOMP_NEXT(GOMP_taskwait_depend);
    if (is_recorded)
        wait_depend(GOMP_SITE, depend);
    else
        next_(depend);
}

/* --- loops of tasks --- */

enum { NOGROUP = 1 << 11, REDUCTION = 1 << 12 }; /* of the flags */
enum { BOUNDS = 2 * sizeof(uintptr_t) };         /* bytes at the begin of the data */
enum { LARGE = 1 << 16 }; /* bytes of data of which the stack may have no room for a second copy */

static void run_task_of_loop(void *data)
{
    const Task *task = data;
    memcpy((char *)data + task->offset, task->head, BOUNDS);
    openmp_begin_task(task->site, task->number);
    run(data, task);
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

static void begin_group(const void *site)
{
    GOMP_FIND(GOMP_taskgroup_start, site);
    openmp_mark(site, OPENMP_GROUP, &openmp_no_args);
    next_();
}

static void end_group(const void *site)
{
    GOMP_FIND(GOMP_taskgroup_end, site);
    openmp_begin(site, OPENMP_TASKGROUP, NULL);
    next_();
    openmp_end();
}

/* Begin a loop of tasks. The group in which it waits for them is begun here instead of in the runtime, so that the wait
 * is seen; not so if it has reductions, which the runtime knows. All its tasks have one number, as their group ends
 * with them; without a group they have none. @return whether the group is begun; `flags` then say that there is none */
static bool begin_loop(const void *site, GompBody *body, unsigned *flags, unsigned *number)
{
    const bool begins_group = !(*flags & (NOGROUP | REDUCTION)), has_group = !(*flags & NOGROUP);
    openmp_begin(site, OPENMP_TASKLOOP, NULL);
    if (begins_group) {
        begin_group(site);
        *flags |= NOGROUP;
    }
    *number = has_group ? openmp_create_task(openmp_gomp_site(body)) : 0;
    return begins_group;
}

static void end_loop(const void *site, bool is_group, unsigned number)
{
    if (is_group)
        end_group(site);
    openmp_free_task(number);
    openmp_end();
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
        if (!copy && bytes > LARGE) {                                                                                  \
            openmp_begin(GOMP_SITE, OPENMP_TASKLOOP, NULL);                                                            \
            next_(body, data, copy, bytes, align, flags, tasks, priority, from, to, step);                             \
            openmp_end();                                                                                              \
            return;                                                                                                    \
        }                                                                                                              \
        unsigned number;                                                                                               \
        const bool is_group = begin_loop(GOMP_SITE, body, &flags, &number);                                            \
        char *room = __builtin_alloca(room_for(copy ? 0 : (size_t)bytes, align));                                      \
        const uintptr_t reductions = flags & REDUCTION ? ((const uintptr_t *)data)[2] : 0;                             \
        Task given = {{0, 0, reductions}, body, copy, data, openmp_gomp_site(body), 0, (size_t)bytes, number, false};  \
        Task *task = fill_task_of_loop(room, &given, align);                                                           \
        next_(run_task_of_loop, task, copy ? copy_task : NULL, (long)task->offset + bytes, (long)align_of(align),      \
              flags, tasks, priority, from, to, step);                                                                 \
        end_loop(GOMP_SITE, is_group, number);                                                                         \
    }
TASKLOOP(GOMP_taskloop, long)
TASKLOOP(GOMP_taskloop_ull, unsigned long long)
