/* Which code is the program's: threads and waits of MPI, of runtimes and of Hiera are not recorded. */
#pragma once

#include <stdbool.h>

/* Whether an address is in the program, or in a library of it that was there when it started. Takes no lock. */
bool threads_is_of_program(const void *address);
