/* A store that is a file of its own. */
#pragma once

#include "store.h"

/* Make the store of an open file, which is empty; `path` is copied. NULL on failure, with the errno in *error; then the
 * file is closed. */
HieraStore *hiera_own_file_make(const char *path, int fd, int *error);

/* Whether this store is a file of its own. */
bool hiera_own_file_is(const HieraStore *store);

/* Whether the file has this path. */
bool hiera_own_file_is_at(HieraStore *store, const char *path);

/* Rename the file, which is locked, to a path that no other job has (folder/claim.h). Returns 0 or the error. */
int hiera_own_file_rename(HieraStore *store, const char *path);

/* Rename the file to the name of another one of this process, which then has no name. Returns 0 or the error. */
int hiera_own_file_replace(HieraStore *store, HieraStore *other);

/* Note that the file has this path now. */
void hiera_own_file_moved(HieraStore *store, const char *path);
