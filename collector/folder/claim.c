#include "claim.h"

#include "base/safe_file.h"
#include "claim_file.h"
#include "dtd/names.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TRIES = 3, ENDING_MS = 1000 };

typedef struct Claim {
    char path[PATH_MAX]; /* path of the claimed file; empty: no claim */
    int fd;
    bool made; /* this process has created the file */
} Claim;

static Claim trace = {.fd = -1}, collector = {.fd = -1};

static const char of_collector[] = "<!DOCTYPE hieraCollector SYSTEM";

/* --- claiming a file: open and lock it --- */

static void forget(Claim *claim)
{
    /* Leave the descriptor if the program has closed it and opened a file of its own with its number. */
    if (claim->fd >= 0 && (!claim->path[0] || hiera_claim_still_stands(claim->path, claim->fd)))
        close(claim->fd);
    claim->fd = -1;
    claim->path[0] = '\0';
}

/* Open the file to be claimed, or create it. Returns 0 or the error. */
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

/* Try once to open and lock the file. Returns 0 or the error; EAGAIN: the file was removed meanwhile. */
static int try_take(Claim *claim, const char *path, const char *mark)
{
    int error = open_or_make(claim, path);
    if (error != 0)
        return error == ENOENT && !claim->made ? EAGAIN : error;
    if (!claim->made && !hiera_claim_is_ours(claim->fd, path, mark))
        return HIERA_ERROR_FOREIGN;
    HieraLock lock = hiera_claim_lock(claim->fd);
    if (lock == HIERA_LOCK_BUSY || (lock == HIERA_LOCK_UNKNOWN && !claim->made && hiera_claim_seems_to_live(claim->fd)))
        return HIERA_ERROR_BUSY;
    return hiera_claim_still_stands(path, claim->fd) ? 0 : EAGAIN;
}

/* Whether the job that holds the claim is ending: its launcher may return before all of its processes have ended, so
 * waiting a little helps. */
static bool is_ending(const char *path)
{
    char head[HIERA_HEAD_MAX], end[64];
    int error, fd = hiera_file_open(path, O_RDONLY, &error);
    if (fd < 0)
        return false;
    hiera_claim_copy_attribute(end, sizeof end, head, hiera_claim_read_head(fd, head), " finalize=\"");
    close(fd);
    return end[0] != '\0';
}

static int take_patiently(Claim *claim, const char *path, const char *mark)
{
    static const struct timespec moment = {0, 10000000};
    int error = try_take(claim, path, mark);
    for (int ms = 0; error == HIERA_ERROR_BUSY && ms < ENDING_MS && is_ending(path); ms += 10) {
        forget(claim);
        nanosleep(&moment, NULL);
        error = try_take(claim, path, mark);
    }
    return error;
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
        error = take_patiently(claim, path, mark);
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
    return obstacle(take(&trace, path, hiera_claim_mark_of(path)));
}

void hiera_claim_leave_to_parent(void)
{
    forget(&collector);
}

void hiera_claim_leave_companions(void)
{
    forget(&collector);
}

bool hiera_claim_lock_again(int fd)
{
    return hiera_claim_lock(fd) != HIERA_LOCK_BUSY;
}

bool hiera_claim_share(int fd)
{
    return hiera_claim_lock_shared(fd) != HIERA_LOCK_BUSY;
}

bool hiera_claim_is_of_other(const char *path, unsigned long long job)
{
    char head[HIERA_HEAD_MAX], of[32];
    int error, fd = hiera_file_open(path, O_RDONLY, &error);
    if (fd < 0)
        return false;
    HieraLock lock = hiera_claim_look(fd);
    bool lives = lock == HIERA_LOCK_BUSY || (lock == HIERA_LOCK_UNKNOWN && hiera_claim_seems_to_live(fd));
    hiera_claim_copy_attribute(of, sizeof of, head, hiera_claim_read_head(fd, head), " job=\"");
    close(fd);
    return lives && of[0] && strtoull(of, NULL, 16) != job;
}

/* --- replacing a claimed file --- */

/* Create an empty, locked file in the same folder as `path`; `beside` becomes its path. */
static int make_beside(char *beside, const char *path, int *error)
{
    int fd = -1;
    *error = ENAMETOOLONG;
    for (int i = 0; i < 2 && fd < 0 && hiera_file_name_beside(beside, PATH_MAX, path); i++) {
        fd = hiera_file_open(beside, O_RDWR | O_CREAT | O_EXCL, error);
        if (fd < 0 && *error == EEXIST)
            unlink(beside); /* remove a file that an earlier process with this one's process number has left */
    }
    if (fd >= 0)
        hiera_claim_lock(fd);
    return fd;
}

/* Replace the claimed file by a new one with `text` (or empty). If the disk is full, remove the old file first. */
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
    *error = take(&trace, path, hiera_claim_mark_of(path));
    if (*error != 0)
        return -1;
    int fd = trace.made ? trace.fd : replace(&trace, NULL, 0, error);
    if (trace.made)
        trace.fd = -1; /* the caller owns and closes the descriptor */
    trace.path[0] = '\0';
    forget(&trace);
    return fd;
}

int hiera_claim_rename_trace(const char *from, const char *path)
{
    int error = take(&trace, path, hiera_claim_mark_of(path));
    if (error == 0 && rename(from, path) != 0)
        error = errno;
    trace.path[0] = '\0';
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
        bool is_open = hiera_claim_still_stands(path, collector.fd);
        fd = replace(&collector, text, n, &error);
        if (fd < 0)
            return;
        if (is_open)
            close(collector.fd);
        collector.fd = fd;
    } else if (hiera_file_write(collector.fd, text, n) != 0) {
        drop(&collector); /* remove the file rather than leave it incomplete */
        return;
    }
    collector.made = false; /* drop() keeps the file from now on, and a later text replaces it */
}

/* --- grammars and stylesheet beside the traces --- */

static bool has_text(int fd, const char *text, size_t n)
{
    char piece[HIERA_HEAD_MAX];
    size_t at = 0;
    for (ssize_t got; (got = pread(fd, piece, sizeof piece, (off_t)at)) > 0; at += (size_t)got)
        if ((size_t)got > n - at || memcmp(piece, text + at, (size_t)got) != 0)
            return false;
    return at == n;
}

/* What is at the path? 0: Hiera's file; EEXIST: with this text; ENOENT: nothing; HIERA_ERROR_FOREIGN: anything else. */
static int look_at_companion(const char *path, const char *text, size_t n)
{
    char head[HIERA_HEAD_MAX];
    struct stat status;
    int error, fd = hiera_file_open(path, O_RDONLY, &error);
    if (fd < 0)
        return error == ENOENT ? ENOENT : HIERA_ERROR_FOREIGN;
    size_t length = hiera_claim_read_head(fd, head);
    bool known = fstat(fd, &status) == 0 && hiera_file_is_trusted(&status, path) &&
                 (length == 0 || hiera_claim_mentions(head, length));
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
#define X(name, text) name,
    static const char *const names[] = {"hieraCollector.xml", HIERA_COMPANIONS(X)};
#undef X
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
