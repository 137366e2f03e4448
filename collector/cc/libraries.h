/* Adds libhiera to the command that links a program. */
#pragma once

#include "command_line.h"

/* Whether a named object or library has the symbol of assertions, so that the program needs libhiera. */
bool hiera_libraries_are_needed(const HieraCommandLine *line);

/* Return the words with libhiera before the MPI library, or behind the last file.
 *
 * @param words  words of `line`, with sources replaced by edited ones at the same indices */
HieraWords hiera_libraries_add(const HieraCommandLine *line, const HieraWords *words, const HieraWords *compiler);
