/* Memory that the processes of a job have in common on one computer: a file without a disk, which has a name until all have come. */
#ifndef HIERA_SHARED_FILE_H
#define HIERA_SHARED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Map the file of a number, which the first one makes. Its pages are there: no access fails later.
 *
 * @param init   makes zeroed memory what it is to be, before anybody else sees it
 * @param error  becomes an errno
 * @return  NULL if it fails */
void *hiera_shared_file_map(uint64_t number, size_t bytes, bool (*init)(void *memory), int *error);

/* Take its name away. The memory stays. */
void hiera_shared_file_hide(uint64_t number);

#endif
