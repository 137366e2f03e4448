/* What LLVM's runtime does not tell by OMPT, and its functions are wrapped for. */
#pragma once

#include "gomp.h"

/* The loop that this thread begins just now; `site` NULL: none of these functions was called. */
typedef struct KmpcLoop {
    const void *site;
    const HieraPrepared *schedule; /* as arguments; NULL: not known */
} KmpcLoop;

extern __thread KmpcLoop openmp_kmpc;

/* From where the runtime is called to enqueue a task, until it says that the task is created; NULL: it is not. */
extern __thread const void *openmp_enqueues;

/* Return what identifies the innermost task that this thread has begun; NULL: there is none. */
const void *openmp_innermost_task(void);

/* That task is left, before it has ended. */
void openmp_leave_task(void);
