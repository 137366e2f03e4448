#include "container.h"

#include "base/kept.h"
#include "base/life.h"
#include "base/safe_file.h"
#include "folder/claim.h"
#include "memory/signal_safe_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FREE_MAX = 64, ZEROS = 16 << 10, PIECES = 2 + HIERA_EXTENT_MAX / ZEROS, LEAST = 4096, TRIES = 3 };

typedef struct Free {
    uint64_t offset;
    uint32_t bytes;
} Free;

static struct {
    bool is_used;
    int error;      /* errno that explains why traces cannot be written into the container; 0: they can */
    int fd, end_fd; /* two descriptors of the container's file; `end_fd` is open with O_APPEND */
    char *path;
    dev_t device; /* device and inode identify the file, because the program may close our descriptors */
    ino_t inode;
    uint64_t number;
    Free free[FREE_MAX]; /* extents of this process that are free for reuse */
    size_t n_free;
} container HIERA_KEPT = {.fd = -1, .end_fd = -1};

static const char zeros[ZEROS];

/* --- the container's file --- */

static bool is_ours(int fd)
{
    struct stat status;
    return fd >= 0 && fstat(fd, &status) == 0 && status.st_dev == container.device && status.st_ino == container.inode;
}

static void close_both(void)
{
    if (container.fd >= 0)
        close(container.fd);
    if (container.end_fd >= 0)
        close(container.end_fd);
    container.fd = container.end_fd = -1;
}

/* Open the descriptors that are missing, and share the lock of the file. Returns 0 or the errno. */
static int open_both(const char *path)
{
    struct stat status;
    int error = 0;
    if (container.fd < 0)
        container.fd = hiera_file_open(path, O_RDWR, &error);
    if (error == 0)
        container.end_fd = hiera_file_open(path, O_WRONLY | O_APPEND, &error);
    if (error == 0 && fstat(container.fd, &status) != 0)
        error = errno;
    if (error != 0)
        return error;
    container.device = status.st_dev;
    container.inode = status.st_ino;
    if (!is_ours(container.end_fd))
        return ENOENT;
    return hiera_claim_share(container.fd) ? 0 : HIERA_ERROR_BUSY;
}

/* Write all traces into this container from now on; with an `error` other than 0 they are not written at all. */
static int use(const char *path, int error)
{
    container.is_used = true;
    container.path = error == 0 ? hiera_memory_copy(path) : NULL;
    container.error = error != 0 ? error : container.path ? 0 : ENOMEM;
    if (container.error != 0)
        close_both();
    return container.error;
}

static void describe(char page[HIERA_CONTAINER_PAGE], uint32_t members, unsigned long long job)
{
    HieraContainerHead head = {HIERA_CONTAINER_MAGIC, container.number, members, 0};
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    memset(page, 0, HIERA_CONTAINER_PAGE);
    snprintf(page, HIERA_CONTAINER_TEXT,
             HIERA_CONTAINER_MARK
             "The traces of several ranks (%lu) of one host, in one file. hiera-transform reads it, its folder, or "
             "FILE#RANK for one rank;\n"
             "hiera-transform FILE --export full:FOLDER makes an XML file of each.\n"
             "container host=\"%s\" pid=\"%ld\" job=\"%llx\"\n",
             (unsigned long)members, host, (long)getpid(), job);
    head.check = hiera_container_check_of(&head, sizeof head);
    memcpy(page + HIERA_CONTAINER_TEXT, &head, sizeof head);
}

int hiera_container_make(const char *path, int fd, uint32_t members, unsigned long long job)
{
    char page[HIERA_CONTAINER_PAGE];
    container.number = hiera_life_unique();
    container.fd = fd;
    describe(page, members, job);
    int error = hiera_file_write_at(fd, page, sizeof page, 0);
    return use(path, error != 0 ? error : open_both(path));
}

static int read_head(HieraContainerHead *head)
{
    if (pread(container.fd, head, sizeof *head, HIERA_CONTAINER_TEXT) != (ssize_t)sizeof *head)
        return EIO;
    return head->magic != HIERA_CONTAINER_MAGIC || head->check != hiera_container_check_of(head, sizeof *head)
               ? HIERA_ERROR_FOREIGN
               : 0;
}

int hiera_container_join(const char *path)
{
    HieraContainerHead head;
    int error = open_both(path);
    error = error != 0 ? error : read_head(&head);
    if (error == 0)
        container.number = head.number;
    return use(path, error);
}

int hiera_container_refuse(int error)
{
    return use(NULL, error);
}

bool hiera_container_is_used(int *error)
{
    *error = container.error;
    return container.is_used;
}

bool hiera_container_check(void)
{
    dev_t device = container.device;
    ino_t inode = container.inode;
    if (is_ours(container.fd) && is_ours(container.end_fd))
        return true;
    container.fd = is_ours(container.fd) ? container.fd : -1;
    if (container.error == 0 && open_both(container.path) == 0 && container.device == device &&
        container.inode == inode)
        return true;
    close_both();
    container.device = device;
    container.inode = inode;
    container.error = EBADF;
    return false;
}

void hiera_container_keep(void)
{
    char *copy = container.path ? hiera_memory_copy(container.path) : NULL;
    if (copy)
        container.path = copy;
}

/* The inode alone is compared: each computer numbers the devices of its mounts by itself. */
static int open_to_read(void)
{
    struct stat status;
    int error;
    container.fd = hiera_file_open(container.path, O_RDONLY, &error);
    if (container.fd >= 0 && fstat(container.fd, &status) == 0)
        container.device = status.st_dev;
    return container.fd < 0 ? error : !is_ours(container.fd) ? ESTALE : 0;
}

