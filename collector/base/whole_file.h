/* Reads small files that the user has named. Not safe in a signal handler. */
#pragma once

#include <stddef.h>

/* Read a regular file of at most 16 MiB; never waits (for a FIFO). @return  malloc'ed bytes without a NUL; NULL, with
 * errno */
char *hiera_whole_file_read(const char *path, size_t *length);
