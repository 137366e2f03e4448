/* Locks on files of traces, and what the first bytes of a file say about its writer. */
#include "claim_file.h"

#include "base/safe_file.h"
#include "dtd/container.h"
#include "memory/kept_process.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FORGOTTEN_S = 2 * 24 * 3600 };

const char *hiera_claim_mark_of(const char *path)
{
    const size_t suffix = sizeof HIERA_CONTAINER_SUFFIX - 1, n = strlen(path);
    bool contains = n > suffix && strcmp(path + n - suffix, HIERA_CONTAINER_SUFFIX) == 0;
    return contains ? HIERA_CONTAINER_MARK : "<!DOCTYPE processor SYSTEM \"trace.dtd\">";
}

/* --- locks on a file --- */

/* Use a lock of the open file description. A lock of the process would be lost if the program opened and closed the
 * file. */
static HieraLock lock(int fd, short type)
{
    struct flock all = {.l_type = type, .l_whence = SEEK_SET};
    int result = -1;
#ifdef F_OFD_SETLK
    result = fcntl(fd, F_OFD_SETLK, &all);
    if (result != 0 && errno == EINVAL)
#endif
        result = fcntl(fd, F_SETLK, &all);
    if (result == 0)
        return HIERA_LOCK_HELD;
    return errno == EAGAIN || errno == EACCES ? HIERA_LOCK_BUSY : HIERA_LOCK_UNKNOWN;
}

HieraLock hiera_claim_lock(int fd)
{
    return lock(fd, F_WRLCK);
}

HieraLock hiera_claim_lock_shared(int fd)
{
    return lock(fd, F_RDLCK);
}

/* Only tests the lock, since taking it could make the file's owner fail, who may be taking it at the same moment. */
HieraLock hiera_claim_look(int fd)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = -1;
#ifdef F_OFD_GETLK
    result = fcntl(fd, F_OFD_GETLK, &all);
    if (result != 0 && errno == EINVAL)
#endif
        result = fcntl(fd, F_GETLK, &all);
    if (result != 0)
        return HIERA_LOCK_UNKNOWN;
    return all.l_type == F_UNLCK ? HIERA_LOCK_HELD : HIERA_LOCK_BUSY;
}

/* --- the head: the first bytes of a file --- */

/* Read the head of a file; returns its length, 0 if the file is empty. A compressed trace has an uncompressed head. */
size_t hiera_claim_read_head(int fd, char head[HIERA_HEAD_MAX])
{
    ssize_t n = pread(fd, head, HIERA_HEAD_MAX - 1, 0);
    size_t length = n > 0 ? (size_t)n : 0;
    head[length] = '\0';
    return length;
}

const char *hiera_claim_find(const char *head, size_t n, const char *text)
{
    return memmem(head, n, text, strlen(text));
}

/* Copy the value of an attribute from a head; `to` becomes empty if the attribute is missing. */
void hiera_claim_copy_attribute(char *to, size_t room, const char *head, size_t n, const char *begin)
{
    const char *at = hiera_claim_find(head, n, begin), *end = head + n;
    size_t length = 0;
    for (at = at ? at + strlen(begin) : end; at < end && *at != '"' && length + 1 < room; at++)
        to[length++] = *at;
    to[length] = '\0';
}

bool hiera_claim_mentions(const char *head, size_t n)
{
    return hiera_claim_find(head, n, "Hiera") || hiera_claim_find(head, n, "hiera");
}

/* If `mark` is NULL, accepts any file whose head mentions Hiera. */
bool hiera_claim_is_ours(int fd, const char *path, const char *mark)
{
    char head[HIERA_HEAD_MAX];
    struct stat status;
    if (fstat(fd, &status) != 0 || !hiera_file_is_trusted(&status, path))
        return false;
    size_t n = hiera_claim_read_head(fd, head);
    return status.st_size == 0 || (mark ? hiera_claim_find(head, n, mark) != NULL : hiera_claim_mentions(head, n));
}

/* For file systems without locks: true if the process of this trace seems to run. A process of another host or
 * container cannot be examined: it counts as running until its trace has an end, or is too old. */
bool hiera_claim_seems_to_live(int fd)
{
    char head[HIERA_HEAD_MAX], process[HIERA_PROCESS_TEXT], pid[32], end[64];
    struct stat status;
    bool lives;
    size_t n = hiera_claim_read_head(fd, head);
    hiera_claim_copy_attribute(process, sizeof process, head, n, " process=\"");
    hiera_claim_copy_attribute(pid, sizeof pid, head, n, " pid=\"");
    hiera_claim_copy_attribute(end, sizeof end, head, n, " finalize=\"");
    if (atoi(pid) <= 0 || end[0])
        return false;
    if (hiera_kept_process_ask(process, atoi(pid), &lives))
        return lives && atoi(pid) != getpid();
    return fstat(fd, &status) == 0 && time(NULL) - status.st_mtime < FORGOTTEN_S;
}

bool hiera_claim_still_stands(const char *path, int fd)
{
    struct stat there, open;
    return lstat(path, &there) == 0 && fstat(fd, &open) == 0 && there.st_ino == open.st_ino &&
           there.st_dev == open.st_dev;
}
