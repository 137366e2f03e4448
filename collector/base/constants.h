/* Finds memory that the program cannot change while it runs: its own code and constants. Shared libraries are excluded,
 * since another one may be mapped where a closed one was; so are programs that are linked statically. */
#pragma once

#include <stdbool.h>

/* Whether an address is in the program's constants or code. It goes through the program headers, so it is too slow for
 * every call. */
bool hiera_is_constant(const void *address);
