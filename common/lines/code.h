/* Functions of a compilation unit by address. To find them the whole tree of DIEs of the unit must be walked, and C++
 * makes large trees. So each unit is walked once, and its functions are kept, sorted by address. */
#pragma once

#include "libdw_functions.h"

/* Find the function of a unit whose code is at `address` (relative to the object's own addresses).
 *
 * Requires hiera_dw_has_tree() and hiera_dw_has_units(). Calls malloc: not for signal handlers. One thread at a time.
 * @param function  receives the DIE of the function
 * @return  false if no function has code there */
bool hiera_code_find_function(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *function);
