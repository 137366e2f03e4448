/* Removes files that ranks map (shared_file.h) if the job that made them was killed in MPI_Init. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Whether all processes have ended that the table in a file lists as its users. For HieraSharedFileStale. */
bool hiera_stale_table(const void *memory, size_t bytes);

/* Remove this user's files on this computer, made for ranks to map, whose processes have all ended. */
void hiera_stale_files_remove(void);
