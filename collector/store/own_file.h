/* A store (store.h) that is a file with nothing but one trace, or one thread's part of a trace. */
#pragma once

#include "store.h"

/* Make the store of an open file, which is empty; `path` is copied. NULL on failure, with the errno in *error; then the
 * file is closed. */
HieraStore *hiera_own_file_make(const char *path, int fd, int *error);

/* Whether this store was made by hiera_own_file_make(). */
bool hiera_own_file_is(const HieraStore *store);

/* Whether the store's file has this path. */
bool hiera_own_file_is_at(HieraStore *store, const char *path);

/* Rename the store's locked file to a path that no other job uses (folder/claim.h). Returns 0 or the errno. */
int hiera_own_file_rename(HieraStore *store, const char *path);

/* Rename the store's file to the name of `other`'s file, which then has no name. Returns 0 or the errno. */
int hiera_own_file_replace(HieraStore *store, HieraStore *other);

/* Note that the store's file now has this path. */
void hiera_own_file_moved(HieraStore *store, const char *path);
