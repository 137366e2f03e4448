/* libdw: loaded when the first address is to be resolved, and which objects of this process it knows.
 *
 * Hiera brings no library into a process that does not need it, and works where libdw is absent. It is asked for local
 * debug information only: its standard search may ask servers on the network, and a guest does not do that in a job.
 * Nothing here may be called in a signal handler: libdw and the dynamic linker allocate and lock. */
#ifndef HIERA_LIBDW_H
#define HIERA_LIBDW_H

#include <stdint.h>

/* The line of the instruction at `address`, and the line of the call there (lines.h); NULL if that is not known. Loads
 * libdw at the first call. Called with the writer's lock held. */
const char *hiera_libdw_source(uintptr_t address, int *line);
const char *hiera_libdw_caller(uintptr_t address, int *line);

/* The name of the function at `address`, by its symbol; NULL if there is none. */
const char *hiera_libdw_symbol(uintptr_t address);

#ifdef HIERA_HAVE_LIBDW

#include "lines/lines.h"

/* The file with the debug information of an object, for libdw (Dwfl_Callbacks.find_debuginfo). debuglink.c */
int hiera_debuglink_find(Dwfl_Module *module, void **userdata, const char *module_name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word sum, char **found);

#endif
#endif
