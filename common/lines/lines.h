/* Finds source file and line of an instruction in debug information (DWARF). Knows nothing of traces: the collector
 * asks for addresses of its own process, hiera-transform for addresses in the files of a program that ran. */
#pragma once

#include "libdw_functions.h"

/* Find the source line of an instruction.
 *
 * @param address  in the process (collector) or in the module as libdwfl placed it (analyser)
 * @param line     receives the line, from 1; unchanged if nothing is found
 * @return  the source file as it was named to the compiler, NULL if there is no debug information for the address. The
 * text belongs to `module`. Calls malloc: not for signal handlers. One thread at a time. */
const char *hiera_lines_source(Dwfl_Module *module, Dwarf_Addr address, int *line);

/* Like hiera_lines_source(), for the place of a call. If the line is in a header of the system, of MPI or of Hiera and
 * was inlined into a function of the program, this gives the line of the program that used the header. */
const char *hiera_lines_caller(Dwfl_Module *module, Dwarf_Addr address, int *line);
