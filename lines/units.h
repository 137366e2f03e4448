/* Compilation units by address, where an object has no table of them.
 *
 * libdw finds the unit of an address by the section .debug_aranges, which clang and other compilers based on LLVM do
 * not write. So the address ranges of all units are read once for each object that needs it, and sorted. */
#ifndef HIERA_UNITS_H
#define HIERA_UNITS_H

#include "lines.h"

/* The unit whose code is at `address` of the process: its DIE, and what its own addresses are less by. Reads the units
 * of `module` at the first call: 16 bytes for each range, at most a million. Where
 * hiera_lines_has_units(). Called with the writer's lock held, never in a signal handler. */
bool hiera_units_find(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Die *unit, Dwarf_Addr *bias);

#endif
