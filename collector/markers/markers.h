/* Markers of other tools as regions of Hiera: what libhiera-markers stands on.
 *
 * It is a library of its own, which hiera-run preloads only into programs that need its functions: a program may look
 * whether it finds them. libhiera is not linked: where it is not in the process, nothing is recorded. If the library of
 * the tool is there, behind this one, each call goes on to it, and its answer is the program's. */
#ifndef HIERA_MARKERS_H
#define HIERA_MARKERS_H

#include "hiera.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#pragma weak hiera_open_scope
#pragma weak hiera_close_scope

#define MARKER_PUBLIC __attribute__((visibility("default")))

/* Whether Hiera is here. */
static inline int marker_is_recorded(void)
{
    return hiera_open_scope && hiera_close_scope;
}

/* The function of that name that would have been called without us, NULL if there is none; looked up once in each place
 * that asks. */
#define MARKER_NEXT(function)                                                                                          \
    __extension__({                                                                                                    \
        static void *next_;                                                                                            \
        void *found_ = __atomic_load_n(&next_, __ATOMIC_ACQUIRE);                                                      \
        if (!found_) {                                                                                                 \
            found_ = dlsym(RTLD_NEXT, #function);                                                                      \
            found_ = found_ ? found_ : (void *)&next_;                                                                 \
            __atomic_store_n(&next_, found_, __ATOMIC_RELEASE);                                                        \
        }                                                                                                              \
        found_ == (void *)&next_ ? NULL : (__typeof__(&function))found_;                                               \
    })

/* Markers that are open in this thread: each has a key of its own, which no variable has as its address. */
enum { MARKERS_MAX = 256, MARKER_NESTED = 1, MARKER_PROCESS = 1 << 20 };

#define MARKER_KEY(number) ((void *)(UINTPTR_MAX - (uintptr_t)(number)))

#endif
