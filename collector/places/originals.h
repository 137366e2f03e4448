/* Original addresses of code that runs as a copy elsewhere (loops/); traces contain the original ones. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Call this when copies of code may exist. `find` replaces the address of a copy by that of its original and returns
 * true, or returns false. It is safe in a signal handler. */
void hiera_originals_begin(bool (*find)(uintptr_t *address));

const void *hiera_original(const void *address);
