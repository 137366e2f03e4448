/* See kept_memory.h. The file is opened by its name for each new piece, so that it uses up no descriptor of the
 * program. */
#include "kept_memory.h"

#include "base/life.h"
#include "kept_process.h"
#include "kept_room.h"
#include "text/hash.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BEING_MADE = 1 };

extern char __start_hiera_kept[] __attribute__((visibility("hidden"))),
    __stop_hiera_kept[] __attribute__((visibility("hidden")));

static HieraKeptHeader *header; /* header of the file, mapped; NULL: there is no file */
static char path[PATH_MAX];
static ino_t inode;
static uint64_t at_first; /* number of bytes reserved when the file was made */
static bool is_in_memory, has_ended, lacked_room;
static const char *refusal;

static size_t whole_pages(size_t bytes)
{
    return (bytes + HIERA_KEPT_PAGE - 1) & ~(size_t)(HIERA_KEPT_PAGE - 1);
}

static void *map_private(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

HieraKeptHeader *hiera_kept_header(void)
{
    return has_ended ? NULL : header;
}

/* Return an address far from where the kernel places mappings by itself, also in a process without address
 * randomization. */
void *hiera_kept_place(size_t bytes)
{
    enum { APART = 1 << 20 };
    static uint64_t next = UINT64_C(0x200000000000);
    uint64_t room = (bytes + 2 * APART - 1) & ~(uint64_t)(APART - 1);
    return hiera_kept_header() && sizeof(void *) == 8
               ? (void *)(uintptr_t)__atomic_fetch_add(&next, room, __ATOMIC_RELAXED)
               : NULL;
}

const char *hiera_kept_refusal(void)
{
    return refusal;
}

bool hiera_kept_lacked_room(void)
{
    return lacked_room;
}

void hiera_kept_statics(void **begin, size_t *bytes)
{
    *begin = __start_hiera_kept;
    *bytes = (size_t)(__stop_hiera_kept - __start_hiera_kept);
}

/* The file's memory stays mapped and usable, but other processes no longer find the file. */
void hiera_kept_end(void)
{
    struct stat there;
    int saved_errno = errno;
    if (header && !has_ended && getpid() == hiera_life.pid) {
        has_ended = true;
        if (lstat(path, &there) == 0 && there.st_ino == inode)
            unlink(path);
    }
    errno = saved_errno;
}

static void refuse(const char *reason)
{
    refusal = reason;
    hiera_kept_end();
}

/* Reserve disk blocks; else writing to the mapping would end the program when the file system is full. */
static bool reserve(int fd, uint64_t offset, uint64_t bytes)
{
    if (!hiera_kept_is_below_limit(offset + bytes)) {
        refuse("the limit of file sizes (ulimit -f)");
        return false;
    }
    errno = 0;
    if (offset + bytes <= at_first ||
        (hiera_kept_has_share(fd, is_in_memory, bytes) && fallocate(fd, 0, (off_t)offset, (off_t)bytes) == 0))
        return true;
    if (errno == EOPNOTSUPP) {
        refuse("the file system of the traces cannot reserve room (fallocate)");
        return false;
    }
    lacked_room = true;
    refuse(is_in_memory ? "no room in " HIERA_KEPT_SHM : "no room in the folder of the traces");
    return false;
}

static int open_again(void)
{
    struct stat there;
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    if (fd >= 0 && fstat(fd, &there) == 0 && there.st_ino == inode)
        return fd;
    if (fd >= 0)
        close(fd);
    refuse("somebody has removed its file");
    return -1;
}

/* --- pieces: parts of the file that are mapped --- */

static HieraKeptPiece *take_place(void)
{
    for (size_t i = 0; i < HIERA_KEPT_PIECES; i++) {
        uint64_t none = 0;
        if (__atomic_load_n(&header->pieces[i].address, __ATOMIC_RELAXED) == 0 &&
            __atomic_compare_exchange_n(&header->pieces[i].address, &none, BEING_MADE, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return &header->pieces[i];
    }
    refuse("too many pieces of memory");
    return NULL;
}

static HieraKeptPiece *find(const void *address)
{
    for (size_t i = 0; header && i < HIERA_KEPT_PIECES; i++)
        if (__atomic_load_n(&header->pieces[i].address, __ATOMIC_ACQUIRE) == (uintptr_t)address)
            return &header->pieces[i];
    return NULL;
}

/* Move a mapping to `address`. By syscall(): network libraries replace mremap() by one without MREMAP_FIXED. */
static bool move_to(void *memory, size_t bytes, void *address)
{
    return syscall(SYS_mremap, memory, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, address) ==
           (long)(uintptr_t)address;
}

/* Make a new piece of the file, mapped at any address, with these contents (NULL: zeros). The piece's `address` is not
 * set yet. */
static void *make(HieraKeptPiece *piece, const void *contents, size_t bytes)
{
    int fd = open_again();
    void *memory = MAP_FAILED;
    if (fd < 0)
        return NULL;
    piece->bytes = bytes;
    piece->offset = __atomic_fetch_add(&header->end, bytes, __ATOMIC_RELAXED);
    if (reserve(fd, piece->offset, bytes)) {
        if (!contents || pwrite(fd, contents, bytes, (off_t)piece->offset) == (ssize_t)bytes)
            memory = mmap(hiera_kept_place(bytes), bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
                          (off_t)piece->offset);
        if (memory == MAP_FAILED)
            refuse("no more memory");
    }
    close(fd);
    return memory == MAP_FAILED ? NULL : memory;
}

/* errno and cancellation state to restore. Cancellation is off meanwhile, since open() is a cancellation point. */
typedef struct Guard {
    int error, cancel;
} Guard;

static Guard enter(void)
{
    Guard guard = {.error = errno};
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard.cancel);
    return guard;
}

static void leave(Guard guard)
{
    pthread_setcancelstate(guard.cancel, NULL);
    errno = guard.error;
}

static void *map_kept(size_t bytes)
{
    HieraKeptPiece *piece = take_place();
    if (!piece)
        return NULL;
    void *memory = make(piece, NULL, bytes);
    __atomic_store_n(&piece->address, (uintptr_t)memory, __ATOMIC_RELEASE);
    return memory;
}

void *hiera_kept_map(size_t bytes)
{
    Guard guard = enter();
    bytes = whole_pages(bytes);
    void *memory = hiera_kept_header() ? map_kept(bytes) : NULL;
    if (!memory)
        memory = map_private(bytes);
    leave(guard);
    return memory;
}

bool hiera_kept_cover(void *address, size_t bytes)
{
    Guard guard = enter();
    HieraKeptPiece *piece = hiera_kept_header() ? take_place() : NULL;
    void *made = piece ? make(piece, address, bytes) : NULL;
    bool good = made && move_to(made, bytes, address);
    if (piece)
        __atomic_store_n(&piece->address, good ? (uintptr_t)address : 0, __ATOMIC_RELEASE);
    if (made && !good)
        refuse("no more memory");
    leave(guard);
    return good;
}

/* Return the disk blocks of a part of the file to the file system. */
static void punch(uint64_t offset, uint64_t bytes)
{
    int fd = has_ended ? -1 : open_again();
    if (fd < 0)
        return;
    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t)offset, (off_t)bytes);
    close(fd);
}

