/* Names of instrumented functions, and the clauses that they fit. Each thread looks up a function once; afterwards this
 * takes no lock. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct HieraProbedFunction {
    const void *function; /* address of the function; NULL: the entry of the table is empty */
    const char *name;
    uint64_t clauses;
} HieraProbedFunction;

typedef struct HieraProbedFunctions {
    HieraProbedFunction *at; /* hash table by address of a function */
    size_t n, room;
} HieraProbedFunctions;

/* Find or add a function.
 *
 * @param find  returns the clauses that fit a name
 * @return  NULL if there is no memory. Valid until the next call in this thread. */
const HieraProbedFunction *hiera_probed_function(HieraProbedFunctions *functions, const void *function,
                                                 uint64_t (*find)(const char *name));

void hiera_probed_functions_clear(HieraProbedFunctions *functions);
