/* Files that ranks map (shared_file.h) and that are left behind: those of jobs that were killed in MPI_Init. */
#ifndef HIERA_STALE_FILES_H
#define HIERA_STALE_FILES_H

#include <stdbool.h>
#include <stddef.h>

/* Have all processes ended that the table in a file names? */
bool hiera_stale_table(const void *memory, size_t bytes);

/* Remove those of this user, on this computer, whose processes have all ended. */
void hiera_stale_files_remove(void);

#endif
