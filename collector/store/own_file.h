/* A store that is a file of its own. */
#ifndef HIERA_OWN_FILE_H
#define HIERA_OWN_FILE_H

#include "store.h"

/* Make the store of an open file, which is empty; `path` is copied. NULL on failure, with the errno in *error; then the
 * file is closed. */
HieraStore *hiera_own_file_make(const char *path, int fd, int *error);

/* Is this store a file of its own? */
bool hiera_own_file_is(const HieraStore *store);

/* Does the file have this path? */
bool hiera_own_file_is_at(HieraStore *store, const char *path);

/* Rename the file, which is locked, to a path that no other job has (folder/claim.h). Returns 0 or the error. */
int hiera_own_file_rename(HieraStore *store, const char *path);

/* The file takes the name of another one of this process, which has none then. Returns 0 or the error. */
int hiera_own_file_replace(HieraStore *store, HieraStore *other);

/* It has this path now. */
void hiera_own_file_moved(HieraStore *store, const char *path);

#endif