void hiera_container_forget(void)
{
    container.is_used = false;
}

int hiera_container_open_again(bool reads)
{
    static bool is_open;
    HieraContainerHead head;
    if (is_open)
        return 0;
    container.fd = container.end_fd = -1; /* these descriptors were valid only in the killed process */
    int error = container.error != 0 ? container.error : reads ? open_to_read() : open_both(container.path);
    error = error != 0 ? error : read_head(&head);
    is_open = error == 0 && head.number == container.number;
    if (error != 0)
        return error;
    return is_open ? 0 : ESTALE;
}

HieraStorePlace hiera_container_place(void)
{
    return (HieraStorePlace){container.path, container.device, container.inode};
}

void hiera_container_leave_to_parent(void)
{
    if (is_ours(container.fd))
        close(container.fd);
    if (is_ours(container.end_fd))
        close(container.end_fd);
}

/* --- extents of the container: pieces of its file --- */

static bool is_extent(const HieraExtentHead *head)
{
    return head->magic == HIERA_EXTENT_MAGIC && head->container == container.number &&
           head->check == hiera_container_check_of(head, sizeof *head);
}

int hiera_container_read_head(uint64_t offset, HieraExtentHead *head)
{
    ssize_t n = pread(container.fd, head, sizeof *head, (off_t)offset);
    if (n < 0)
        return errno;
    return n == (ssize_t)sizeof *head && is_extent(head) ? 0 : EIO;
}

int hiera_container_write_head(uint64_t offset, HieraExtentHead *head)
{
    head->magic = HIERA_EXTENT_MAGIC;
    head->container = container.number;
    head->check = hiera_container_check_of(head, sizeof *head);
    return hiera_file_write_at(container.fd, (const char *)head, sizeof *head, offset);
}

int hiera_container_read(uint64_t offset, size_t position, char *bytes, size_t n)
{
    ssize_t got = pread(container.fd, bytes, n, (off_t)(offset + sizeof(HieraExtentHead) + position));
    if (got < 0)
        return errno;
    return (size_t)got == n ? 0 : EIO;
}

int hiera_container_write(uint64_t offset, size_t position, const char *bytes, size_t n)
{
    return hiera_file_write_at(container.fd, bytes, n, offset + sizeof(HieraExtentHead) + position);
}

/* Compute the sum of an extent that was written as a whole, if it is full; later writes into the rest change the sum.
 */
static void sum_if_full(HieraExtentHead *head, const char *bytes, size_t n)
{
    HieraContainerSum sum = {0, 0};
    if (n != head->bytes - sizeof *head)
        return;
    hiera_container_sum_add(&sum, bytes, n, 0);
    head->sum = sum.sum;
    head->weighted = sum.weighted;
    head->summed = (uint32_t)n;
}

static size_t least_of(size_t a, size_t b)
{
    return a < b ? a : b;
}

static int take_free(HieraExtentHead *head, const char *bytes, size_t *n, uint64_t *offset)
{
    Free last = container.free[--container.n_free];
    head->bytes = last.bytes;
    *n = least_of(*n, head->bytes - sizeof *head);
    *offset = last.offset;
    int error = hiera_container_write_head(*offset, head);
    return error != 0 ? error : hiera_container_write(*offset, 0, bytes, *n);
}

/* After ENOSPC: make the part that was written a shorter extent, with *n bytes of text. */
static int keep_part(HieraExtentHead *head, size_t *n, uint64_t offset, size_t written)
{
    head->bytes = (uint32_t)written;
    head->summed = 0;
    head->sum = head->weighted = 0;
    *n = least_of(*n, written - sizeof *head);
    return hiera_container_write_head(offset, head);
}

int hiera_container_take(HieraExtentHead *head, const char *bytes, size_t *n, uint64_t *offset)
{
    struct iovec pieces[PIECES] = {{head, sizeof *head}, {(void *)(uintptr_t)bytes, *n}};
    int n_pieces = 2, error = 0;
    size_t written = 0;
    if (container.n_free > 0)
        return take_free(head, bytes, n, offset);
    sum_if_full(head, bytes, *n);
    head->magic = HIERA_EXTENT_MAGIC;
    head->container = container.number;
    head->check = hiera_container_check_of(head, sizeof *head);
    for (size_t rest = head->bytes - sizeof *head - *n; rest > 0; rest -= pieces[n_pieces++].iov_len)
        pieces[n_pieces] = (struct iovec){(void *)(uintptr_t)zeros, least_of(rest, ZEROS)};
    for (int i = 0; i < TRIES && error == 0 && written < LEAST; i++)
        error = hiera_file_append(container.end_fd, pieces, n_pieces, &written, offset);
    if (error != 0 || written == head->bytes)
        return error;
    return written < LEAST ? ENOSPC : keep_part(head, n, *offset, written);
}

void hiera_container_give(uint64_t offset, HieraExtentHead head)
{
    head.thread = HIERA_EXTENT_FREE;
    head.summed = 0;
    head.next = head.length = head.sum = head.weighted = 0;
    if (hiera_container_write_head(offset, &head) != 0)
        return;
    hiera_container_trim(offset, &head, 0);
    if (container.n_free < FREE_MAX)
        container.free[container.n_free++] = (Free){offset, head.bytes};
}

void hiera_container_trim(uint64_t offset, const HieraExtentHead *head, size_t used)
{
    enum { PAGE = 4096 };
    uint64_t from = (offset + sizeof *head + used + PAGE - 1) / PAGE * PAGE, to = (offset + head->bytes) / PAGE * PAGE;
    if (from < to)
        fallocate(container.fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)from, (off_t)(to - from));
}
