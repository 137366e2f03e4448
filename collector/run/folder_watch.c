#include "folder_watch.h"

#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

static int queue = -1;
static char *watched;     /* the folder that is watched: that of the traces, or the nearest existing folder above it */
static const char *next;  /* folder to be made next in `watched`; NULL: `watched` is that of the traces */
static struct stat facts; /* device and inode of the watched folder */

void hiera_folder_watch_begin(const char *folder)
{
    watched = hiera_words_format("%s", folder);
    for (char *slash; stat(*watched ? watched : "/", &facts) != 0 && (slash = strrchr(watched, '/')); next = slash + 1)
        *slash = '\0';
    queue = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
    if (queue >= 0 && inotify_add_watch(queue, *watched ? watched : "/", IN_CREATE | IN_MOVED_TO | IN_ONLYDIR) < 0) {
        close(queue);
        queue = -1;
    }
}

/* Whether this is the name of a folder that a job makes inside HIERA_DIR for its own traces (mpi/agree/job_folder.c).
 */
static bool is_for_job(const char *name)
{
    static const char *const begins[] = {"alone-", "hiera-", "parent-", "spawned-"};
    bool is = false;
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        is = is || hiera_words_begins(name, begins[i]);
    return is;
}

static HieraMade made_by(const struct inotify_event *event)
{
    const char *name = event->len > 0 ? event->name : "";
    if (event->mask & (IN_Q_OVERFLOW | IN_UNMOUNT))
        return HIERA_MADE_UNKNOWN;
    if (next)
        return strcmp(name, next) == 0 ? HIERA_MADE_UNKNOWN : HIERA_MADE_NOTHING;
    if (strcmp(name, "hieraCollector.xml") == 0)
        return HIERA_MADE_TRACE;
    return (event->mask & IN_ISDIR) && is_for_job(name) ? HIERA_MADE_UNKNOWN : HIERA_MADE_NOTHING;
}

static bool is_still_there(void)
{
    struct stat now;
    return stat(*watched ? watched : "/", &now) == 0 && now.st_dev == facts.st_dev && now.st_ino == facts.st_ino;
}

HieraMade hiera_folder_watch_end(void)
{
    char block[64 << 10] __attribute__((aligned(__alignof__(struct inotify_event))));
    HieraMade made = queue < 0 || !is_still_there() ? HIERA_MADE_UNKNOWN : HIERA_MADE_NOTHING;
    for (ssize_t n; queue >= 0 && made != HIERA_MADE_TRACE && (n = read(queue, block, sizeof block)) > 0;) {
        const struct inotify_event *event;
        for (const char *at = block; at < block + n && made != HIERA_MADE_TRACE; at += sizeof *event + event->len) {
            event = (const struct inotify_event *)(const void *)at;
            HieraMade by = made_by(event);
            made = by != HIERA_MADE_NOTHING ? by : made;
        }
    }
    return made;
}
