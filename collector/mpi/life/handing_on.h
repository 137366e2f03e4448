/* A tool may pass calls on through another library: libtool.so has MPI_Send and calls libhelper.so, which calls
 * PMPI_Send. A dummy MPI passes nothing on, and nor does a library that it needs. */
#pragma once

#include "loaded/loaded_symbols.h"

/* Whether a library that the object needs, directly or through others, refers to an external name for which `is` is
 * true. MPI's libraries do not count. Not for signal handlers. */
bool hiera_needed_ask(const HieraSymbols *object, bool (*is)(const char *name, const void *data), const void *data);

/* Whether this is the file name of a library of MPI, or of MPI's Fortran interface. */
bool hiera_is_of_mpi(const char *library);
