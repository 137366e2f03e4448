/* Finds and loads libhiera-parallel-NAME.so, the part of hiera-transform that calls MPI. */
#pragma once

#include <glib.h>

/* @param mpi    NAME, or the path of the library
 * @param built  its folder in the build, relative to that of the program
 * @param table  name of the symbol to look up in it
 * @return NULL with an error if no library can be loaded */
gconstpointer hiera_parallel_library_load(const char *mpi, const char *built, const char *table, GError **error);
