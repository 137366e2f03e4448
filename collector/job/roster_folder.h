/* The folder with the entries of a launch: each process makes a symbolic link, named by its rank.
 *
 * A killed job leaves its entries behind, and a later launch may have the same key (made from a port or a process
 * number). So an entry much older than this process's own, by the clock of the file system, is ignored. */
#pragma once

#include "launcher_env.h"

#include <limits.h>

/* Make the entry of this process in the folder of the launch below `dir`. Returns false if it fails: then another `dir`
 * may be tried. */
bool hiera_entries_make(const HieraLaunch *launch, const char *dir);

/* Whether this process has made its entry. The functions below need it. */
bool hiera_entries_are_made(void);

/* Remove this process's entry. */
void hiera_entries_remove_own(void);

/* Remove the folder if it is empty, that is if every other process has removed its entry. Returns true if it is gone;
 * afterwards no file may be made. */
bool hiera_entries_remove_folder(void);

/* Make the path of a file beside the folder of entries: the folder's path with a suffix. */
void hiera_entries_path_beside(char path[PATH_MAX], const char *suffix);

/* Whether an earlier launch has left the file at this path: it is much older than this process's entry. */
bool hiera_entries_is_stale(const char *path);

/* Whether something that is no symbolic link of this user is at the path; it is neither trusted nor replaced. */
bool hiera_entries_is_foreign(const char *path);

/* Lowest rank with an entry of this launch; -1: none is found, or the folder cannot be read. */
int hiera_entries_find_lowest(int size);

/* Set here[rank] for each rank with an entry of this launch. */
void hiera_entries_look_around(bool *here, int size);

/* Refresh the file system's caches, so that new entries become visible. */
void hiera_entries_look_again(void);
