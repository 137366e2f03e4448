/* Who may write into the folder of the traces. See claim.h. */
#include "claim.h"

#include "safe_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { HEAD_MAX = 4096, TRIES = 3, FORGOTTEN_S = 2 * 24 * 3600 };

typedef struct Claim {
    char path[PATH_MAX]; /* empty: nothing is claimed */
    int fd;
    bool made; /* there was no such file before */
} Claim;

static Claim trace = {.fd = -1}, collector = {.fd = -1};

static const char of_trace[] = "<!DOCTYPE processor SYSTEM \"trace.dtd\">";
static const char of_collector[] = "<!DOCTYPE hieraCollector SYSTEM";

/* --- locks --- */

typedef enum Lock { LOCK_HELD, LOCK_BUSY, LOCK_UNKNOWN } Lock;

/* Of the open file, not of the process: that would lose it whenever the program opens and closes the same file. */
static Lock lock_file(int fd)
{
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int result = -1;
#ifdef F_OFD_SETLK
    result = fcntl(fd, F_OFD_SETLK, &all);
    if (result != 0 && errno == EINVAL)
#endif
        result = fcntl(fd, F_SETLK, &all);
    if (result == 0)
        return LOCK_HELD;
    return errno == EAGAIN || errno == EACCES ? LOCK_BUSY : LOCK_UNKNOWN;
}

/* --- heads --- */

/* The beginning of a file as a text; 0 bytes if it is empty. Compressed traces begin with a block that is only stored.
 */
static size_t read_head(int fd, char head[HEAD_MAX])
{
    ssize_t n = pread(fd, head, HEAD_MAX - 1, 0);
    size_t length = n > 0 ? (size_t)n : 0;
    head[length] = '\0';
    return length;
}

static const char *find(const char *head, size_t n, const char *text)
{
    return memmem(head, n, text, strlen(text));
}

/* The value of an attribute; empty if it is not there. */
static void copy_attribute(char *to, size_t room, const char *head, size_t n, const char *begin)
{
    const char *at = find(head, n, begin), *end = head + n;
    size_t length = 0;
    for (at = at ? at + strlen(begin) : end; at < end && *at != '"' && length + 1 < room; at++)
        to[length++] = *at;
    to[length] = '\0';
}

static bool mentions_hiera(const char *head, size_t n)
{
    return find(head, n, "Hiera") || find(head, n, "hiera");
}

/* `mark` NULL: whatever Hiera writes. */
static bool is_ours(int fd, const char *path, const char *mark)
{
    char head[HEAD_MAX];
    struct stat status;
    if (fstat(fd, &status) != 0 || !hiera_file_is_trusted(&status, path))
        return false;
    size_t n = read_head(fd, head);
    return status.st_size == 0 || (mark ? find(head, n, mark) != NULL : mentions_hiera(head, n));
}

/* Where there are no locks: does the process of this trace live? One of another host cannot be asked: it does until its
 * trace says that it has ended, but not for ever. */
static bool seems_to_live(int fd)
{
    char head[HEAD_MAX], host[256], own_host[256] = "", pid[32], end[64];
    struct stat status;
    size_t n = read_head(fd, head);
    copy_attribute(host, sizeof host, head, n, " host=\"");
    copy_attribute(pid, sizeof pid, head, n, " pid=\"");
    copy_attribute(end, sizeof end, head, n, " finalize=\"");
    gethostname(own_host, sizeof own_host - 1);
    if (atoi(pid) <= 0 || end[0])
        return false;
    if (strcmp(host, own_host) == 0)
        return atoi(pid) != getpid() && (kill(atoi(pid), 0) == 0 || errno == EPERM);
    return fstat(fd, &status) == 0 && time(NULL) - status.st_mtime < FORGOTTEN_S;
}

/* --- claims --- */

static bool still_stands(const char *path, int fd)
{
    struct stat there, open;
    return lstat(path, &there) == 0 && fstat(fd, &open) == 0 && there.st_ino == open.st_ino &&
           there.st_dev == open.st_dev;
}

static void forget(Claim *claim)
{
    if (claim->fd >= 0)
        close(claim->fd);
    claim->fd = -1;
    claim->path[0] = '\0';
}

/* Open the file, or make it. Returns 0 or the error. */
static int open_or_make(Claim *claim, const char *path)
{
    int error;
    claim->fd = hiera_file_open(path, O_RDWR | O_CREAT | O_EXCL, &error);
    claim->made = claim->fd >= 0;
    if (error != EEXIST)
        return error;
    claim->fd = hiera_file_open(path, O_RDWR, &error);
    return error == EACCES || error == EPERM || error == ETXTBSY ? HIERA_ERROR_FOREIGN : error;
}

