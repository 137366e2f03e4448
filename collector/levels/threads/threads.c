/* POSIX threads as regions: what a thread does from its start function on, and where it waits for others. */
#include "markers/markers.h"
#include "program_code.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <time.h>

/* Record a wait that began at `start` and is over, if it was long (collector/record/waited.c). */
extern uint64_t hiera_level_now(void);
extern void hiera_level_waited(const void *site, const char *level, const char *name, uint64_t start);
#pragma weak hiera_level_now
#pragma weak hiera_level_waited

/* Record what this thread did with memory that is watched (mpi/handle/watchpoints.h). */
extern void hiera_level_report(void);
#pragma weak hiera_level_report

/* For hiera-run: preloaded when asked for, --level=threads. */
const char hiera_level_threads[] __attribute__((used)) = "\nhiera-level name=threads levels=threads libraries=\n";

static const char level[] = "threads";

#define SITE __builtin_return_address(0)

/* The C library's own functions. CONDITION: those that have an older version, which dlsym() would find. */
#define FUNCTIONS(PLAIN, CONDITION)                                                                                    \
    PLAIN(pthread_create)                                                                                              \
    PLAIN(pthread_join)                                                                                                \
    PLAIN(pthread_mutex_lock)                                                                                          \
    PLAIN(pthread_mutex_trylock)                                                                                       \
    PLAIN(pthread_mutex_timedlock)                                                                                     \
    PLAIN(pthread_mutex_clocklock)                                                                                     \
    PLAIN(pthread_rwlock_rdlock)                                                                                       \
    PLAIN(pthread_rwlock_tryrdlock)                                                                                    \
    PLAIN(pthread_rwlock_wrlock)                                                                                       \
    PLAIN(pthread_rwlock_trywrlock)                                                                                    \
    PLAIN(pthread_barrier_wait)                                                                                        \
    PLAIN(sem_wait)                                                                                                    \
    PLAIN(sem_timedwait)                                                                                               \
    PLAIN(sem_clockwait)                                                                                               \
    CONDITION(pthread_cond_wait)                                                                                       \
    CONDITION(pthread_cond_timedwait)                                                                                  \
    CONDITION(pthread_cond_clockwait)

static struct {
#define DECLARE(function) __typeof__(&function) function;
    FUNCTIONS(DECLARE, DECLARE)
#undef DECLARE
} next;

/* A sanitizer may have functions of these names before the C library. */
static void *find_condition(const char *name)
{
    Dl_info of_found, of_newer;
    void *found = dlsym(RTLD_NEXT, name), *newer = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    bool are_of_one = found && newer && dladdr(found, &of_found) && dladdr(newer, &of_newer) &&
                      of_found.dli_fbase == of_newer.dli_fbase;
    return are_of_one ? newer : found;
}

#define KEEP(function, found)                                                                                          \
    __atomic_store_n(&next.function, __extension__(__typeof__(&function)) found, __ATOMIC_RELAXED);

/* Find all at once, when the program starts: a search takes a lock of the dynamic linker. Several threads may do so. */
__attribute__((constructor)) static void find_all(void)
{
#define FIND(function)           KEEP(function, dlsym(RTLD_NEXT, #function))
#define FIND_CONDITION(function) KEEP(function, find_condition(#function))
    FUNCTIONS(FIND, FIND_CONDITION)
#undef FIND
#undef FIND_CONDITION
}

#define KEPT(function) __atomic_load_n(&next.function, __ATOMIC_RELAXED)

/* Other libraries may start before this one. */
#define NEXT(function)                                                                                                 \
    __extension__({                                                                                                    \
        __typeof__(&function) found_ = KEPT(function);                                                                 \
        if (!found_)                                                                                                   \
            find_all(), found_ = KEPT(function);                                                                       \
        found_;                                                                                                        \
    })

static bool is_recorded(void)
{
    return marker_is_recorded() && hiera_level_now && hiera_level_waited;
}

static void look(void)
{
    if (hiera_level_report)
        hiera_level_report();
}

/* --- a thread, from its begin to its end --- */

typedef struct Start {
    void *(*function)(void *);
    void *argument;
} Start;

/* Called also if the thread ends by pthread_exit() or is cancelled. */
static void close_scope(char *scope)
{
    hiera_close_scope(scope);
}

static void end(char *scope)
{
    look();
    hiera_close_scope(scope);
}

