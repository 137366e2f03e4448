/* Opens and writes files without harm to the program, in folders that may contain anything.
 *
 * Only regular files are opened: opening follows no symbolic link and never waits (for a FIFO or a device). Some writes
 * raise a signal that would end the program: SIGXFSZ at the file size limit (ulimit -f), SIGPIPE if the reader of a
 * pipe is gone. The calling thread blocks both and removes the signal that its own write has raised, so that the
 * program's handlers never see it. All functions are safe in a signal handler and are not cancellation points. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct iovec;
struct stat;

/* Error codes besides errno. FOREIGN: a file of that name exists and was not made by Hiera. BUSY: another running job
 * writes it. */
enum { HIERA_ERROR_FOREIGN = 1 << 20, HIERA_ERROR_BUSY };

/* Open a regular file with flags of open(). Returns the descriptor; -1 on failure, then *error is an errno or
 * HIERA_ERROR_FOREIGN. */
int hiera_file_open(const char *path, int flags, int *error);

/* Move a descriptor to a high number, with close-on-exec: programs may close low descriptors that they did not open, or
 * expect certain numbers. Returns the new number, or the old one if no high one is free. */
int hiera_file_move_up(int fd);

/* True if the file belongs to the user or to the owner of its folder (who controls the folder anyway; some file systems
 * show one owner for all files). */
bool hiera_file_is_trusted(const struct stat *file, const char *path);

/* Make a folder and its parents. Returns 0 or the errno. */
int hiera_file_make_dir(const char *dir);

/* Write all bytes to the file: at the file position, or at `offset`. Return 0 or the errno. */
int hiera_file_write(int fd, const char *bytes, size_t n);
int hiera_file_write_at(int fd, const char *bytes, size_t n, uint64_t offset);

/* Append these pieces to the file in one write: no other process of this host writes between them. `fd` was opened with
 * O_APPEND and is used for nothing else. *written: number of bytes written, fewer than all if the disk is full;
 * *offset: position of the first. Returns 0 or the errno. */
int hiera_file_append(int fd, const struct iovec *pieces, int n_pieces, size_t *written, uint64_t *offset);

/* Reserve disk space for these bytes behind the end of the file; its length does not change. Writing then takes two
 * thirds of the time. Done only on file systems where that is so (ext4), and if the bytes are a small part of the free
 * space. Setting the length releases the reservation. Returns false if nothing was reserved. */
bool hiera_file_reserve(int fd, uint64_t offset, uint64_t bytes);

/* Set the length of the file in bytes. Returns 0 or the errno. */
int hiera_file_set_length(int fd, uint64_t length);

/* Make the name of a temporary file that will be renamed to `path`: it begins with a dot, is in the same folder, and is
 * unique to this process. Returns false if the name is too long. */
bool hiera_file_name_beside(char *name, size_t room, const char *path);
