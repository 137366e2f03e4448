/* Address → file and line, by debug information. */
#ifndef HIERA_LINES_H
#define HIERA_LINES_H

#include <stdint.h>

/* The file and line of the source that the instruction at `address` is of; NULL if that is not known. The file is as
 * the compiler wrote it; it stays. Not in a signal handler. */
const char *hiera_lines_source(uintptr_t address, int *line);

/* The same of a call. What a header of the system, of MPI or of Hiera has and the compiler put into a function of the
 * program belongs to the line of the program that used it. */
const char *hiera_lines_caller(uintptr_t address, int *line);

/* The name of the function at `address`, by its symbol; NULL if there is none. */
const char *hiera_lines_symbol(uintptr_t address);

#endif
