/* The runtime of GNU (libgomp): what its wrappers share. */
#pragma once

#include "openmp.h"

typedef void GompBody(void *data);

#define GOMP_SITE __builtin_return_address(0)

/* A function of the runtime, found at its first call; `address` NULL: not all libraries see it. `is_gnu`: it is
 * libgomp's; the functions of the same name in LLVM's runtime report by OMPT themselves, and so does a process without
 * any. */
typedef struct GompFunction {
    void *address;
    bool is_gnu, is_known;
} GompFunction;

void openmp_gomp_find(GompFunction *function, const char *name);

/* Return the function for one call from `site`: a runtime that only some libraries see (Python's modules) is that of
 * the caller. */
const GompFunction *openmp_gomp_find_for(const void *site, const char *name);

/* `next_` is the function of the runtime that a call from `site` means. */
#define GOMP_FIND(function, site)                                                                                      \
    static GompFunction found_;                                                                                        \
    if (!__atomic_load_n(&found_.is_known, __ATOMIC_ACQUIRE))                                                          \
        openmp_gomp_find(&found_, #function);                                                                          \
    const bool is_seen_ = __atomic_load_n(&found_.address, __ATOMIC_RELAXED) != NULL;                                  \
    const GompFunction *const seen_ = is_seen_ ? &found_ : openmp_gomp_find_for(site, #function);                      \
    const __typeof__(&function) next_ =                                                                                \
        __extension__(__typeof__(&function)) __atomic_load_n(&seen_->address, __ATOMIC_RELAXED)

/* In a wrapper: `next_` is the runtime's own function, `is_recorded` whether its wrapper records the call. */
#define GOMP_NEXT(function)                                                                                            \
    GOMP_FIND(function, GOMP_SITE);                                                                                    \
    const bool is_recorded = __atomic_load_n(&seen_->is_gnu, __ATOMIC_RELAXED)

/* Place of a construct that is a function of the program, for openmp_begin(): GCC gives the call of the runtime no
 * line, but the function that of the pragma. */
static inline const void *openmp_gomp_site(GompBody *body)
{
    return (const void *)((uintptr_t)body + 1);
}

/* Define a wrapper around a function without a result that does one thing: PARAMETERS and ARGUMENTS in parentheses.
 * BEGIN is what its begin does besides. */
#define GOMP_AROUND_AND(BEGIN, function, name, PARAMETERS, ARGUMENTS)                                                  \
    MARKER_PUBLIC void function PARAMETERS;                                                                            \
    void function PARAMETERS                                                                                           \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        if (is_recorded) {                                                                                             \
            BEGIN;                                                                                                     \
            openmp_begin(GOMP_SITE, name, NULL);                                                                       \
        }                                                                                                              \
        next_ ARGUMENTS;                                                                                               \
        if (is_recorded)                                                                                               \
            openmp_end();                                                                                              \
    }

/* The same for a function with a result. */
#define GOMP_AROUND_RESULT_AND(BEGIN, type, function, name, PARAMETERS, ARGUMENTS)                                     \
    MARKER_PUBLIC type function PARAMETERS;                                                                            \
    type function PARAMETERS                                                                                           \
    {                                                                                                                  \
        GOMP_NEXT(function);                                                                                           \
        if (is_recorded) {                                                                                             \
            BEGIN;                                                                                                     \
            openmp_begin(GOMP_SITE, name, NULL);                                                                       \
        }                                                                                                              \
        type result = next_ ARGUMENTS;                                                                                 \
        if (is_recorded)                                                                                               \
            openmp_end();                                                                                              \
        return result;                                                                                                 \
    }

#define GOMP_AROUND(...)        GOMP_AROUND_AND((void)0, __VA_ARGS__)
#define GOMP_AROUND_RESULT(...) GOMP_AROUND_RESULT_AND((void)0, __VA_ARGS__)

/* The same for a barrier: what came before it, a loop for example, has ended. */
#define GOMP_BARRIER(function, ...) GOMP_AROUND_AND(openmp_end_work(), function, OPENMP_BARRIER, __VA_ARGS__)
#define GOMP_BARRIER_CANCEL(function)                                                                                  \
    GOMP_AROUND_RESULT_AND(openmp_end_work(), bool, function, OPENMP_BARRIER, (void), ())
