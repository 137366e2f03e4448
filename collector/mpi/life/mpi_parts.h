/* The parts (components) of Open MPI, each in a library of its own.
 *
 * MPI_Init unloads parts that it does not use. MPI_T loads them again, for their variables: reading a performance
 * variable of such a part may crash. And some variables stay valid when MPI unloads the part that has them. */
#pragma once

#include <stdbool.h>

/* List the loaded parts before MPI_T is initialised (`is_begun`: the program did that), and keep them loaded after. */
void hiera_parts_note(bool is_begun);
void hiera_parts_compare(void);

/* Whether the part of Open MPI that has this MPI_T variable may be unused by MPI. */
bool hiera_part_may_be_unused(const char *variable);
