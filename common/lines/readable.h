/* Converts the symbol of a function to its name in the source: demangles C++, and undoes the name changes of gfortran.
 */
#pragma once

#include <stddef.h>

/* Write the readable name of a symbol, cut to `room` bytes with a NUL at the end.
 *
 * Calls malloc: not for signal handlers. C++ names are demangled if the process has __cxa_demangle (every process with
 * C++ code has it); otherwise the symbol is written as it is.
 * @param file  source file of the function, whose ending tells the language; NULL if it is not known */
void hiera_readable_symbol(char *to, size_t room, const char *symbol, const char *file);
