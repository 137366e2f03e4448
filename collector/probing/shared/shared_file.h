/* Memory that the processes of a job share on one computer: a file in memory, which has a name until all processes have
 * opened it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Map the file of a number; the first process makes it. All pages are allocated: no access fails later.
 *
 * @param init      initialises zeroed memory before any other process sees it
 * @param is_stale  whether the contents of an existing file are of no more use; then the file is made anew
 * @param error     becomes an errno
 * @return  NULL if it fails */
typedef bool HieraSharedFileStale(const void *memory, size_t bytes);
void *hiera_shared_file_map(uint64_t number, size_t bytes, bool (*init)(void *memory, size_t bytes),
                            HieraSharedFileStale *is_stale, int *error);

/* Remove a file of this name in the folder if it is stale. Safe if several processes do this at once: a file that is
 * made meanwhile is not removed. */
void hiera_shared_file_remove(const char *name, HieraSharedFileStale *is_stale);

/* The folder of such files. Whether a file of this name belongs to this user, and to processes whose process ids are
 * valid here. */
extern const char hiera_shared_file_folder[];
bool hiera_shared_file_is_of_here(const char *name);

/* Remove the name of the file, so that no other process opens it. The memory stays mapped. */
void hiera_shared_file_hide(uint64_t number);
