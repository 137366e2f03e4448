#include "own_calls.h"

#include <string.h>

/* Weak: a program starts whose MPI lacks one that nobody calls. */
#define PRAGMA(text) _Pragma(#text)
#define X(name)      PRAGMA(weak PMPI_##name)
HIERA_OWN_CALLS(X)
#undef X

#define X(name) PMPI_##name,
HieraOwnCalls hiera_own = {HIERA_OWN_CALLS(X)};
#undef X

static void take(void *to, const void *function)
{
    if (function)
        memcpy(to, &function, sizeof function);
}

void hiera_own_take(const HieraSymbols *mpi)
{
#define X(name) take(&hiera_own.name, hiera_symbols_find(mpi, "PMPI_" #name));
    HIERA_OWN_CALLS(X)
#undef X
}
