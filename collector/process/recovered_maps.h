/* Files that were mapped in a process that was killed, and their addresses: the places of its calls are looked up
 * there. */
#pragma once

#include "memory/kept_file.h"

#include <stdbool.h>

/* Use the list of the killed process from now on (base/proc_maps.h). A file that was changed since counts as missing:
 * it would give wrong lines. */
bool hiera_recovered_maps_take(const HieraKeptHeader *header);

/* Return the id of this computer's present boot. */
const char *hiera_recovered_boot(void);
