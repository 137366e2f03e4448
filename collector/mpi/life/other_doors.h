/* MPI calls that do not come by the usual binding of symbols: by dlsym() and a handle of MPI's library (Python's
 * ctypes, Julia, plug-ins), from a library that was loaded with RTLD_DEEPBIND, by a PMPI name, or from an object that
 * has MPI before Hiera in its order of libraries.
 *
 * The names in the symbol tables of MPI's libraries lead to Hiera's wrappers, for whatever is loaded later, and so do
 * the references of loaded objects that were bound to MPI before. MPI's own references stay bound to MPI; those of its
 * components that are loaded later are known by the caller (twins.h). The wrappers call MPI by addresses that were
 * found before. So a call of any kind comes to a wrapper, and a call of the usual kind takes not one instruction more.
 * HIERA_MORE=bind=names leaves all of that away.
 */
#pragma once

#include <stdbool.h>

/* Open the doors. Called when the wrappers know what they call (next_functions.h), before the first call. */
void hiera_doors_open(void);

/* Bind the references of a library of MPI that Hiera has loaded to MPI, if the doors are open. */
void hiera_doors_open_again(void);

/* Find what may have called MPI past Hiera nevertheless. Called when MPI begins, when it ends, or the process. Not in a
 * signal handler.
 */
void hiera_doors_look_past(void);

/* Calls have come past Hiera: if nothing was found that says whose, note that. May be called in a signal handler. */
void hiera_doors_note_some(void);

/* Whether hiera_doors_look_past() has found a second copy of MPI that is initialized. */
bool hiera_doors_copy_is_used(void);

/* Return text number i, from 0, about calls that came past Hiera; NULL: there are no more. May be called in a signal
 * handler. */
const char *hiera_doors_missing(unsigned i);
