/* Finds and loads libhiera-parallel-NAME.so. */
#ifndef HIERA_PARALLEL_LIBRARY_H
#define HIERA_PARALLEL_LIBRARY_H

#include "transport.h"
#include <glib.h>

/* @return NULL with an error if there is none that can be loaded */
const HieraTransport *hiera_parallel_library_load(const char *mpi, GError **error);

#endif
