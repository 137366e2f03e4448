/* Which library of OpenMP is loaded: its threads may compute without making a call. */
#pragma once

/* Look for the library, unless one was found before. Takes a lock of the dynamic linker: not with the collector's lock,
 * and not in a signal handler. */
void hiera_openmp_find(void);

/* Return the file name of the library that was found; "": none. */
const char *hiera_openmp_library(void);