void hiera_kept_forget(void *address)
{
    Guard guard = enter();
    HieraKeptPiece *piece = find(address);
    if (piece) {
        uint64_t offset = piece->offset, bytes = piece->bytes;
        __atomic_store_n(&piece->address, 0, __ATOMIC_RELEASE);
        punch(offset, bytes);
    }
    leave(guard);
}

void hiera_kept_unmap(void *memory, size_t bytes)
{
    hiera_kept_forget(memory);
    munmap(memory, whole_pages(bytes));
}

/* --- making the file; children of fork --- */

/* Make the file, with a name that no file has yet: O_EXCL fails if one has it, and then another name is tried. */
static int make_file(const char *folder)
{
    int fd = -1;
    for (unsigned i = 0; fd < 0 && i < 4; i++) {
        uint64_t number = hiera_hash_more(hiera_life_unique(), i);
        if (snprintf(path, sizeof path, "%s/%s" HIERA_KEPT_NAME "%llx", folder, is_in_memory ? "" : ".",
                     (unsigned)geteuid(), (int)getpid(), (unsigned long long)number) >= (int)sizeof path)
            return -1;
        fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
    }
    return fd;
}

static void *map_header(int fd, size_t room)
{
    struct stat there;
    size_t bytes = whole_pages(sizeof *header);
    void *memory = MAP_FAILED;
    if (fstat(fd, &there) == 0 && reserve(fd, 0, bytes + room)) {
        at_first = bytes + room;
        memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd, 0);
    }
    inode = there.st_ino;
    return memory == MAP_FAILED ? NULL : memory;
}

static void fill_header(HieraKeptHeader *made)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    made->header_bytes = sizeof *made;
    made->made_s = now.tv_sec;
    made->end = whole_pages(sizeof *made);
    made->rank = -1;
    gethostname(made->host, sizeof made->host - 1);
    hiera_kept_process_read(&made->process);
    memcpy(made->magic, HIERA_KEPT_MAGIC, sizeof made->magic);
}

static bool cover_statics(void)
{
    uintptr_t first = (uintptr_t)__start_hiera_kept & ~(uintptr_t)(HIERA_KEPT_PAGE - 1);
    header->statics = (uintptr_t)__start_hiera_kept;
    header->statics_bytes = (uint64_t)(__stop_hiera_kept - __start_hiera_kept);
    return hiera_kept_cover((void *)first, whole_pages((uintptr_t)__stop_hiera_kept - first));
}

bool hiera_kept_begin(const char *folder, bool in_memory, size_t room)
{
    Guard guard = enter();
    is_in_memory = in_memory;
    lacked_room = false;
    refusal = NULL;
    int fd = sysconf(_SC_PAGESIZE) == HIERA_KEPT_PAGE ? make_file(folder) : -1;
    HieraKeptHeader *made = fd >= 0 ? map_header(fd, whole_pages(room)) : NULL;
    if (made) {
        fill_header(made);
        header = made;
        cover_statics();
    } else if (fd >= 0) {
        unlink(path);
    }
    if (fd >= 0)
        close(fd);
    else
        refusal =
            is_in_memory ? "no file can be made in " HIERA_KEPT_SHM : "no file can be made in the folder of the traces";
    leave(guard);
    return hiera_kept_header() != NULL;
}

/* Replaces each piece by a private copy at the same address. Without memory for a copy, the child shares the piece. */
bool hiera_kept_in_child(void)
{
    bool good = true;
    for (size_t i = 0; header && i < HIERA_KEPT_PIECES; i++) {
        void *address = (void *)(uintptr_t)header->pieces[i].address;
        size_t bytes = header->pieces[i].bytes;
        /* Skip pieces that the parent has mapped since the fork: parent and child share the header. */
        bool is_here = (uintptr_t)address > BEING_MADE && msync(address, bytes, MS_ASYNC) == 0;
        void *copy = is_here ? map_private(bytes) : NULL;
        if (copy)
            memcpy(copy, address, bytes);
        good = good && (!is_here || (copy && move_to(copy, bytes, address)));
    }
    if (header)
        munmap(header, whole_pages(sizeof *header));
    header = NULL;
    has_ended = false;
    at_first = 0;
    return good;
}
