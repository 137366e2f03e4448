/* Writing to files from within a process that must not notice it.
 *
 * The kernel answers some writes with a signal that ends the process: SIGXFSZ where the file reaches its size limit
 * (ulimit -f), SIGPIPE where the reader of a pipe is gone. Here the calling thread blocks both, and takes back the one
 * that its own write has raised; the program's handlers never see it. All functions are safe in a signal handler and
 * are no points of cancellation. */
#ifndef HIERA_SAFE_FILE_H
#define HIERA_SAFE_FILE_H

#include <stddef.h>
#include <stdint.h>

/* Write all of it: behind what was written last; at `offset`. Returns 0 or the errno. */
int hiera_file_write(int fd, const char *bytes, size_t n);
int hiera_file_write_at(int fd, const char *bytes, size_t n, uint64_t offset);

/* Make the file that long. Returns 0 or the errno. */
int hiera_file_set_length(int fd, uint64_t length);

#endif
