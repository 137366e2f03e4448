/* What LLVM's runtime does not tell by OMPT, and its functions are wrapped for. */
#pragma once

#include "gomp.h"

/* The loop that this thread begins just now; `site` NULL: none of these functions was called. */
typedef struct KmpcLoop {
    const void *site;
    const HieraPrepared *schedule; /* as arguments; NULL: not known */
} KmpcLoop;

extern __thread KmpcLoop openmp_kmpc;
