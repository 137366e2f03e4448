/* HIERA_INTERNAL: for a variable of the library that is used where each instruction counts. Without it, the address is
 * loaded first, since the compiler does not know that no other library defines the variable. */
#pragma once

#define HIERA_INTERNAL __attribute__((visibility("hidden")))
