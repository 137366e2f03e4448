/* Complete one trace. */
#ifndef HIERA_COMPLETE_H
#define HIERA_COMPLETE_H

#include "memory/kept_files.h"

/* In a process of its own, with the settings of the killed one. @return whether it is complete; a line says so, or why
 * not */
bool hiera_complete(const HieraKeptFound *found);

/* In that process: do it. @return its exit status */
int hiera_complete_here(const char *path);

#endif
