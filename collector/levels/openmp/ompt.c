/* The runtime of LLVM (libomp), also Intel's: it reports what it does by OMPT. The runtime looks for ompt_start_tool()
 * in the process when it starts. */
#include "kmpc.h"

#include <stdlib.h>
#include <string.h>

/* What of OMPT is used here: numbers and shapes of OpenMP 5.2, chapter 19. */
typedef union OmptData {
    uint64_t value;
    void *pointer;
} OmptData;

typedef void OmptAny(void);
typedef OmptAny *OmptLookup(const char *name);
typedef int OmptSetCallback(int which, OmptAny *callback);

typedef struct OmptTool {
    int (*initialize)(OmptLookup *lookup, int device, OmptData *data);
    void (*finalize)(OmptData *data);
    OmptData data;
} OmptTool;

enum {
    ON_PARALLEL_BEGIN = 3,
    ON_PARALLEL_END = 4,
    ON_TASK_CREATE = 5,
    ON_TASK_SCHEDULE = 6,
    ON_IMPLICIT_TASK = 7,
    ON_SYNC_WAIT = 16,
    ON_MUTEX_RELEASED = 17,
    ON_DEPENDENCES = 18,
    ON_WORK = 20,
    ON_SYNC_REGION = 23,
    ON_MUTEX_ACQUIRE = 26,
    ON_MUTEX_ACQUIRED = 27,
    ON_NEST_LOCK = 28
};

enum { BEGINS = 1 };                                              /* endpoint of a scope */
enum { PARALLEL_LEAGUE = 0x40000000 };                            /* of flags: the region is of teams */
enum { TASK_INITIAL = 1, TASK_EXPLICIT = 4, TASK_TASKWAIT = 16 }; /* of flags */
enum { TASK_COMPLETE = 1, TASK_CANCEL = 3, TASK_DETACH = 4 }; /* why a task is left for another one: its code ended */
enum { TASKWAIT_COMPLETE = 8 };
enum { WORK_LOOP = 1, WORK_SECTIONS = 2, WORK_SINGLE = 3 };
enum { WORK_LOOP_STATIC = 10, WORK_LOOP_OTHER = 13 }; /* since LLVM 17, in place of WORK_LOOP */
enum { SYNC_BARRIER = 1, SYNC_IMPLICIT = 2, SYNC_EXPLICIT = 3 };
enum { SYNC_TASKWAIT = 5, SYNC_TASKGROUP = 6, SYNC_IMPLICIT_WORKSHARE = 8, SYNC_IMPLICIT_PARALLEL = 9 };
enum { MUTEX_LOCK = 1, MUTEX_NEST_LOCK = 3, MUTEX_CRITICAL = 5, MUTEX_ATOMIC = 6, MUTEX_ORDERED = 7 };

/* Kinds of dependences that are not those of OpenmpDepend. */
enum { DEPEND_SOURCE = 5, DEPEND_SINK = 6, DEPEND_SET = 7, DEPEND_OUT_ALL = 34, DEPEND_INOUT_ALL = 35 };

typedef struct OmptDependence {
    OmptData variable;
    int kind;
} OmptDependence;

#define SITE_BITS ((UINT64_C(1) << 48) - 1)
enum { TASKS = 512, NEAR = 64, JOINS = 16, SYNCS = 64 }; /* NEAR: where the task is with which a thread goes on */

/* A task that a thread has begun. */
typedef struct Begun {
    const OmptData *task;
    unsigned around; /* how many constructs are around it */
} Begun;

