/* Removes traces of earlier jobs. See claim.h. */
#include "base/safe_file.h"
#include "claim.h"
#include "claim_file.h"
#include "dtd/container.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number behind a prefix of the name, -1 if there is none; *rest: what comes behind it. */
static int number_behind(const char *prefix, const char *name, char **rest)
{
    size_t n = strlen(prefix);
    if (strncmp(name, prefix, n) != 0 || name[n] < '0' || name[n] > '9')
        return -1;
    long number = strtol(name + n, rest, 10);
    return number < 0 || number > INT_MAX ? -1 : (int)number;
}

/* Rank in a name trace<rank>.xml…, or traces<rank>.hiera; -1 for any other name. *suffix: what is behind `.xml`, or `.hiera`. */
static int rank_of(const char *name, const char **suffix)
{
    char *end = NULL;
    int rank = number_behind(HIERA_CONTAINER_NAME, name, &end);
    *suffix = HIERA_CONTAINER_SUFFIX;
    if (rank >= 0)
        return strcmp(end, HIERA_CONTAINER_SUFFIX) == 0 ? rank : -1;
    rank = number_behind("trace", name, &end);
    if (rank < 0 || strncmp(end, ".xml", 4) != 0)
        return -1;
    *suffix = end + 4;
    return strcmp(*suffix, "") == 0 || strcmp(*suffix, ".gz") == 0 || strcmp(*suffix, ".zst") == 0 ? rank : -1;
}

static int compare_ints(const void *a, const void *b)
{
    int one = *(const int *)a, two = *(const int *)b;
    return (one > two) - (one < two);
}

static bool is_listed(int rank, const int *ranks, int n)
{
    return ranks ? bsearch(&rank, ranks, (size_t)n, sizeof *ranks, compare_ints) != NULL : rank < n;
}

/* Remove hidden files of a process that was killed before it renamed them. */
static bool is_unfinished(const char *name)
{
    const char *end = strrchr(name, '.');
    bool ours = strncmp(name, ".trace", 6) == 0 || strncmp(name, ".hieraCollector.", 16) == 0 ||
                strncmp(name, ".visual.", 8) == 0;
    return ours && (strcmp(end, ".new") == 0 || (strcmp(end, ".part") == 0 && !strstr(name, ".thread")));
}

static void remove_if_dead(const char *path, const char *mark)
{
    int error, fd = hiera_file_open(path, O_RDWR, &error);
    if (fd < 0)
        return;
    if (hiera_claim_is_ours(fd, path, mark)) {
        HieraLock lock = hiera_claim_lock(fd);
        if ((lock == HIERA_LOCK_HELD || (lock == HIERA_LOCK_UNKNOWN && !hiera_claim_seems_to_live(fd))) &&
            hiera_claim_still_stands(path, fd))
            unlink(path);
    }
    close(fd);
}

void hiera_claim_remove_old(const char *dir, const int *ranks, int n, const char *suffix)
{
    char path[PATH_MAX];
    DIR *folder = opendir(dir);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        const char *of;
        int rank = rank_of(entry->d_name, &of);
        bool old = rank >= 0 && !(is_listed(rank, ranks, n) && strcmp(of, suffix) == 0);
        if ((old || is_unfinished(entry->d_name)) &&
            snprintf(path, sizeof path, "%s/%s", dir, entry->d_name) < (int)sizeof path)
            remove_if_dead(path, old ? hiera_claim_mark_of(path) : NULL);
    }
    if (folder)
        closedir(folder);
}
