/* Files that ranks map (shared_file.h) and that were left behind by jobs that were killed in MPI_Init. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether all processes that the table in a file lists have ended. */
bool hiera_stale_table(const void *memory, size_t bytes);

/* Remove files of this user on this computer whose processes have all ended. */
void hiera_stale_files_remove(void);
