/* libhiera in the command that links a program. */
#ifndef HIERA_CC_LIBRARIES_H
#define HIERA_CC_LIBRARIES_H

#include "command_line.h"

/* Whether the program to be linked has assertions: one of the files that are named has the symbol. */
bool hiera_libraries_are_needed(const HieraCommandLine *line);

/* Return the words with libhiera before the MPI library, or behind the last file.
 *
 * @param words  those of `line`, with sources exchanged; each stands where it stood */
HieraWords hiera_libraries_add(const HieraCommandLine *line, const HieraWords *words, const HieraWords *compiler);

#endif