/* Of a thread. Data of OMPT: those of an explicit task are where the program begins it, and above that its number. */
static __thread struct {
    uint64_t region;       /* data of the last parallel region: those of a region of one thread are others' later */
    unsigned joined;       /* implicit tasks whose region has ended, and whose end is yet to be reported */
    unsigned n_syncs;      /* barriers and waits for tasks in which the thread is: tasks run there, which wait, too */
    unsigned joins[JOINS]; /* which of them are at the end of a parallel region, the outermost first */
    unsigned n_joins;
    unsigned around[SYNCS]; /* how many constructs are around each of them, the outermost first */
    Begun tasks[TASKS];     /* explicit tasks that this thread has begun, the outermost first */
    Begun *more;            /* those behind TASKS; NULL: none */
    unsigned room;          /* for so many */
    unsigned n_tasks;
    bool acquires; /* whether a region waits for a lock */
} here;

/* --- parallel regions --- */

/* Data of a parallel region: where the program begins it, an address of 48 bits, and above it the number by which its
 * parts are known. */
static uint64_t data_of(const void *site, unsigned number)
{
    return ((uint64_t)(uintptr_t)site & SITE_BITS) | (uint64_t)number << 48;
}

static const void *site_of(uint64_t region)
{
    return (const void *)(uintptr_t)(region & SITE_BITS);
}

static void on_parallel_begin(OmptData *task, const void *frame, OmptData *parallel, unsigned requested, int flags,
                              const void *site)
{
    (void)task, (void)frame;
    unsigned number = 0;
    if (flags & PARALLEL_LEAGUE)
        openmp_begin(site, OPENMP_TEAMS, NULL);
    else
        number = openmp_begin_region(site = site ? site : site_of(here.region), requested);
    here.region = parallel->value = data_of(site, number);
}

static void on_parallel_end(OmptData *parallel, OmptData *task, int flags, const void *site)
{
    (void)parallel, (void)task, (void)site;
    if (flags & PARALLEL_LEAGUE)
        openmp_end();
    else
        openmp_end_region();
}

/* Data of an implicit task are the part of a region around it, in the same thread. */
static void begin_part(const OmptData *parallel, OmptData *task, unsigned threads)
{
    uint64_t region = parallel && parallel->value ? parallel->value : here.region;
    OpenmpPart around = openmp_begin_part(site_of(region), threads, (unsigned)(region >> 48));
    task->value = (uint64_t)around.inside << 32 | around.work;
}

static void end_part(const OmptData *task)
{
    openmp_end_part((OpenmpPart){(uint32_t)(task->value >> 32), (uint32_t)task->value});
}

static void on_implicit_task(int endpoint, OmptData *parallel, OmptData *task, unsigned threads, unsigned index,
                             int flags)
{
    const bool is_initial = flags & TASK_INITIAL; /* of the program, or of a team on the host: that has a join, too */
    (void)index;
    if (endpoint == BEGINS && is_initial && parallel)
        here.region = parallel->value;
    else if (endpoint == BEGINS && !is_initial)
        begin_part(parallel, task, threads);
    else if (endpoint != BEGINS && here.joined > 0)
        here.joined--;
    else if (!is_initial)
        end_part(task);
}

/* --- loops, sections, single --- */

static void begin_work(int kind, const void *site)
{
    static const HieraPrepared schedules[] = {
        OPENMP_TEXT("schedule=static"), OPENMP_TEXT("schedule=dynamic"), OPENMP_TEXT("schedule=guided"), {0}};
    const KmpcLoop loop = openmp_kmpc;
    if (kind == WORK_SECTIONS || kind == WORK_SINGLE)
        openmp_begin_work(site, kind == WORK_SINGLE ? OPENMP_SINGLE : OPENMP_SECTIONS, NULL);
    else if (loop.site)
        openmp_begin_work(loop.site, OPENMP_LOOP, loop.schedule);
    else
        openmp_begin_work(site, OPENMP_LOOP, &schedules[kind >= WORK_LOOP_STATIC ? kind - WORK_LOOP_STATIC : 0]);
}

