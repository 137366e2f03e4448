/* What the wrappers call. That is PMPI_X, unless the call would have reached another function without Hiera:
 *
 * - a PMPI tool that comes behind Hiera in the order of libraries (the user has preloaded both): it is called by Hiera,
 * and calls PMPI_X, so it sees what it would see without Hiera;
 * - a function of somebody who is not MPI: a dummy MPI of a serial program or library, which libhiera brings the real
 * MPI into. It gets its calls, and nothing is recorded. */
#ifndef HIERA_NEXT_FUNCTIONS_H
#define HIERA_NEXT_FUNCTIONS_H

#include "base/internal.h"
#include "loaded/loaded_symbols.h"

#include <stdbool.h>

typedef void HieraNextFunction(void);

/* Before the first call: look who is there. */
void hiera_next_load(void);

/* MPI has begun: from now on a caller's function is MPI's, unless that of all is not. */
void hiera_next_settle(void);

/* The function of somebody who is not MPI, which the caller at `site` would have reached; NULL: it is MPI's. Of
 * functions with the flag HIERA_FILTERED_OTHER. */
HieraNextFunction *hiera_mpi_other(unsigned call, const void *site) HIERA_INTERNAL;

/* Is there a tool behind Hiera? */
extern bool hiera_next_has_tool HIERA_INTERNAL;

/* Whose function is it? Not to be asked in a signal handler. */
typedef enum HieraFunctionOwner {
    HIERA_OWNER_NOBODY,
    HIERA_OWNER_HIERA,
    HIERA_OWNER_MPI,
    HIERA_OWNER_TOOL,
    HIERA_OWNER_OTHER
} HieraFunctionOwner;

/* `call`: the function that the address should be. */
HieraFunctionOwner hiera_next_owner(const void *function, unsigned call);

/* Is this the object that Hiera is in? */
bool hiera_next_is_ours(const HieraSymbols *object);

/* Of a name that an object asks others for: does a tool go on to MPI by it? Is it the PMPI name, of Fortran or C, of
 * the function that has this name in Fortran? */
bool hiera_next_goes_on(const char *asked, const void *unused);
bool hiera_next_is_twin(const char *asked, const void *name);

#endif
