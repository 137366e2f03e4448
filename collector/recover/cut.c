/* See cut.h. A trace says in its head where its process ran, and in its tail how that ended. */
#include "cut.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENOUGH = 4096 }; /* bytes of a head, or of a tail */

static ssize_t read_part(int fd, char *to, off_t at)
{
    ssize_t n = pread(fd, to, ENOUGH, at > 0 ? at : 0);
    to[n > 0 ? n : 0] = '\0';
    return n;
}

/* Copy the value of an attribute; empty if there is none. */
static void copy_value(char *to, size_t room, const char *head, const char *begin)
{
    const char *at = strstr(head, begin);
    size_t n = at ? strcspn(at + strlen(begin), "\"") : 0;
    snprintf(to, room, "%.*s", (int)(n < room ? n : room - 1), at ? at + strlen(begin) : "");
}

/* Is it a trace without an end? Then `host` is where its process ran. */
static bool is_cut(const char *path, char *host, size_t room)
{
    char head[ENOUGH + 1], tail[ENOUGH + 1];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &status) == 0 && read_part(fd, head, 0) > 0;
    ssize_t n = good ? read_part(fd, tail, status.st_size - ENOUGH) : 0;
    if (fd >= 0)
        close(fd);
    if (!good || !strstr(head, "<!DOCTYPE processor") || !strstr(head, " finalize=\"\"") || (n > 0 && memmem(tail, (size_t)n, "<hieraEnd ", 10)))
        return false;
    copy_value(host, room, head, " host=\"");
    return true;
}

static bool is_trace(const char *name)
{
    return strncmp(name, "trace", 5) == 0 && strstr(name, ".xml");
}

unsigned hiera_cut_name(const char *folder)
{
    char path[PATH_MAX], host[256], own[256] = "";
    unsigned n = 0;
    DIR *list = opendir(folder);
    gethostname(own, sizeof own - 1);
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list)) {
        if (!is_trace(entry->d_name) || snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path || !is_cut(path, host, sizeof host))
            continue;
        n++;
        if (strcmp(host, own) == 0)
            fprintf(stderr, "hiera-recover: %s: it has no end, and nothing on this computer completes it\n", path);
        else
            fprintf(stderr, "hiera-recover: %s: it has no end, and its process ran on %s: run this there; what it has left is lost if that computer was restarted\n", path, host);
    }
    if (list)
        closedir(list);
    return n;
}
