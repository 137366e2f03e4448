/* The functions that the wrappers call. This is PMPI_X, unless the call would have reached another function without
 * Hiera:
 *
 * - a PMPI tool that comes behind Hiera in the order of libraries (the user has preloaded both): Hiera calls the tool,
 * which calls PMPI_X, so the tool sees the same calls as without Hiera;
 * - a function of another owner than MPI: a dummy MPI of a serial program or library, in a process where only libhiera
 * needs the real MPI. It gets its calls, and nothing is recorded. */
#pragma once

#include "base/internal.h"
#include "loaded/loaded_symbols.h"

#include <stdbool.h>

typedef void HieraNextFunction(void);

/* Find the functions other than PMPI_X that wrappers have to call. Called before the first call. */
void hiera_next_load(void);

/* MPI is initialized: from now on a call goes to MPI, except where all callers reach another function. */
void hiera_next_settle(void);

/* Return the function, not MPI's, that the caller at `site` would have reached without Hiera; NULL: it would have
 * reached MPI's. For functions with the flag HIERA_FILTERED_OTHER. */
HieraNextFunction *hiera_mpi_other(unsigned call, const void *site) HIERA_INTERNAL;

/* Return the function of a PMPI tool behind Hiera, or of another owner than MPI, that the wrapper of this function
 * calls; NULL: it calls MPI. */
const void *hiera_next_behind(unsigned call);
/* Whether there is such a function at all. */
bool hiera_next_is_any_behind(void);

/* Whether a PMPI tool comes behind Hiera in the order of libraries. */
extern bool hiera_next_has_tool HIERA_INTERNAL;

/* To whom the code of a function with an MPI name belongs. Signal handlers must not ask. */
typedef enum HieraFunctionOwner {
    HIERA_OWNER_NOBODY,
    HIERA_OWNER_HIERA,
    HIERA_OWNER_MPI,
    HIERA_OWNER_TOOL,
    HIERA_OWNER_OTHER
} HieraFunctionOwner;

/* Return the owner of the function at this address. `call`: the MPI function whose name it has. */
HieraFunctionOwner hiera_next_owner(const void *function, unsigned call);

/* Whether this program or library has Hiera's code in it. */
bool hiera_next_is_ours(const HieraSymbols *object);

/* For an external name of an object: the first function returns whether a tool calls MPI through it; the second,
 * whether it is the PMPI name, in Fortran or C, of the function with the Fortran name `name`. */
bool hiera_next_goes_on(const char *asked, const void *unused);
bool hiera_next_is_twin(const char *asked, const void *name);
