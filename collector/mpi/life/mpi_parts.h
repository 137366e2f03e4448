/* The parts of Open MPI, each in a library of its own.
 *
 * MPI_Init unloads those that it does not use. MPI_T loads them again, for their variables: to touch a performance
 * variable of such a part may be a crash. And some variables stay valid when MPI unloads the part that has them. */
#ifndef HIERA_MPI_PARTS_H
#define HIERA_MPI_PARTS_H

#include <stdbool.h>

/* Before MPI_T begins, and after. No part that is loaded then is ever unloaded. */
void hiera_parts_note(bool is_begun);
void hiera_parts_compare(void);

/* May MPI not use the part of the variable with this name? */
bool hiera_part_may_be_unused(const char *variable);

#endif
