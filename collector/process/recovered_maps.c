/* See recovered_maps.h. The list of mapped files is put into a memfd, in the form of /proc/PID/maps. */
#include "recovered_maps.h"

#include "base/proc_maps.h"
#include "memory/kept_process.h"
#include "places/objects.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether `path` is still the file that was mapped, by inode (the line's field before the path) and time of change. */
static bool is_same_file(const char *line, const char *path, int64_t made_s)
{
    struct stat status;
    unsigned long inode;
    return sscanf(line, "%*s %*s %*s %*s %lu", &inode) == 1 && stat(path, &status) == 0 && status.st_ino == inode &&
           status.st_mtime <= made_s;
}

static void put_line(FILE *to, char *line, int64_t made_s)
{
    char *path = strchr(line, '/');
    if (!path)
        return;
    if (is_same_file(line, path, made_s))
        fprintf(to, "%s\n", line);
    else /* the file was changed or is missing, but its name helps: put the name into a folder that does not exist */
        fprintf(to, "%.*s/changed%s\n", (int)(path - line), line, strrchr(path, '/'));
}

bool hiera_recovered_maps_take(const HieraKeptHeader *header)
{
    static char path[64];
    int fd = memfd_create("hiera-maps", MFD_CLOEXEC);
    FILE *to = fd >= 0 ? fdopen(fd, "w") : NULL;
    char *copy = header->maps ? strndup((const char *)(uintptr_t)header->maps, header->maps_bytes) : strdup("");
    char *rest = copy;
    for (char *line; to && copy && (line = strsep(&rest, "\n"));)
        put_line(to, line, header->made_s);
    free(copy);
    if (!to || fflush(to) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    hiera_maps_take(path);
    hiera_objects_forget();
    return true;
}

const char *hiera_recovered_boot(void)
{
    static HieraKeptProcess own;
    hiera_kept_process_read(&own);
    return own.boot;
}
