/* What the program cannot change as long as it runs: its own code and constants. Of libraries nothing is known, since
 * another one may come to the place of one that is closed; nor of a program that is linked statically. */
#ifndef HIERA_CONSTANTS_H
#define HIERA_CONSTANTS_H

#include <stdbool.h>

/* Whether an address is in its constants or code. Goes through the headers of the program: not for each call. */
bool hiera_is_constant(const void *address);

#endif
