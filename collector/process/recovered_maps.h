/* Files that were mapped in a process that was killed, and their addresses: the places of its calls are looked up
 * there. */
#pragma once

#include "memory/kept_file.h"

#include <stdbool.h>

/* Look up addresses in the killed process's list of mapped files from now on (base/proc_maps.h). A file that was
 * changed since counts as missing, because its line numbers would be wrong. */
bool hiera_recovered_maps_take(const HieraKeptHeader *header);

/* Return the id of this computer's present boot. */
const char *hiera_recovered_boot(void);
