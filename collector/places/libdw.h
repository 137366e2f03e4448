/* Loads libdw at the first look-up, and reports the objects of this process to it.
 *
 * So Hiera brings no library into a process without need, and works without libdw. Only local debug information is
 * used: the standard search of libdw may ask servers on the network, which a tool must not do in a job. Not for signal
 * handlers: libdw and the dynamic linker allocate memory and take locks. */
#pragma once

#include <stdint.h>

/* Return source file and line of the instruction at `address`; of the call at `address` (see lines.h). NULL if unknown.
 * The first call loads libdw. Called with the lock held. */
const char *hiera_libdw_source(uintptr_t address, int *line);
const char *hiera_libdw_caller(uintptr_t address, int *line);

/* Name of the symbol (function) that contains `address`; NULL if there is none. */
const char *hiera_libdw_symbol(uintptr_t address);

#ifdef HIERA_HAVE_LIBDW

#include "lines/lines.h"

/* Find the file with the debug information of an object: a callback for libdw (Dwfl_Callbacks.find_debuginfo). In
 * debuglink.c. */
int hiera_debuglink_find(Dwfl_Module *module, void **userdata, const char *module_name, Dwarf_Addr base,
                         const char *file, const char *link, GElf_Word sum, char **found);

#endif
