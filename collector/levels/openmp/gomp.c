/* See gomp.h. Barriers, critical sections, locks: each is one call of the runtime, in which a thread may wait. */
#include "gomp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 64 };

/* For hiera-run: preloaded when asked for, --level=openmp. */
const char hiera_level_openmp[] __attribute__((used)) = "\nhiera-level name=openmp levels=openmp libraries=\n";

/* Whether a function is of GNU's runtime. LLVM's has some of its functions, and may be in a file of its name. */
static bool is_of_gnu(const void *address)
{
    Dl_info object;
    if (!address || !dladdr(address, &object))
        return false;
    const char *slash = strrchr(object.dli_fname, '/');
    if (strncmp(slash ? slash + 1 : object.dli_fname, "libgomp", strlen("libgomp")) != 0)
        return false;
    void *library = dlopen(object.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    bool is_of_llvm = library && dlsym(library, "__kmpc_fork_call");
    if (library)
        dlclose(library);
    return !is_of_llvm;
}

void openmp_gomp_find(GompFunction *function, const char *name)
{
    void *address = dlsym(RTLD_NEXT, name);
    bool is_gnu = is_of_gnu(address);
    __atomic_store_n(&function->address, address, __ATOMIC_RELAXED); /* several threads may do this at a time */
    __atomic_store_n(&function->is_gnu, is_gnu, __ATOMIC_RELAXED);
    __atomic_store_n(&function->is_known, true, __ATOMIC_RELEASE);
}

static void *look_up(const void *site, const char *name)
{
    Dl_info caller;
    void *library = dladdr(site, &caller) ? dlopen(caller.dli_fname, RTLD_LAZY | RTLD_NOLOAD) : NULL;
    void *address = library ? dlsym(library, name) : NULL;
    if (!address) {
        fprintf(stderr, "hiera: %s is called, and no runtime of OpenMP has it\n", name);
        abort();
    }
    return address; /* the library stays open, since its address is kept */
}

const GompFunction *openmp_gomp_find_for(const void *site, const char *name)
{
    static __thread struct {
        const void *site;
        const char *name;
        GompFunction function;
    } kept[KEPT], *at;
    at = &kept[((uintptr_t)site ^ (uintptr_t)name >> 3) % KEPT];
    if (at->site != site || at->name != name) {
        void *address = look_up(site, name);
        at->function = (GompFunction){address, is_of_gnu(address), true};
        at->site = site;
        at->name = name;
    }
    return &at->function;
}

/* --- barriers --- */

GOMP_BARRIER(GOMP_barrier, (void), ())
GOMP_BARRIER_CANCEL(GOMP_barrier_cancel)

/* --- what one thread has at a time --- */

/* Define the wrappers of a begin and an end between which the thread is alone. BEGIN is what begins such a region: its
 * parameters are the place and the name. */
#define ALONE(begin, end, BEGIN, name, PARAMETERS, ARGUMENTS)                                                          \
    MARKER_PUBLIC void begin PARAMETERS;                                                                               \
    MARKER_PUBLIC void end PARAMETERS;                                                                                 \
    void begin PARAMETERS                                                                                              \
    {                                                                                                                  \
        GOMP_NEXT(begin);                                                                                              \
        if (is_recorded)                                                                                               \
            BEGIN(GOMP_SITE, OPENMP_ACQUIRE name);                                                                     \
        next_ ARGUMENTS;                                                                                               \
        if (is_recorded) {                                                                                             \
            openmp_end();                                                                                              \
            BEGIN(GOMP_SITE, name);                                                                                    \
        }                                                                                                              \
    }                                                                                                                  \
    void end PARAMETERS                                                                                                \
    {                                                                                                                  \
        GOMP_NEXT(end);                                                                                                \
        next_ ARGUMENTS;                                                                                               \
        if (is_recorded)                                                                                               \
            openmp_end();                                                                                              \
    }

static const char unnamed; /* stands for the lock of all critical sections without a name */

#define OF_UNNAMED(site, name) openmp_begin_on_lock(site, name, &unnamed)
#define OF_NAMED(site, text)   openmp_begin_on_lock(site, text, name)
#define PLAIN(site, name)      openmp_begin(site, name, NULL)
ALONE(GOMP_critical_start, GOMP_critical_end, OF_UNNAMED, OPENMP_CRITICAL, (void), ())
ALONE(GOMP_critical_name_start, GOMP_critical_name_end, OF_NAMED, OPENMP_CRITICAL, (void **name), (name))
ALONE(GOMP_ordered_start, GOMP_ordered_end, PLAIN, OPENMP_ORDERED, (void), ())

GOMP_AROUND(GOMP_atomic_start, OPENMP_ACQUIRE "atomic", (void), ())

/* Locks may be given back in any order, so only the wait for one is a region with a length. LLVM's runtime does not
 * tell those that are only tried apart. */
#define LOCK(name, kind)                                                                                               \
    MARKER_PUBLIC void omp_set_##name(void *lock);                                                                     \
    MARKER_PUBLIC int omp_test_##name(void *lock);                                                                     \
    MARKER_PUBLIC void omp_unset_##name(void *lock);                                                                   \
    void omp_set_##name(void *lock)                                                                                    \
    {                                                                                                                  \
        GOMP_NEXT(omp_set_##name);                                                                                     \
        if (is_recorded)                                                                                               \
            openmp_begin_on_lock(GOMP_SITE, OPENMP_ACQUIRE kind, lock);                                                \
        next_(lock);                                                                                                   \
        if (is_recorded)                                                                                               \
            openmp_end();                                                                                              \
    }                                                                                                                  \
    int omp_test_##name(void *lock)                                                                                    \
    {                                                                                                                  \
        GOMP_FIND(omp_test_##name, GOMP_SITE);                                                                         \
        openmp_tries_lock = true;                                                                                      \
        int has_it = next_(lock);                                                                                      \
        openmp_tries_lock = false;                                                                                     \
        if (has_it)                                                                                                    \
            openmp_mark_lock(GOMP_SITE, OPENMP_ACQUIRE kind, lock);                                                    \
        return has_it;                                                                                                 \
    }                                                                                                                  \
    void omp_unset_##name(void *lock)                                                                                  \
    {                                                                                                                  \
        GOMP_NEXT(omp_unset_##name);                                                                                   \
        if (is_recorded)                                                                                               \
            openmp_mark_lock(GOMP_SITE, OPENMP_RELEASE kind, lock);                                                    \
        next_(lock);                                                                                                   \
    }

LOCK(lock, "lock")
LOCK(lock_, "lock")
LOCK(nest_lock, "nest lock")
LOCK(nest_lock_, "nest lock")
