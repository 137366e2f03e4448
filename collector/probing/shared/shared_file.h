/* Memory that the processes of a job have in common on one computer: a file without a disk, which has a name until all
 * have come. */
#ifndef HIERA_SHARED_FILE_H
#define HIERA_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Map the file of a number, which the first one makes. Its pages are there: no access fails later.
 *
 * @param init      makes zeroed memory what it is to be, before anybody else sees it
 * @param is_stale  whether what is in a file that is there already is of no use to anybody; then it is made anew
 * @param error     becomes an errno
 * @return  NULL if it fails */
typedef bool HieraSharedFileStale(const void *memory, size_t bytes);
void *hiera_shared_file_map(uint64_t number, size_t bytes, bool (*init)(void *memory, size_t bytes),
                            HieraSharedFileStale *is_stale, int *error);

/* Remove a file of this name in the folder if it is stale. Whoever does so at once, none that is made meanwhile is
 * removed. */
void hiera_shared_file_remove(const char *name, HieraSharedFileStale *is_stale);

/* Where such files are, and whether one of this name is of this user and of processes whose numbers this one knows. */
extern const char hiera_shared_file_folder[];
bool hiera_shared_file_is_of_here(const char *name);

/* Take its name away. The memory stays. */
void hiera_shared_file_hide(uint64_t number);

#endif
