/* Code may run as a copy somewhere else (loops/): then its addresses are those of the original, in all that is written.
 */
#ifndef HIERA_ORIGINALS_H
#define HIERA_ORIGINALS_H

#include <stdbool.h>
#include <stdint.h>

/* From now on there are copies. `find` makes the address of a copy that of its original and returns true, or returns
 * false. It is safe in a signal handler. */
void hiera_originals_begin(bool (*find)(uintptr_t *address));

const void *hiera_original(const void *address);

#endif
