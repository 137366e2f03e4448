/* The folder in which processes of a launch say that they are there: each by a symbolic link that is called as its
 * rank.
 *
 * A killed job leaves what it had put there, and a later launch may have its key: a port, a number of a process. So
 * what is much older than the own entry, by the clock of the folder's file system, counts as not there. */
#ifndef HIERA_ROSTER_FOLDER_H
#define HIERA_ROSTER_FOLDER_H

#include "launcher_env.h"

#include <limits.h>

/* Make the own entry in the launch's folder below dir. False if that cannot be; then another dir may be tried. */
bool hiera_entries_make(const HieraLaunch *launch, const char *dir);

/* Is it made? All below is for then. */
bool hiera_entries_are_made(void);

void hiera_entries_remove_own(void);

/* The last that leaves removes the folder: is it so? From now on nothing is made. */
bool hiera_entries_remove_folder(void);

/* A name beside the folder: that is empty when all have read it. */
void hiera_entries_path_beside(char path[PATH_MAX], const char *suffix);

/* Is there something at the path, of an earlier launch? */
bool hiera_entries_is_stale(const char *path);

/* Does something stand there that this user has not made? It can be neither read nor replaced. */
bool hiera_entries_is_foreign(const char *path);

/* The lowest rank that has an entry, -1 if the folder cannot be read. */
int hiera_entries_find_lowest(int size);

/* Marks in `here` the ranks that have one. */
void hiera_entries_look_around(bool *here, int size);

/* What was not there before may be found now. */
void hiera_entries_look_again(void);

#endif
