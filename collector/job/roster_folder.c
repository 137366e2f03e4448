#include "roster_folder.h"

#include "base/safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STALE_S = 15 * 60 };

static char place[PATH_MAX - 64]; /* path of the folder; empty: this process has no entry in it */
static bool is_public;            /* everybody can write to the folder's parent */
static int own_rank;

static void path_of_entry(char path[PATH_MAX], int rank)
{
    snprintf(path, PATH_MAX, "%s/%d", place, rank);
}

bool hiera_entries_are_made(void)
{
    return place[0];
}

void hiera_entries_path_beside(char path[PATH_MAX], const char *suffix)
{
    snprintf(path, PATH_MAX, "%s%s", place, suffix);
}

/* Whether a file can be trusted: below a folder that everybody can write to (/tmp), only the user's own files. */
static bool is_own(const struct stat *status, const char *path)
{
    return status->st_uid == geteuid() || (!is_public && hiera_file_is_trusted(status, path));
}

/* Time at which an entry was made, by the file system's clock; 0: no entry of this user. */
static time_t time_of(const char *path)
{
    struct stat link;
    return lstat(path, &link) == 0 && is_own(&link, path) ? link.st_mtime : 0;
}

/* Make the folder, if it does not exist. Returns false unless only this user can make files in it. */
static bool make_place(void)
{
    struct stat status;
    if (mkdir(place, 0700) != 0 && errno != EEXIST)
        return false;
    return lstat(place, &status) == 0 && S_ISDIR(status.st_mode) && is_own(&status, place) &&
           (!is_public || (status.st_mode & 077) == 0);
}

bool hiera_entries_is_foreign(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0 && (!S_ISLNK(status.st_mode) || !is_own(&status, path));
}

bool hiera_entries_make(const HieraLaunch *launch, const char *dir)
{
    char path[PATH_MAX];
    if (strlen(dir) + 32 > sizeof place || hiera_file_make_dir(dir) != 0)
        return false;
    own_rank = launch->rank;
    /* Change the name whenever the format of entries or proposal, or the communication of members, changes: versions of
     * Hiera must not meet in one folder. */
    snprintf(place, sizeof place, "%s/.hiera-2-%016llx", dir, (unsigned long long)launch->key);
    struct stat around;
    is_public = stat(dir, &around) != 0 || (around.st_mode & S_IWOTH);
    path_of_entry(path, own_rank);
    bool usable = make_place();
    if (usable && (symlink("-", path) == 0 || (errno == EEXIST && unlink(path) == 0 && symlink("-", path) == 0)))
        return true;
    if (usable)
        rmdir(place);
    place[0] = '\0';
    return false;
}

void hiera_entries_remove_own(void)
{
    char path[PATH_MAX];
    path_of_entry(path, own_rank);
    unlink(path);
}

bool hiera_entries_remove_folder(void)
{
    bool empty = rmdir(place) == 0;
    place[0] = '\0';
    return empty;
}

/* How much older an entry is than this process's entry, in seconds; LONG_MIN: it does not exist. */
static long age_before_own(const char *path)
{
    char own[PATH_MAX];
    path_of_entry(own, own_rank);
    time_t made = time_of(path);
    return made == 0 ? LONG_MIN : (long)(time_of(own) - made);
}

bool hiera_entries_is_stale(const char *path)
{
    return age_before_own(path) > STALE_S;
}

/* Rank of an entry, from the name of its symbolic link; -1: the name is no rank below `size`. */
static int rank_of(const char *name, int size)
{
    char *end;
    long rank = strtol(name, &end, 10);
    return *end == '\0' && end != name && rank >= 0 && rank < size ? (int)rank : -1;
}

/* Whether a rank's entry exists and is not much older than this process's, so that it is of this launch. */
static bool is_fresh(int rank)
{
    char path[PATH_MAX];
    path_of_entry(path, rank);
    long age = age_before_own(path);
    return age != LONG_MIN && age <= STALE_S;
}

/* All processes call this at the same time, so it looks first at the entry of rank 0, which usually exists. */
int hiera_entries_find_lowest(int size)
{
    int lowest = -1;
    if (is_fresh(0))
        return 0;
    DIR *folder = opendir(place);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int rank = rank_of(entry->d_name, size);
        if (rank >= 0 && (lowest < 0 || rank < lowest) && is_fresh(rank))
            lowest = rank;
    }
    if (folder)
        closedir(folder);
    return lowest;
}

void hiera_entries_look_around(bool *here, int size)
{
    DIR *folder = opendir(place);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        int rank = rank_of(entry->d_name, size);
        if (rank >= 0)
            here[rank] = is_fresh(rank);
    }
    if (folder)
        closedir(folder);
}

/* Opening the parent folder refreshes NFS's cache, which keeps for half a minute that a name does not exist. */
void hiera_entries_look_again(void)
{
    char parent[PATH_MAX];
    snprintf(parent, sizeof parent, "%.*s", (int)(strrchr(place, '/') - place), place);
    int fd = open(parent, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd >= 0)
        close(fd);
}
