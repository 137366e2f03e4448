/* MPI calls that do not come by the usual binding of symbols: by dlsym() and a handle of MPI's library (Python's
 * ctypes, Julia, plug-ins), from a library that was loaded with RTLD_DEEPBIND, by a PMPI name, or from an object that
 * has MPI before Hiera in its order of libraries.
 *
 * The names in the symbol table of MPI's library lead to Hiera's wrappers, and so do the references of loaded objects
 * that were bound to MPI before. The wrappers call MPI by addresses that were found before. So a call of any kind comes
 * to a wrapper, and a call of the usual kind takes not one instruction more. HIERA_BIND=names leaves all of that away.
 */
#pragma once

/* Open the doors. Called when the wrappers know what they call (next_functions.h), before the first call. */
void hiera_doors_open(void);

/* Find what may have called MPI past Hiera nevertheless. Called when MPI ends, or the process. Not in a signal handler.
 */
void hiera_doors_look_past(void);

/* Return text number i, from 0, about calls that came past Hiera; NULL: there are no more. May be called in a signal
 * handler. */
const char *hiera_doors_missing(unsigned i);
