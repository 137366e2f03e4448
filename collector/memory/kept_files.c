/* Finds files of kept memory; ignores those of other users, and those that others may read or write. */
#include "kept_files.h"

#include "kept_process.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct Walk {
    void (*visit)(const HieraKeptFound *found, void *data);
    void *data;
} Walk;

static bool read_header(const char *path, HieraKeptHeader *header)
{
    enum { BYTES = offsetof(HieraKeptHeader, pieces) };
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                (status.st_mode & (S_IRWXG | S_IRWXO)) == 0 && pread(fd, header, BYTES, 0) == BYTES &&
                memcmp(header->magic, HIERA_KEPT_MAGIC, sizeof header->magic) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

static bool is_here(const HieraKeptHeader *header)
{
    char host[sizeof header->host] = "";
    gethostname(host, sizeof host - 1);
    return strcmp(host, header->host) == 0;
}

/* Each computer numbers the devices of its mounts by itself. */
static bool has_trace(const HieraKeptHeader *header)
{
    struct stat status;
    return header->trace[0] && lstat(header->trace, &status) == 0 &&
           ((uint64_t)status.st_dev == header->device || !is_here(header)) &&
           ((uint64_t)status.st_ino == header->inode || (uint64_t)status.st_ino == header->later_inode);
}

static void look_at(const char *folder, const char *name, const Walk *walk)
{
    static HieraKeptHeader header;
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path || !read_header(path, &header))
        return;
    HieraKeptFound found = {path,
                            &header,
                            is_here(&header),
                            hiera_kept_process_lives(&header.process),
                            hiera_kept_process_is_known(&header.process),
                            has_trace(&header)};
    walk->visit(&found, walk->data);
}

static void walk_folder(const char *folder, const char *begin, const Walk *walk)
{
    DIR *list = opendir(folder);
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list))
        if (strncmp(entry->d_name, begin, strlen(begin)) == 0)
            look_at(folder, entry->d_name, walk);
    if (list)
        closedir(list);
}

void hiera_kept_files_walk(const char *folder, void (*visit)(const HieraKeptFound *found, void *data), void *data)
{
    const Walk walk = {visit, data};
    walk_folder(HIERA_KEPT_SHM, HIERA_KEPT_BEGIN, &walk);
    if (folder)
        walk_folder(folder, "." HIERA_KEPT_BEGIN, &walk);
}