static void on_work(int kind, int endpoint, OmptData *parallel, OmptData *task, uint64_t count, const void *site)
{
    bool is_loop = kind == WORK_LOOP || (kind >= WORK_LOOP_STATIC && kind <= WORK_LOOP_OTHER);
    (void)parallel, (void)task, (void)count;
    if (!is_loop && kind != WORK_SECTIONS && kind != WORK_SINGLE)
        return;
    if (endpoint == BEGINS)
        begin_work(kind, site);
    else
        openmp_end_work();
}

/* --- waits of one thread for others --- */

/* Whether a barrier is that at the end of a parallel region. For a thread there its implicit task is over: the end of
 * the task is reported when the thread is needed again. */
static bool is_join(int kind, const OmptData *parallel, const void *site)
{
    return kind == SYNC_IMPLICIT_PARALLEL ||
           (kind == SYNC_IMPLICIT && (!site || (parallel && site_of(parallel->value) == site)));
}

static const char *name_of(int kind)
{
    switch (kind) {
    case SYNC_BARRIER:
    case SYNC_IMPLICIT:
    case SYNC_EXPLICIT:
    case SYNC_IMPLICIT_WORKSHARE:
        return OPENMP_BARRIER;
    case SYNC_TASKWAIT:
        return OPENMP_TASKWAIT;
    case SYNC_TASKGROUP:
        return OPENMP_TASKGROUP;
    default:
        return NULL;
    }
}

static Begun *peek_task(unsigned index)
{
    return index < TASKS ? &here.tasks[index] : &here.more[index - TASKS];
}

/* Return room for one more task; NULL: there is none. */
static Begun *add_task(void)
{
    if (here.n_tasks >= TASKS + here.room) {
        unsigned room = here.room ? 2 * here.room : TASKS;
        Begun *more = realloc(here.more, room * sizeof *more);
        if (!more)
            return NULL;
        here.more = more;
        here.room = room;
    }
    return peek_task(here.n_tasks++);
}

/* End constructs until so many are open, tasks among them. */
static void end_down_to(unsigned n)
{
    while (here.n_tasks > 0 && peek_task(here.n_tasks - 1)->around >= n)
        here.n_tasks--;
    if (here.n_tasks == 0 && here.more) {
        free(here.more);
        here.more = NULL;
        here.room = 0;
    }
    openmp_end_down_to(n);
}

static void begin_sync(const char *name, bool joins, const OmptData *task, const void *site)
{
    here.n_syncs++;
    if (joins) {
        end_part(task);
        here.joined++;
        if (here.n_joins < JOINS)
            here.joins[here.n_joins] = here.n_syncs;
        here.n_joins++;
    } else if (name) {
        if (strcmp(name, OPENMP_BARRIER) == 0)
            openmp_end_work(); /* a loop that was cancelled has no other end */
        if (here.n_syncs <= SYNCS)
            here.around[here.n_syncs - 1] = openmp_count_open();
        openmp_begin(site, name, NULL);
    }
}

static void end_sync(const char *name)
{
    unsigned last = here.n_joins - 1;
    bool joins = here.n_joins > 0 && (last >= JOINS || here.joins[last] == here.n_syncs);
    if (joins)
        here.n_joins--;
    else if (name && here.n_syncs <= SYNCS)
        end_down_to(here.around[here.n_syncs - 1]);
    else if (name)
        openmp_end();
    here.n_syncs--;
}

static void on_sync(int kind, int endpoint, const OmptData *parallel, const OmptData *task, const void *site)
{
    if (endpoint == BEGINS)
        begin_sync(name_of(kind), is_join(kind, parallel, site), task, site);
    else
        end_sync(name_of(kind));
}

static void on_sync_region(int kind, int endpoint, OmptData *parallel, OmptData *task, const void *site)
{
    if (kind != SYNC_TASKGROUP)
        on_sync(kind, endpoint, parallel, task, site);
    else if (endpoint == BEGINS)
        openmp_mark(site, OPENMP_GROUP, &openmp_no_args);
}

