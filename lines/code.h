/* Functions of a compilation unit by address. What is inlined in a function stands in its tree, and that is found by a
 * walk through the tree of the whole unit, of which C++ makes a large one: so there is one walk for each unit. */
#ifndef HIERA_CODE_H
#define HIERA_CODE_H

#include "lines.h"

/* The function of the unit that has the code at `address`; false if there is none. Where hiera_lines_has_tree() and
 * hiera_lines_has_units(). Not for signal handlers, nor two threads at once. */
bool hiera_code_find_function(Dwarf_Die *unit, Dwarf_Addr address, Dwarf_Die *function);

#endif
