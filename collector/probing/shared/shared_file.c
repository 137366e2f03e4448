/* See shared_file.h. The file gets its name when its contents are complete, so no process waits for the one that makes
 * it, and no unfinished file is left behind. */
#include "shared_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

const char hiera_shared_file_folder[] = "/dev/shm";

enum { ROOM = 96 };

/* Make the file's name. The process namespace is in it, since the process ids in the file are valid only there. */
static void name_it(char name[ROOM], uint64_t number)
{
    struct stat space;
    unsigned long long numbers = stat("/proc/self/ns/pid", &space) == 0 ? space.st_ino : 0;
    snprintf(name, ROOM, "%s/hiera-1-%u-%016llx-%llx", hiera_shared_file_folder, (unsigned)geteuid(),
             (unsigned long long)number, numbers);
}

bool hiera_shared_file_is_of_here(const char *name)
{
    unsigned long long number;
    char own[ROOM];
    unsigned user;
    if (sscanf(name, "hiera-1-%u-%llx-", &user, &number) != 2)
        return false;
    name_it(own, number);
    return strcmp(own + sizeof hiera_shared_file_folder, name) == 0;
}

static void *map(int fd, size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

/* Allocate the pages of the file. Exceeding the size limit of files raises a signal. Linux before 6.10 stops when a
 * signal comes, so a timer of the program (a profiler's, say) could interrupt each attempt. @return  0 or an errno */
static int allocate(int fd, size_t bytes)
{
    struct rlimit most;
    sigset_t all, before;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur < bytes)
        return EFBIG;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int error = posix_fallocate(fd, 0, (off_t)bytes);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error;
}

/* Give a finished file its name. @return  0 or an errno: EEXIST if another process has made the file meanwhile */
static int give_name(int fd, const char *name)
{
    char own[ROOM];
    snprintf(own, sizeof own, "/proc/self/fd/%d", fd);
    return linkat(AT_FDCWD, own, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 ? 0 : errno;
}

static void *make(const char *name, size_t bytes, bool (*init)(void *memory, size_t bytes), int *error)
{
    int fd = open(hiera_shared_file_folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    *error = fd < 0 ? errno : allocate(fd, bytes);
    void *memory = *error == 0 ? map(fd, bytes) : NULL;
    if (*error == 0 && !memory)
        *error = errno;
    if (memory)
        *error = init(memory, bytes) ? give_name(fd, name) : ENOTSUP;
    if (*error != 0 && memory) {
        munmap(memory, bytes);
        memory = NULL;
    }
    if (fd >= 0)
        close(fd);
    return memory;
}

/* Map a file that another process has made. Only a file of the same user is accepted. */
static void *take(const char *name, size_t bytes, int *error)
{
    struct stat status;
    int fd = open(name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *error = fd < 0 ? errno : 0;
    if (fd < 0)
        return NULL;
    bool good = fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid() &&
                (status.st_mode & 077) == 0 && (size_t)status.st_size == bytes;
    void *memory = good ? map(fd, bytes) : NULL;
    *error = memory ? 0 : good ? errno : EPERM;
    close(fd);
    return memory;
}

/* Whether an opened file is stale, and `path` is still its name. */
static bool is_removable(int fd, const char *path, HieraSharedFileStale *is_stale)
{
    struct stat status, named;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || status.st_uid != geteuid() || status.st_size == 0)
        return false;
    size_t bytes = (size_t)status.st_size;
    void *memory = mmap(NULL, bytes, PROT_READ, MAP_SHARED, fd, 0);
    bool stale = memory != MAP_FAILED && is_stale(memory, bytes);
    if (memory != MAP_FAILED)
        munmap(memory, bytes);
    return stale && lstat(path, &named) == 0 && named.st_ino == status.st_ino && named.st_dev == status.st_dev;
}

/* Remove a stale file. Only the process that has the file's lock removes its name, so the name cannot belong to another
 * file by then. */
static void remove_stale(const char *path, HieraSharedFileStale *is_stale)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (flock(fd, LOCK_EX) == 0 && is_removable(fd, path, is_stale))
        unlink(path);
    close(fd);
}

void hiera_shared_file_remove(const char *name, HieraSharedFileStale *is_stale)
{
    char path[PATH_MAX];
    if (snprintf(path, sizeof path, "%s/%s", hiera_shared_file_folder, name) < (int)sizeof path)
        remove_stale(path, is_stale);
}

void *hiera_shared_file_map(uint64_t number, size_t bytes, bool (*init)(void *memory, size_t bytes),
                            HieraSharedFileStale *is_stale, int *error)
{
    char name[ROOM];
    name_it(name, number);
    remove_stale(name, is_stale);
    void *memory = take(name, bytes, error);
    if (*error == ENOENT)
        memory = make(name, bytes, init, error);
    return *error == EEXIST ? take(name, bytes, error) : memory;
}

void hiera_shared_file_hide(uint64_t number)
{
    char name[ROOM];
    name_it(name, number);
    unlink(name);
}
