/* HIERA_INTERNAL: a variable of the library that is used where each instruction counts. Without this its address is
 * loaded first, since the compiler does not know that no other library defines it. */
#ifndef HIERA_INTERNAL_H
#define HIERA_INTERNAL_H

#define HIERA_INTERNAL __attribute__((visibility("hidden")))

#endif
