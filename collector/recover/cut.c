/* See cut.h. The head of a trace says where its process ran, and the tail says how the process ended. */
#include "cut.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ENOUGH = 4096 }; /* number of bytes that are read from a file's begin and from its end */

static ssize_t read_part(int fd, char *to, off_t at)
{
    ssize_t n = pread(fd, to, ENOUGH, at > 0 ? at : 0);
    to[n > 0 ? n : 0] = '\0';
    return n;
}

/* Copy the value of the attribute whose text before the value is `begin`; empty if `head` lacks it. */
static void copy_value(char *to, size_t room, const char *head, const char *begin)
{
    const char *at = strstr(head, begin);
    size_t n = at ? strcspn(at + strlen(begin), "\"") : 0;
    snprintf(to, room, "%.*s", (int)(n < room ? n : room - 1), at ? at + strlen(begin) : "");
}

/* Whether the file is a trace without an end that was written to since then. If so, `host` becomes the host of its
 * process. */
static bool is_cut(const char *path, int64_t since_s, char *host, size_t room)
{
    char head[ENOUGH + 1], tail[ENOUGH + 1];
    struct stat status;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    bool good = fd >= 0 && fstat(fd, &status) == 0 && status.st_mtime >= since_s && read_part(fd, head, 0) > 0;
    ssize_t n = good ? read_part(fd, tail, status.st_size - ENOUGH) : 0;
    if (fd >= 0)
        close(fd);
    if (!good || !strstr(head, "<!DOCTYPE processor") || !strstr(head, " finalize=\"\"") ||
        (n > 0 && memmem(tail, (size_t)n, "<hieraEnd ", 10)))
        return false;
    copy_value(host, room, head, " host=\"");
    return true;
}

/* --- counts of traces by computer: there may be thousands of traces --- */

enum { HOSTS = 64, HOST_BYTES = 256 };

static struct {
    char name[HOST_BYTES], first[PATH_MAX]; /* name of the computer; path of its first trace without an end */
    unsigned n;
} hosts[HOSTS];
static unsigned n_hosts;

/* Count a trace for its computer `host`. If the table is full, it counts for the table's last computer. */
static void add(const char *host, const char *path)
{
    unsigned i = 0;
    while (i < n_hosts && i < HOSTS - 1 && strcmp(hosts[i].name, host) != 0)
        i++;
    if (i == n_hosts) {
        n_hosts++;
        snprintf(hosts[i].name, sizeof hosts[i].name, "%s", host);
        snprintf(hosts[i].first, sizeof hosts[i].first, "%s", path);
    }
    hosts[i].n++;
}

static void say(const char *folder)
{
    char own[HOST_BYTES] = "", more[64] = "";
    gethostname(own, sizeof own - 1);
    for (unsigned i = 0; i < n_hosts; i++) {
        if (hosts[i].n > 1)
            snprintf(more, sizeof more, " and %u more", hosts[i].n - 1);
        fprintf(stderr, "hiera-recover: %s%s: no end, ", hosts[i].first, hosts[i].n > 1 ? more : "");
        if (strcmp(hosts[i].name, own) == 0)
            fputs("and nothing on this computer completes it\n", stderr);
        else
            fprintf(stderr,
                    "and the process ran on %s: run hiera-transform --recover %s there; what it has left in memory is "
                    "lost if that computer was restarted\n",
                    hosts[i].name, folder);
    }
}

unsigned hiera_cut_name(const char *folder, int64_t since_s)
{
    char path[PATH_MAX], host[HOST_BYTES];
    unsigned n = 0;
    DIR *list = opendir(folder);
    for (const struct dirent *entry = list ? readdir(list) : NULL; entry; entry = readdir(list))
        if (strncmp(entry->d_name, "trace", 5) == 0 && strstr(entry->d_name, ".xml") &&
            snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) < (int)sizeof path &&
            is_cut(path, since_s, host, sizeof host)) {
            add(host, path);
            n++;
        }
    if (list)
        closedir(list);
    say(folder);
    return n;
}
