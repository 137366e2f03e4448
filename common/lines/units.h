/* Compilation units by address, for objects without .debug_aranges.
 *
 * libdw finds the unit of an address in the section .debug_aranges, which compilers based on LLVM do not write. For
 * such an object the address ranges of all its units are read once and sorted. */
#pragma once

#include "libdw_functions.h"

/* Find the unit whose code is at `address`.
 *
 * Requires hiera_dw_has_units(). The first call for a module reads its units: 16 bytes for each range, at most 16 MB.
 * Calls malloc: not for signal handlers. One thread at a time.
 * @param unit  receives the DIE of the unit
 * @param bias  receives `address` minus the same address in the object's own numbering
 * @return  false if no unit has code there */
bool hiera_units_find(Dwfl_Module *module, Dwarf_Addr address, Dwarf_Die *unit, Dwarf_Addr *bias);