static void *run(void *data)
{
    const Start start = *(const Start *)data;
    free(data);
    look();
    char scope __attribute__((cleanup(end)));
    hiera_open_scope(&scope, (const char *)(uintptr_t)start.function + 1, level, "thread", NULL);
    return start.function(start.argument);
}

MARKER_PUBLIC int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*function)(void *),
                                 void *argument)
{
    bool is_ours = is_recorded() && threads_is_of_program(SITE);
    Start *start = is_ours ? malloc(sizeof *start) : NULL;
    char scope;
    if (!start)
        return NEXT(pthread_create)(thread, attributes, function, argument);
    *start = (Start){function, argument};
    look();
    hiera_open_scope(&scope, SITE, level, "create", NULL);
    int error = NEXT(pthread_create)(thread, attributes, run, start);
    hiera_close_scope(&scope);
    if (error != 0)
        free(start);
    return error;
}

static int join(pthread_t thread, void **result, const void *site)
{
    look();
    char scope __attribute__((cleanup(close_scope)));
    hiera_open_scope(&scope, site, level, "join", NULL);
    return NEXT(pthread_join)(thread, result);
}

MARKER_PUBLIC int pthread_join(pthread_t thread, void **result)
{
    bool is_ours = is_recorded() && threads_is_of_program(SITE);
    return is_ours ? join(thread, result, SITE) : NEXT(pthread_join)(thread, result);
}

/* --- waits --- */

static void waited(const void *site, const char *name, uint64_t start)
{
    if (threads_is_of_program(site))
        hiera_level_waited(site, level, name, start);
}

/* A lock: CALL takes it, TRY takes it if nobody has it. Both have the same results but for EBUSY. */
#define LOCK(function, type, try, name)                                                                                \
    MARKER_PUBLIC int function(type *lock)                                                                             \
    {                                                                                                                  \
        int error = NEXT(try)(lock);                                                                                   \
        if (error != EBUSY || !is_recorded())                                                                          \
            return error == EBUSY ? NEXT(function)(lock) : error;                                                      \
        uint64_t start = hiera_level_now();                                                                            \
        error = NEXT(function)(lock);                                                                                  \
        waited(SITE, name, start);                                                                                     \
        return error;                                                                                                  \
    }

LOCK(pthread_mutex_lock, pthread_mutex_t, pthread_mutex_trylock, "acquire mutex")
LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, pthread_rwlock_tryrdlock, "acquire rwlock")
LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, pthread_rwlock_trywrlock, "acquire rwlock")

/* Waits that are waits each time: PARAMETERS and ARGUMENTS in parentheses. */
#define WAIT(function, name, PARAMETERS, ARGUMENTS)                                                                    \
    MARKER_PUBLIC int function PARAMETERS                                                                              \
    {                                                                                                                  \
        if (!is_recorded())                                                                                            \
            return NEXT(function) ARGUMENTS;                                                                           \
        uint64_t start = hiera_level_now();                                                                            \
        int error = NEXT(function) ARGUMENTS;                                                                          \
        waited(SITE, name, start);                                                                                     \
        return error;                                                                                                  \
    }

WAIT(pthread_cond_wait, "wait condition", (pthread_cond_t * condition, pthread_mutex_t *mutex), (condition, mutex))
WAIT(pthread_cond_timedwait, "wait condition",
     (pthread_cond_t * condition, pthread_mutex_t *mutex, const struct timespec *until), (condition, mutex, until))
WAIT(pthread_cond_clockwait, "wait condition",
     (pthread_cond_t * condition, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until),
     (condition, mutex, clock, until))
WAIT(pthread_mutex_timedlock, "acquire mutex", (pthread_mutex_t * mutex, const struct timespec *until), (mutex, until))
WAIT(pthread_mutex_clocklock, "acquire mutex", (pthread_mutex_t * mutex, clockid_t clock, const struct timespec *until),
     (mutex, clock, until))
WAIT(pthread_barrier_wait, "barrier", (pthread_barrier_t * barrier), (barrier))
WAIT(sem_wait, "wait semaphore", (sem_t * semaphore), (semaphore))
WAIT(sem_timedwait, "wait semaphore", (sem_t * semaphore, const struct timespec *until), (semaphore, until))
WAIT(sem_clockwait, "wait semaphore", (sem_t * semaphore, clockid_t clock, const struct timespec *until),
     (semaphore, clock, until))
