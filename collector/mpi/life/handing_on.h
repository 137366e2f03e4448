/* A tool may hand calls on by another library: libtool.so has MPI_Send and calls libhelper.so, which calls PMPI_Send. A
 * dummy MPI hands on nothing, and nor does a library that it needs. */
#ifndef HIERA_HANDING_ON_H
#define HIERA_HANDING_ON_H

#include "loaded/loaded_symbols.h"

/* Does a library that the object needs, or one that this one needs, and so on, ask others for a name for which `is`
 * holds? MPI's libraries do not count. Not to be asked in a signal handler. */
bool hiera_needed_ask(const HieraSymbols *object, bool (*is)(const char *name, const void *data), const void *data);

/* Is this the name of a library of MPI, or of MPI's Fortran? */
bool hiera_is_of_mpi(const char *library);

#endif
