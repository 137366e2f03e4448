/* Adds libhiera to the command that links a program. */
#pragma once

#include "command_line.h"

/* Whether the program to be linked has assertions: one of the named files has the symbol. */
bool hiera_libraries_are_needed(const HieraCommandLine *line);

/* Return the words with libhiera before the MPI library, or behind the last file.
 *
 * @param words  words of `line`, with sources replaced by edited ones at the same indices */
HieraWords hiera_libraries_add(const HieraCommandLine *line, const HieraWords *words, const HieraWords *compiler);