/* The region of a group of tasks begins where the program begins the group: what is a wait is its end. */
static void on_sync_wait(int kind, int endpoint, OmptData *parallel, OmptData *task, const void *site)
{
    if (kind == SYNC_TASKGROUP)
        on_sync(kind, endpoint, parallel, task, site);
}

/* Return the name of what a thread waits for; NULL: it does not wait. */
static const char *name_of_mutex(int kind)
{
    switch (kind) {
    case MUTEX_LOCK:
        return OPENMP_ACQUIRE "lock";
    case MUTEX_NEST_LOCK:
        return OPENMP_ACQUIRE "nest lock";
    case MUTEX_CRITICAL:
        return OPENMP_ACQUIRE OPENMP_CRITICAL;
    case MUTEX_ATOMIC:
        return OPENMP_ACQUIRE "atomic";
    case MUTEX_ORDERED:
        return OPENMP_ACQUIRE OPENMP_ORDERED;
    default:
        return NULL;
    }
}

static bool is_lock(int kind)
{
    return kind == MUTEX_LOCK || kind == MUTEX_NEST_LOCK;
}

static bool is_region(int kind)
{
    return kind == MUTEX_CRITICAL || kind == MUTEX_ORDERED;
}

static void begin_mutex(int kind, const char *name, uint64_t lock, const void *site)
{
    if (is_lock(kind) || kind == MUTEX_CRITICAL)
        openmp_begin_on_lock(site, name, (const void *)(uintptr_t)lock);
    else
        openmp_begin(site, name, NULL);
}

static void on_mutex_acquire(int kind, unsigned hint, unsigned implementation, uint64_t lock, const void *site)
{
    const char *name = name_of_mutex(kind);
    (void)hint, (void)implementation;
    here.acquires = name && !openmp_tries_lock;
    if (here.acquires)
        begin_mutex(kind, name, lock, site);
}

static void on_mutex_acquired(int kind, uint64_t lock, const void *site)
{
    if (here.acquires)
        openmp_end();
    here.acquires = false;
    if (is_region(kind))
        begin_mutex(kind, kind == MUTEX_CRITICAL ? OPENMP_CRITICAL : OPENMP_ORDERED, lock, site);
}

static void on_mutex_released(int kind, uint64_t lock, const void *site)
{
    if (is_region(kind))
        openmp_end();
    else if (is_lock(kind))
        openmp_mark_lock(site, kind == MUTEX_LOCK ? OPENMP_RELEASE "lock" : OPENMP_RELEASE "nest lock",
                         (const void *)(uintptr_t)lock);
}

/* A thread gets a nest lock that it has already, or gives it back and keeps it. */
static void on_nest_lock(int endpoint, uint64_t lock, const void *site)
{
    if (endpoint == BEGINS)
        on_mutex_acquired(MUTEX_NEST_LOCK, lock, site);
    else
        on_mutex_released(MUTEX_NEST_LOCK, lock, site);
}

/* --- explicit tasks --- */

static void on_task_create(OmptData *task, const void *frame, OmptData *created, int flags, int depends,
                           const void *site)
{
    (void)task, (void)frame, (void)depends;
    site = openmp_enqueues ? openmp_enqueues : site;
    openmp_enqueues = NULL;
    if (flags & TASK_EXPLICIT)
        created->value = data_of(site, openmp_create_task(site));
    else if (flags & TASK_TASKWAIT) /* for some tasks */
        openmp_begin(site, OPENMP_TASKWAIT, NULL);
}

static void on_dependences(OmptData *task, const OmptDependence *all, int n)
{
    for (int i = 0; i < n; i++) {
        int kind = all[i].kind;
        if (kind == DEPEND_OUT_ALL || kind == DEPEND_INOUT_ALL)
            openmp_depend(site_of(task->value), OPENMP_DEPEND_ALL, NULL);
        else if (kind == DEPEND_SET || kind < DEPEND_SOURCE)
            openmp_depend(site_of(task->value), kind == DEPEND_SET ? OPENMP_DEPEND_SET : (OpenmpDepend)kind,
                          all[i].variable.pointer);
    }
}

