#include "safe_file.h"

#include "life.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

/* --- opening files --- */

int hiera_file_move_up(int fd)
{
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 500);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

int hiera_file_open(const char *path, int flags, int *error)
{
    struct stat status;
    int fd = open(path, flags | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0666);
    *error = fd >= 0 ? 0 : errno;
    if (fd < 0) {
        bool foreign = errno == ELOOP || errno == ENXIO || errno == EISDIR || errno == ENODEV;
        *error = foreign ? HIERA_ERROR_FOREIGN : errno;
        return -1;
    }
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode))
        return hiera_file_move_up(fd);
    close(fd);
    *error = HIERA_ERROR_FOREIGN;
    return -1;
}

bool hiera_file_is_trusted(const struct stat *file, const char *path)
{
    char folder[PATH_MAX];
    struct stat around;
    const char *slash = strrchr(path, '/');
    if (file->st_uid == geteuid())
        return true;
    if (!slash || (size_t)(slash - path) >= sizeof folder)
        return false;
    memcpy(folder, path, (size_t)(slash - path));
    folder[slash - path] = '\0';
    return stat(slash == path ? "/" : folder, &around) == 0 && around.st_uid == file->st_uid;
}

bool hiera_file_name_beside(char *name, size_t room, const char *path)
{
    const char *slash = strrchr(path, '/');
    int folder = slash ? (int)(slash + 1 - path) : 0;
    int n = snprintf(name, room, "%.*s.%s.%llx.new", folder, path, path + folder,
                     (unsigned long long)(hiera_life_unique()));
    return n > 0 && (size_t)n < room;
}

/* mkdir's EEXIST counts as success: other ranks may make the same folder at the same time. */
int hiera_file_make_dir(const char *dir)
{
    char path[4096];
    if (strlen(dir) >= sizeof path)
        return ENAMETOOLONG;
    strcpy(path, dir);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
    return mkdir(path, 0777) == 0 || errno == EEXIST ? 0 : errno;
}

/* --- writing files, without signals for the program --- */

enum { KERNEL_SET_BYTES = 8 };

typedef struct Guard {
    sigset_t before; /* signal mask of the thread before the write */
    bool xfsz, pipe; /* SIGXFSZ, SIGPIPE were pending before the write: then the program gets the signal */
    int cancel_before;
} Guard;

static Guard block(void)
{
    Guard guard;
    sigset_t ours, pending;
    sigemptyset(&ours);
    sigaddset(&ours, SIGXFSZ);
    sigaddset(&ours, SIGPIPE);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard.cancel_before);
    pthread_sigmask(SIG_BLOCK, &ours, &guard.before);
    sigemptyset(&pending);
    sigpending(&pending);
    guard.xfsz = sigismember(&pending, SIGXFSZ);
    guard.pipe = sigismember(&pending, SIGPIPE);
    return guard;
}

/* Remove from the pending signals the one that the write has raised, without waiting. */
static void take_back(int number)
{
    static const struct timespec at_once = {0, 0};
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    while (syscall(SYS_rt_sigtimedwait, &one, NULL, &at_once, KERNEL_SET_BYTES) < 0 && errno == EINTR)
        ;
}

static int unblock(const Guard *guard, int error)
{
    if (error == EFBIG && !guard->xfsz)
        take_back(SIGXFSZ);
    if (error == EPIPE && !guard->pipe)
        take_back(SIGPIPE);
    pthread_sigmask(SIG_SETMASK, &guard->before, NULL);
    pthread_setcancelstate(guard->cancel_before, NULL);
    return error;
}

static bool is_interrupted(ssize_t result)
{
    return result < 0 && errno == EINTR;
}

int hiera_file_write(int fd, const char *bytes, size_t n)
{
    int error = 0;
    Guard guard = block();
    while (n > 0 && error == 0) {
        ssize_t written = write(fd, bytes, n);
        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
        } else if (!is_interrupted(written)) {
            error = written < 0 ? errno : ENOSPC;
        }
    }
    return unblock(&guard, error);
}

int hiera_file_write_at(int fd, const char *bytes, size_t n, uint64_t offset)
{
    int error = 0;
    Guard guard = block();
    while (n > 0 && error == 0) {
        ssize_t written = pwrite(fd, bytes, n, (off_t)offset);
        if (written > 0) {
            bytes += written;
            n -= (size_t)written;
            offset += (uint64_t)written;
        } else if (!is_interrupted(written)) {
            error = written < 0 ? errno : ENOSPC;
        }
    }
    return unblock(&guard, error);
}

int hiera_file_append(int fd, const struct iovec *pieces, int n_pieces, size_t *written, uint64_t *offset)
{
    ssize_t n;
    Guard guard = block();
    do
        n = writev(fd, pieces, n_pieces);
    while (is_interrupted(n));
    off_t end = n < 0 ? -1 : lseek(fd, 0, SEEK_CUR);
    bool good = end >= n && n >= 0;
    int error = good ? 0 : errno ? errno : EIO;
    *written = good ? (size_t)n : 0;
    *offset = good ? (uint64_t)(end - n) : 0;
    return unblock(&guard, error);
}

static bool gains_by_reserving(int fd, uint64_t bytes)
{
    enum { SHARE = 1024, EXT4 = 0xef53 };
    struct statfs there;
    return fstatfs(fd, &there) == 0 && there.f_type == EXT4 &&
           bytes <= (uint64_t)there.f_bavail * (uint64_t)there.f_bsize / SHARE;
}

bool hiera_file_reserve(int fd, uint64_t offset, uint64_t bytes)
{
    Guard guard = block();
    bool good = gains_by_reserving(fd, bytes) && fallocate(fd, FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes) == 0;
    unblock(&guard, 0);
    return good;
}

int hiera_file_set_length(int fd, uint64_t length)
{
    Guard guard = block();
    ssize_t result;
    do
        result = ftruncate(fd, (off_t)length);
    while (is_interrupted(result));
    return unblock(&guard, result == 0 ? 0 : errno);
}
