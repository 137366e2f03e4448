/* What was mapped where in a process that was killed: its places are looked up in those files. */
#ifndef HIERA_RECOVERED_MAPS_H
#define HIERA_RECOVERED_MAPS_H

#include "memory/kept_file.h"

#include <stdbool.h>

/* Use its list from now on (base/proc_maps.h). A file that was changed since counts as missing: it would give wrong
 * lines. */
bool hiera_recovered_maps_take(const HieraKeptHeader *header);

/* The start of this computer that this is. */
const char *hiera_recovered_boot(void);

#endif
