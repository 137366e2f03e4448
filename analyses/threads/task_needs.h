/** What tasks of OpenMP, and threads that wait for tasks, need before they can go on.
 *
 * A task needs its creation, and the ends of the tasks that it depends on: of those that the same region has created
 * before, as OpenMP says it of `depend` (5.2, section 15.9.5); tasks that only exclude each other do not depend on each
 * other. `taskwait` needs the ends of all tasks that its region has created since the last one, with `depend` of those
 * that it depends on; the end of `taskgroup` needs those of the group and of all that these have created.
 *
 * Operations `task` with the number of one creation are parts of one task, one after the other, unless the creation is
 * in a `taskloop`. The first part needs the creation and what the task depends on, each other part the end of the one
 * before; the end of the task is that of its last part. The end of a task with `detach` is not known.
 *
 * Of a set of tasks on which a task depends only the last end on each thread is told. */
#pragma once

#include "rank_threads.h"

/** One thing that a task, or a wait, needs. */
typedef struct {
    guint32 row;    /* the task, or the wait */
    guint32 thread; /* the thread that does it */
    guint32 by;     /* row of `create task`, or of the task that ends; HIERA_NONE: something that is not known */
    gint64 at_ns;   /* when it is done */
} HieraTaskNeed;

/** Find what the tasks and the waits for tasks of a rank need. Those of which it is known that something is missing
 * have a need that is not known, at their own time: the begin of a task, the end of a wait.
 *
 * @return HieraTaskNeed by row and time; to be freed with g_array_unref */
GArray *hiera_task_needs_find(const HieraTrace *trace, guint32 processor);

/** Return the index of the first need of a row. */
guint hiera_task_needs_first(const GArray *needs, guint32 row);

/** Whether a thread that idles there can begin a task. */
static inline gboolean hiera_idle_runs_tasks(HieraIdle idles)
{
    return idles == HIERA_IDLE_BARRIER || idles == HIERA_IDLE_END || idles == HIERA_IDLE_TASKS;
}

/** When a thread begins a task, or leaves a wait for tasks, and since when it has idled. */
typedef struct {
    guint32 thread, row;
    gint64 idle_ns, leave_ns;
} HieraTaskStart;

/** Return these moments of the threads of teams (HieraTaskStart) by thread and leave_ns; to be freed with
 * g_array_unref. */
GArray *hiera_task_starts_find(const HieraRankThreads *threads, const HieraTrace *trace, const GArray *needs);

/** Return the first one of a thread that leaves at a moment; NULL: there is none. */
HieraTaskStart *hiera_task_starts_peek(const GArray *starts, guint32 thread, gint64 leave_ns);

/** Return the last need of a row; NULL: it is not known. */
const HieraTaskNeed *hiera_task_needs_last(const GArray *needs, guint32 row);