/* One try: EAGAIN if the file has gone meanwhile. */
static int try_take(Claim *claim, const char *path, const char *mark)
{
    int error = open_or_make(claim, path);
    if (error != 0)
        return error == ENOENT && !claim->made ? EAGAIN : error;
    if (!claim->made && !is_ours(claim->fd, path, mark))
        return HIERA_ERROR_FOREIGN;
    Lock lock = lock_file(claim->fd);
    if (lock == LOCK_BUSY || (lock == LOCK_UNKNOWN && !claim->made && seems_to_live(claim->fd)))
        return HIERA_ERROR_BUSY;
    return still_stands(path, claim->fd) ? 0 : EAGAIN;
}

static int take(Claim *claim, const char *path, const char *mark)
{
    int error = ENAMETOOLONG;
    if (strcmp(claim->path, path) == 0)
        return 0;
    forget(claim);
    if (strlen(path) >= sizeof claim->path)
        return error;
    for (int i = 0; i < TRIES; i++) {
        error = try_take(claim, path, mark);
        if (error == 0) {
            strcpy(claim->path, path);
            return 0;
        }
        forget(claim);
        if (error != EAGAIN)
            break;
    }
    return error == EAGAIN ? ENOENT : error;
}

static int obstacle(int error)
{
    return error == HIERA_ERROR_FOREIGN || error == HIERA_ERROR_BUSY ? error : 0;
}

static void drop(Claim *claim)
{
    if (claim->path[0] && claim->made)
        unlink(claim->path);
    forget(claim);
}

void hiera_claim_drop(void)
{
    drop(&trace);
    drop(&collector);
}

int hiera_claim_trace(const char *path)
{
    return obstacle(take(&trace, path, of_trace));
}

void hiera_claim_leave_to_parent(void)
{
    if (collector.path[0] && collector.fd >= 0 && still_stands(collector.path, collector.fd))
        close(collector.fd); /* else the program has closed it, and the number may be of a file of its own */
}

bool hiera_claim_lock_again(int fd)
{
    return lock_file(fd) != LOCK_BUSY;
}

bool hiera_claim_is_of_other(const char *path, unsigned long long job)
{
    char head[HEAD_MAX], of[32];
    int error, fd = hiera_file_open(path, O_RDWR, &error);
    if (fd < 0)
        return false;
    Lock lock = lock_file(fd);
    bool lives = lock == LOCK_BUSY || (lock == LOCK_UNKNOWN && seems_to_live(fd));
    copy_attribute(of, sizeof of, head, read_head(fd, head), " job=\"");
    close(fd);
    return lives && of[0] && strtoull(of, NULL, 16) != job;
}

/* --- what takes the place of a file --- */

/* A file beside it, empty and locked. */
static int make_beside(char *beside, const char *path, int *error)
{
    int fd = -1;
    *error = ENAMETOOLONG;
    for (int i = 0; i < 2 && fd < 0 && hiera_file_name_beside(beside, PATH_MAX, path); i++) {
        fd = hiera_file_open(beside, O_RDWR | O_CREAT | O_EXCL, error);
        if (fd < 0 && *error == EEXIST)
            unlink(beside); /* no other process has this name */
    }
    if (fd >= 0)
        lock_file(fd);
    return fd;
}

/* Another file in place of the one that is claimed, empty or with that text. On a full disk the old one goes first. */
static int replace(Claim *claim, const char *text, size_t n, int *error)
{
    char beside[PATH_MAX];
    int fd = make_beside(beside, claim->path, error);
    if (fd < 0 && (*error == ENOSPC || *error == EDQUOT) && unlink(claim->path) == 0)
        fd = make_beside(beside, claim->path, error);
    if (fd < 0)
        return -1;
    *error = hiera_file_write(fd, text, n);
    if (*error == 0 && rename(beside, claim->path) != 0)
        *error = errno;
    if (*error == 0)
        return fd;
    unlink(beside);
    close(fd);
    return -1;
}

int hiera_claim_make_trace(const char *path, int *error)
{
    *error = take(&trace, path, of_trace);
    if (*error != 0)
        return -1;
    int fd = trace.made ? trace.fd : replace(&trace, NULL, 0, error);
    if (trace.made)
        trace.fd = -1; /* it is the caller's now */
    forget(&trace);
    return fd;
}

int hiera_claim_rename_trace(const char *from, const char *path)
{
    int error = take(&trace, path, of_trace);
    if (error == 0 && rename(from, path) != 0)
        error = errno;
    forget(&trace);
    return error;
}

