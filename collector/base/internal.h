/* HIERA_INTERNAL: for a variable of the library that is used where each instruction counts. Without it, the address is
 * loaded first, since the compiler does not know that no other library defines the variable. */
#ifndef HIERA_INTERNAL_H
#define HIERA_INTERNAL_H

#define HIERA_INTERNAL __attribute__((visibility("hidden")))

#endif
