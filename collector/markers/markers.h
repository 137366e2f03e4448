/* Markers of other tools (NVTX, Caliper) as regions: base of libhiera-markers.
 *
 * It is a separate library. hiera-run preloads it only into programs that need its functions, since a program may test
 * for their presence. It does not link libhiera, and records nothing without it. If the tool's own library is in the
 * process, each call is passed on to it, and the program gets its result. */
#pragma once

#include "hiera.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

#pragma weak hiera_open_scope
#pragma weak hiera_close_scope

#define MARKER_PUBLIC __attribute__((visibility("default")))

/* Whether libhiera is in the process. */
static inline int marker_is_recorded(void)
{
    return hiera_open_scope && hiera_close_scope;
}

/* The tool's own function of that name; NULL: none. Looked up once for each place where this macro stands. */
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

/* First numbers for MARKER_KEY(): of markers nested in a thread, and of ranges that any thread may end. */
enum { MARKERS_MAX = 256, MARKER_NESTED = 1, MARKER_PROCESS = 1 << 20 };

#define MARKER_KEY(number) ((void *)(UINTPTR_MAX - (uintptr_t)(number)))