static unsigned number_of(const OmptData *task)
{
    return (unsigned)(task->value >> 48);
}

/* End a task, and those that began in it and were left. */
static void end_task(const OmptData *task)
{
    unsigned n = here.n_tasks;
    while (n > 0 && peek_task(n - 1)->task != task)
        n--;
    if (n > 0)
        end_down_to(peek_task(n - 1)->around);
}

/* A task that is not tied to a thread has a part of it enqueued, and is left: the runtime tells that only when a thread
 * goes on with it, which may be another one. */
void openmp_leave_task(void)
{
    if (here.n_tasks > 0)
        end_down_to(peek_task(here.n_tasks - 1)->around);
}

const void *openmp_innermost_task(void)
{
    return here.n_tasks > 0 ? peek_task(here.n_tasks - 1)->task : NULL;
}

static void begin_task(const OmptData *task)
{
    unsigned around = openmp_count_open();
    Begun *begun = add_task();
    if (!begun)
        return;
    *begun = (Begun){task, around};
    openmp_begin_task(site_of(task->value), number_of(task));
}

static void on_task_schedule(OmptData *before, int why, OmptData *next)
{
    if (why == TASKWAIT_COMPLETE)
        openmp_end();
    bool is_over = why == TASK_COMPLETE || why == TASK_CANCEL || why == TASK_DETACH;
    if (before && why == TASK_DETACH)
        openmp_mark(site_of(before->value), OPENMP_DETACH, &openmp_no_args);
    if (before && is_over) {
        end_task(before);
        openmp_free_task(number_of(before));
    }
    bool is_new = next && !is_over && next->value;
    for (unsigned i = here.n_tasks; is_new && i-- > 0 && here.n_tasks - i <= NEAR;)
        is_new = peek_task(i)->task != next;
    if (is_new)
        begin_task(next);
}

/* --- the tool --- */

static int initialize(OmptLookup *lookup, int device, OmptData *data)
{
    static const struct {
        int which;
        OmptAny *callback;
    } all[] = {{ON_WORK, (OmptAny *)on_work},
               {ON_PARALLEL_BEGIN, (OmptAny *)on_parallel_begin},
               {ON_PARALLEL_END, (OmptAny *)on_parallel_end},
               {ON_IMPLICIT_TASK, (OmptAny *)on_implicit_task},
               {ON_SYNC_REGION, (OmptAny *)on_sync_region},
               {ON_SYNC_WAIT, (OmptAny *)on_sync_wait},
               {ON_MUTEX_ACQUIRE, (OmptAny *)on_mutex_acquire},
               {ON_MUTEX_ACQUIRED, (OmptAny *)on_mutex_acquired},
               {ON_MUTEX_RELEASED, (OmptAny *)on_mutex_released},
               {ON_NEST_LOCK, (OmptAny *)on_nest_lock},
               {ON_TASK_CREATE, (OmptAny *)on_task_create},
               {ON_DEPENDENCES, (OmptAny *)on_dependences},
               {ON_TASK_SCHEDULE, (OmptAny *)on_task_schedule}};
    OmptSetCallback *set = (OmptSetCallback *)lookup("ompt_set_callback");
    (void)device, (void)data;
    for (size_t i = 0; set && i < sizeof all / sizeof *all; i++)
        set(all[i].which, all[i].callback);
    return set != NULL;
}

static void finalize(OmptData *data)
{
    (void)data;
}

MARKER_PUBLIC OmptTool *ompt_start_tool(unsigned version, const char *runtime);
OmptTool *ompt_start_tool(unsigned version, const char *runtime)
{
    static OmptTool tool = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return marker_is_recorded() ? &tool : NULL;
}