void hiera_claim_put_collector(const char *dir, const char *text, size_t n)
{
    char path[PATH_MAX];
    int error, fd;
    if (snprintf(path, sizeof path, "%s/hieraCollector.xml", dir) >= (int)sizeof path ||
        take(&collector, path, of_collector) != 0)
        return;
    if (!collector.made) {
        fd = replace(&collector, text, n, &error);
        if (fd < 0)
            return;
        close(collector.fd);
        collector.fd = fd;
    } else if (hiera_file_write(collector.fd, text, n) != 0) {
        drop(&collector); /* a part of it is worse than none */
        return;
    }
    collector.made = false; /* from now on it is replaced, never removed */
}

/* --- grammars and stylesheet --- */

static bool has_text(int fd, const char *text, size_t n)
{
    char piece[HEAD_MAX];
    size_t at = 0;
    for (ssize_t got; (got = pread(fd, piece, sizeof piece, (off_t)at)) > 0; at += (size_t)got)
        if ((size_t)got > n - at || memcmp(piece, text + at, (size_t)got) != 0)
            return false;
    return at == n;
}

/* What stands at the path: 0 it is ours, EEXIST the same as `text`, ENOENT nothing, HIERA_ERROR_FOREIGN all else. */
static int look_at_companion(const char *path, const char *text, size_t n)
{
    char head[HEAD_MAX];
    struct stat status;
    int error, fd = hiera_file_open(path, O_RDONLY, &error);
    if (fd < 0)
        return error == ENOENT ? ENOENT : HIERA_ERROR_FOREIGN;
    size_t length = read_head(fd, head);
    bool known = fstat(fd, &status) == 0 && hiera_file_is_trusted(&status, path) &&
                 (length == 0 || mentions_hiera(head, length));
    error = !known ? HIERA_ERROR_FOREIGN : text && has_text(fd, text, n) ? EEXIST : 0;
    close(fd);
    return error;
}

void hiera_claim_put_companion(const char *dir, const char *name, const char *text, size_t n)
{
    char path[PATH_MAX], beside[PATH_MAX];
    int error, fd;
    if (snprintf(path, sizeof path, "%s/%s", dir, name) >= (int)sizeof path)
        return;
    error = look_at_companion(path, text, n);
    if (error != 0 && error != ENOENT)
        return;
    fd = make_beside(beside, path, &error);
    if (fd < 0)
        return;
    error = hiera_file_write(fd, text, n);
    close(fd);
    if (error != 0 || rename(beside, path) != 0)
        unlink(beside);
}

int hiera_claim_companions(const char *dir, const char **name)
{
    static const char *const names[] = {"hieraCollector.xml", "trace.dtd", "hieraCollector.dtd", "visual.xsl"};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        *name = names[i];
        if (snprintf(path, sizeof path, "%s/%s", dir, names[i]) >= (int)sizeof path)
            return 0;
        int error = obstacle(i == 0 ? take(&collector, path, of_collector) : look_at_companion(path, NULL, 0));
        if (error != 0)
            return error;
    }
    return 0;
}

/* --- traces of earlier jobs --- */

/* The rank of trace<rank>.xml…, -1 of any other name; *suffix is what follows. */
static int rank_of(const char *name, const char **suffix)
{
    char *end;
    if (strncmp(name, "trace", 5) != 0 || name[5] < '0' || name[5] > '9')
        return -1;
    long rank = strtol(name + 5, &end, 10);
    if (rank < 0 || rank > INT_MAX || strncmp(end, ".xml", 4) != 0)
        return -1;
    *suffix = end + 4;
    return strcmp(*suffix, "") == 0 || strcmp(*suffix, ".gz") == 0 || strcmp(*suffix, ".zst") == 0 ? (int)rank : -1;
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

/* The hidden files of a process that was killed before they had their names. */
static bool is_unfinished(const char *name)
{
    const char *end = strrchr(name, '.');
    bool ours = strncmp(name, ".trace", 6) == 0 || strncmp(name, ".hieraCollector.", 16) == 0 ||
                strncmp(name, ".visual.xsl.", 12) == 0;
    return ours && (strcmp(end, ".new") == 0 || (strcmp(end, ".part") == 0 && !strstr(name, ".thread")));
}

static void remove_if_dead(const char *path, const char *mark)
{
    int error, fd = hiera_file_open(path, O_RDWR, &error);
    if (fd < 0)
        return;
    if (is_ours(fd, path, mark)) {
        Lock lock = lock_file(fd);
        if ((lock == LOCK_HELD || (lock == LOCK_UNKNOWN && !seems_to_live(fd))) && still_stands(path, fd))
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
            remove_if_dead(path, old ? of_trace : NULL);
    }
    if (folder)
        closedir(folder);
}
