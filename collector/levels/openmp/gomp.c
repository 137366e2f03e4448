/* See gomp.h. Barriers, critical sections, locks: each is one call of the runtime, in which a thread may wait. */
#include "gomp.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEPT = 64 };

/* For hiera-run: preloaded when asked for, --level=openmp. */
const char hiera_level_openmp[] __attribute__((used)) = "\nhiera-level name=openmp levels=openmp libraries=\n";

void openmp_gomp_find(GompFunction *function, const char *name)
{
    Dl_info object;
    void *address = dlsym(RTLD_NEXT, name);
    const char *path = address && dladdr(address, &object) ? object.dli_fname : "libgomp";
    const char *slash = strrchr(path, '/');
    bool is_gnu = strncmp(slash ? slash + 1 : path, "libgomp", strlen("libgomp")) == 0;
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

void *openmp_gomp_find_for(const void *site, const char *name)
{
    static __thread struct {
        const void *site;
        const char *name;
        void *address;
    } kept[KEPT], *at;
    at = &kept[((uintptr_t)site ^ (uintptr_t)name >> 3) % KEPT];
    if (at->site != site || at->name != name) {
        at->address = look_up(site, name);
        at->site = site;
        at->name = name;
    }
    return at->address;
}

/* --- barriers --- */

GOMP_BARRIER(GOMP_barrier, (void), ())
GOMP_BARRIER_CANCEL(GOMP_barrier_cancel)

/* --- what one thread has at a time --- */

/* Define the wrappers of a begin and an end between which the thread is alone. */
#define ALONE(begin, end, name, PARAMETERS, ARGUMENTS)                                                                 \
    MARKER_PUBLIC void begin PARAMETERS;                                                                               \
    MARKER_PUBLIC void end PARAMETERS;                                                                                 \
    void begin PARAMETERS                                                                                              \
    {                                                                                                                  \
        GOMP_NEXT(begin);                                                                                              \
        if (is_recorded)                                                                                               \
            OPENMP_BEGIN(GOMP_SITE, OPENMP_ACQUIRE name, NULL);                                                        \
        next_ ARGUMENTS;                                                                                               \
        if (is_recorded) {                                                                                             \
            OPENMP_END();                                                                                              \
            OPENMP_BEGIN(GOMP_SITE, name, NULL);                                                                       \
        }                                                                                                              \
    }                                                                                                                  \
    void end PARAMETERS                                                                                                \
    {                                                                                                                  \
        GOMP_NEXT(end);                                                                                                \
        next_ ARGUMENTS;                                                                                               \
        if (is_recorded)                                                                                               \
            OPENMP_END();                                                                                              \
    }

ALONE(GOMP_critical_start, GOMP_critical_end, OPENMP_CRITICAL, (void), ())
ALONE(GOMP_critical_name_start, GOMP_critical_name_end, OPENMP_CRITICAL, (void **name), (name))
ALONE(GOMP_ordered_start, GOMP_ordered_end, OPENMP_ORDERED, (void), ())

GOMP_AROUND(GOMP_atomic_start, OPENMP_ACQUIRE "atomic", (void), ())

/* Locks may be given back in any order, so only the wait for one is a region. */
GOMP_AROUND(omp_set_lock, OPENMP_ACQUIRE "lock", (void *lock), (lock))
GOMP_AROUND(omp_set_lock_, OPENMP_ACQUIRE "lock", (void *lock), (lock))
GOMP_AROUND(omp_set_nest_lock, OPENMP_ACQUIRE "nest lock", (void *lock), (lock))
GOMP_AROUND(omp_set_nest_lock_, OPENMP_ACQUIRE "nest lock", (void *lock), (lock))
