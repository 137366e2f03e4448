/* Where MPI is. libhiera for one MPI needs its library, which is loaded with it. libhiera-abi is linked with none,
 * since the library of the ABI is libmpi_abi.so.1 in most MPIs and libmpi_abi.so.0 in MPICH 5.0: it calls the one that
 * the process has. If the program has loaded it for itself alone, as an interpreter does for a module, it is made
 * global. */
#pragma once

#include <stdbool.h>

#ifdef HIERA_ABI
extern bool hiera_mpi_was_found;

/* Whether PMPI functions may be called: not in a process that has loaded no MPI. Looks for MPI. */
bool hiera_mpi_is_there(void);

/* The program calls MPI. Without MPI the process ends, as the dynamic linker would end it. */
void hiera_mpi_find(void);
#else
enum { hiera_mpi_was_found = true };

static inline bool hiera_mpi_is_there(void)
{
    return true;
}

static inline void hiera_mpi_find(void)
{
}
#endif

/* Whether MPI was found so far. For signal handlers, which cannot look for it. */
static inline bool hiera_mpi_is_known(void)
{
    return hiera_mpi_was_found;
}

/* Called before each call of MPI that the program makes. */
static inline void hiera_mpi_require(void)
{
    if (__builtin_expect(!hiera_mpi_was_found, 0))
        hiera_mpi_find();
}
