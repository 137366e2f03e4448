#include "own_file.h"

#include "base/safe_file.h"
#include "folder/claim.h"
#include "memory/signal_safe_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct OwnFile {
    HieraStore store;
    int fd; /* descriptor of the file; -1: the file can no longer be opened */
    char *path;
    dev_t device; /* device and inode identify the file: the program may close our descriptor, and another file may get
                     its number */
    ino_t inode;
    uint64_t room; /* end of the disk space reserved for the file; NO_ROOM: the file system cannot reserve */
} OwnFile;

/* Disk space is reserved STEP bytes at a time, for writes of at least LONG bytes behind the first STEP bytes of the
 * file. */
static const uint64_t STEP = 1 << 20, LONG = 64 << 10, NO_ROOM = UINT64_MAX;

static OwnFile *own_file_of(HieraStore *store)
{
    return (OwnFile *)(void *)store;
}

static bool is_ours(const OwnFile *file, int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == file->device && status.st_ino == file->inode;
}

static int write_at(HieraStore *store, const char *bytes, size_t n, uint64_t position)
{
    OwnFile *file = own_file_of(store);
    uint64_t end = position + n;
    if (position >= STEP && n >= LONG && file->room < end)
        file->room = hiera_file_reserve(file->fd, position, STEP) ? position + STEP : NO_ROOM;
    return hiera_file_write_at(file->fd, bytes, n, position);
}

static ssize_t read_at(HieraStore *store, char *bytes, size_t n, uint64_t position)
{
    return pread(own_file_of(store)->fd, bytes, n, (off_t)position);
}

static int end_at(HieraStore *store, uint64_t end, uint64_t was, bool final)
{
    OwnFile *file = own_file_of(store);
    bool gives_back = final && file->room != NO_ROOM && file->room > end;
    if (end >= was && !gives_back)
        return 0;
    if (file->room != NO_ROOM)
        file->room = 0;
    int error = hiera_file_set_length(file->fd, end);
    return end < was
               ? error
               : 0; /* an error does not matter if only reserved disk space was to be cut off: the trace is complete */
}

/* Pieces are aligned to their size in the file. Then the page cache takes each as one large folio, without reading or
 * zeroing it first. This takes a little more than half the time. */
static size_t piece(HieraStore *store, uint64_t position, size_t most)
{
    (void)store;
    return most - position % most;
}

/* Open the file again unless the descriptor still belongs to it. Returns false if the file is lost. */
static bool check(HieraStore *store)
{
    OwnFile *file = own_file_of(store);
    int error;
    if (is_ours(file, file->fd))
        return true;
    file->fd = hiera_file_open(file->path, O_RDWR, &error);
    if (is_ours(file, file->fd) && hiera_claim_lock_again(file->fd))
        return true;
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
    return false;
}

/* To read, the inode alone is compared: each computer numbers the devices of its mounts by itself. */
static int open_again(HieraStore *store, bool reads)
{
    OwnFile *file = own_file_of(store);
    struct stat status;
    int error;
    file->fd = hiera_file_open(file->path, reads ? O_RDONLY : O_RDWR, &error);
    if (file->fd < 0)
        return error;
    if (reads && fstat(file->fd, &status) == 0)
        file->device = status.st_dev;
    if (!is_ours(file, file->fd))
        return ESTALE;
    return !reads && !hiera_claim_lock_again(file->fd) ? HIERA_ERROR_BUSY : 0;
}

static HieraStorePlace place(const HieraStore *store)
{
    const OwnFile *file = (const OwnFile *)(const void *)store;
    return (HieraStorePlace){file->path, file->device, file->inode};
}

static void leave_to_parent(HieraStore *store)
{
    OwnFile *file = own_file_of(store);
    if (is_ours(file, file->fd))
        close(file->fd);
}

static void remove_file(HieraStore *store)
{
    unlink(own_file_of(store)->path);
}

static void free_file(OwnFile *file)
{
    if (file->path)
        hiera_memory_free(file->path, strlen(file->path) + 1);
    hiera_memory_free(file, sizeof *file);
}

static void close_file(HieraStore *store)
{
    OwnFile *file = own_file_of(store);
    if (file->fd >= 0)
        close(file->fd);
    free_file(file);
}

static const HieraStoreKind kind = {write_at,   read_at, end_at,          piece,       check,
                                    open_again, place,   leave_to_parent, remove_file, close_file};

HieraStore *hiera_own_file_make(const char *path, int fd, int *error)
{
    struct stat status;
    OwnFile *file = hiera_memory_new(sizeof *file);
    char *copy = file ? hiera_memory_copy(path) : NULL;
    *error = !copy ? ENOMEM : fstat(fd, &status) != 0 ? errno : 0;
    if (file)
        *file = (OwnFile){{&kind}, fd, copy, 0, 0, 0};
    if (*error == 0) {
        file->device = status.st_dev;
        file->inode = status.st_ino;
        return &file->store;
    }
    if (file)
        free_file(file);
    close(fd);
    return NULL;
}

bool hiera_own_file_is(const HieraStore *store)
{
    return store->kind == &kind;
}

bool hiera_own_file_is_at(HieraStore *store, const char *path)
{
    return strcmp(own_file_of(store)->path, path) == 0;
}

int hiera_own_file_rename(HieraStore *store, const char *path)
{
    OwnFile *file = own_file_of(store);
    char *copy = hiera_memory_copy(path);
    int error = copy ? hiera_claim_rename_trace(file->path, path) : ENOMEM;
    char *other = error == 0 ? file->path : copy;
    if (error == 0)
        file->path = copy;
    if (other)
        hiera_memory_free(other, strlen(other) + 1);
    return error;
}

int hiera_own_file_replace(HieraStore *store, HieraStore *other)
{
    OwnFile *file = own_file_of(store), *older = own_file_of(other);
    if (rename(file->path, older->path) != 0)
        return errno;
    char *path = older->path;
    older->path = file->path;
    file->path = path;
    return 0;
}

void hiera_own_file_moved(HieraStore *store, const char *path)
{
    char *copy = hiera_memory_copy(path);
    if (copy)
        own_file_of(store)->path = copy;
}
