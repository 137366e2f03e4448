/* Files in folders that may hold anything, written from within a process that must not notice it.
 *
 * Opening follows no symbolic link and waits for nothing (a FIFO, a device): only a regular file is opened. The kernel
 * answers some writes with a signal that ends the process: SIGXFSZ where the file reaches its size limit (ulimit -f),
 * SIGPIPE where the reader of a pipe is gone. Here the calling thread blocks both, and takes back the one that its own
 * write has raised; the program's handlers never see it. All functions are safe in a signal handler and are no points
 * of cancellation. */
#ifndef HIERA_SAFE_FILE_H
#define HIERA_SAFE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct stat;

/* Errors beside those of errno: what stands there is not ours; another job that lives writes there. */
enum { HIERA_ERROR_FOREIGN = 1 << 20, HIERA_ERROR_BUSY };

/* Open a regular file, with flags of open(). -1: *error is an errno or HIERA_ERROR_FOREIGN. */
int hiera_file_open(const char *path, int flags, int *error);

/* Is it the user's own, or of the folder's owner (who can do with the folder what he likes; some file systems show one
 * owner for all)? */
bool hiera_file_is_trusted(const struct stat *file, const char *path);

/* mkdir -p. Returns 0 or the errno. */
int hiera_file_make_dir(const char *dir);

/* Write all of it: behind what was written last; at `offset`. Returns 0 or the errno. */
int hiera_file_write(int fd, const char *bytes, size_t n);
int hiera_file_write_at(int fd, const char *bytes, size_t n, uint64_t offset);

/* Make the file that long. Returns 0 or the errno. */
int hiera_file_set_length(int fd, uint64_t length);

/* A name for a file that is to be renamed to `path` when it is whole: hidden, in the same folder, this process's own.
 * False if it is too long. */
bool hiera_file_name_beside(char *name, size_t room, const char *path);

#endif
