/* Calls by PMPI names in a program that has MPI itself in it, as a library of the linker (libmpich.a). The linker has
 * bound them and left no reference, so only the program's code and its table of symbols say whether there are some. */
#pragma once

typedef enum HieraStaticCalls {
    HIERA_STATIC_NONE,
    HIERA_STATIC_SOME,
    HIERA_STATIC_UNKNOWN /* the program has no table of symbols, or is for another processor */
} HieraStaticCalls;

/* Whether functions or tables of pointers of the program refer to recorded functions of MPI by PMPI names. Call this
 * when MPI has begun, not in a signal handler. */
HieraStaticCalls hiera_static_calls_find(void);
