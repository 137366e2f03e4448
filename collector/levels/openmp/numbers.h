/* Numbers of regions, locks, tasks and data, as arguments of constructs. */
#pragma once

#include "openmp.h"

/* Arguments that a thread has made last: a program has the same ones again and again. */
typedef struct OpenmpNumbers {
    unsigned number, region;
    HieraPrepared args;
} OpenmpNumbers;

/* Return "NAME=NUMBER region=REGION" without those that are 0. `name` ends with '='. */
const HieraPrepared *openmp_args(OpenmpNumbers *kept, const char *name, unsigned number, unsigned region);

/* Things at addresses, which all threads know by the same numbers. */
typedef struct OpenmpThings {
    uint64_t *entries; /* the low bits of an address and, above them, the number; entries are only added */
    unsigned n;        /* how many: a power of two, at most 32768 */
    unsigned last;     /* number */
} OpenmpThings;

/* Return the number of what is at an address; 0: the program has too many. */
unsigned openmp_number(OpenmpThings *things, const void *address);
