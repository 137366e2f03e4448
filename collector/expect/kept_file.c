/* See kept_file.h. The executions of a rule are stored as a linked list of pieces; each piece has the offset of the
 * next one. */
#include "kept_file.h"

#include "base/safe_file.h"
#include "memory/signal_safe_memory.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Header of a piece: a block of numbers in the file, about executions of one rule. */
typedef struct Head {
    uint64_t next, n; /* next: offset of the rule's next piece, 0: none; n: count of numbers in this piece */
} Head;

typedef struct Chain {
    uint64_t first, last; /* offsets in the file of the rule's first and last piece; 0: there is none */
    size_t n;             /* count of numbers in all pieces of the rule */
} Chain;

enum { BEGIN = 8, LEAST = 16 };

static struct {
    Head head;
    int64_t numbers[HIERA_KEPT_FEW];
} piece; /* buffer for the piece (header and numbers) that is being written or read */

static const char *folder;
static struct {
    int fd; /* descriptor of the file; -1: it could not be made */
    dev_t device;
    ino_t inode;
    bool is_made, is_broken;
    uint64_t end;
    Chain *chains; /* [rule]: the linked list of the rule's pieces (blocks of numbers) */
    size_t room;
} file;

void hiera_kept_file_set_folder(const char *dir)
{
    folder = dir;
}

/* Whether the descriptor is still that of make_file(): programs may close descriptors that they did not open, and then
 * another file may get the number. */
static bool is_own(void)
{
    struct stat status;
    return file.fd >= 0 && fstat(file.fd, &status) == 0 && status.st_dev == file.device && status.st_ino == file.inode;
}

static bool make_file(void)
{
    char path[PATH_MAX], beside[PATH_MAX];
    struct stat status;
    int error;
    if (file.is_made || !folder)
        return file.is_made;
    file.is_made = true;
    file.fd = -1;
    file.end = BEGIN;
    hiera_file_make_dir(folder);
    if (snprintf(path, sizeof path, "%s/assertions.kept", folder) >= (int)sizeof path ||
        !hiera_file_name_beside(beside, sizeof beside, path))
        return true;
    file.fd = hiera_file_open(beside, O_RDWR | O_CREAT | O_EXCL, &error);
    if (file.fd < 0)
        return true;
    unlink(beside);
    if (fstat(file.fd, &status) == 0) {
        file.device = status.st_dev;
        file.inode = status.st_ino;
    }
    return true;
}

static Chain *chain_of(size_t rule)
{
    size_t room = file.room ? file.room : LEAST;
    while (room <= rule)
        room *= 2;
    if (room > file.room) {
        Chain *chains = hiera_memory_grow(file.chains, file.room * sizeof *chains, room * sizeof *chains);
        if (!chains)
            return NULL;
        file.chains = chains;
        file.room = room;
    }
    return &file.chains[rule];
}

static bool write_at(uint64_t at, const void *bytes, size_t n)
{
    return hiera_file_write_at(file.fd, bytes, n, at) == 0;
}

static bool add_piece(Chain *chain, const int64_t *numbers, size_t n)
{
    uint64_t at = file.end;
    size_t bytes = sizeof piece.head + n * sizeof *numbers;
    if (bytes > sizeof piece)
        return false;
    piece.head = (Head){0, n};
    memcpy(piece.numbers, numbers, n * sizeof *numbers);
    if (!write_at(at, &piece, bytes) ||
        (chain->last != 0 && !write_at(chain->last + offsetof(Head, next), &at, sizeof at)))
        return false;
    chain->first = chain->first ? chain->first : at;
    chain->last = at;
    chain->n += n;
    file.end = at + bytes;
    return true;
}

/* Store numbers in the file. After a failed write they are lost, yet it returns true: keeping them would let memory
 * grow. */
static bool take(void *user, size_t rule, const int64_t *numbers, size_t n)
{
    (void)user;
    if (!make_file())
        return false;
    Chain *chain = file.is_broken || !is_own() ? NULL : chain_of(rule);
    file.is_broken = !chain || !add_piece(chain, numbers, n);
    return true;
}

static bool count(void *user, size_t rule, size_t *n)
{
    (void)user;
    *n = rule < file.room ? file.chains[rule].n : 0;
    return !file.is_broken && (*n == 0 || is_own());
}

static bool read_at(uint64_t at, void *bytes, size_t n)
{
    return pread(file.fd, bytes, n, (off_t)at) == (ssize_t)n;
}

static bool each(void *user, size_t rule, void (*hand_on)(void *to, const int64_t *numbers, size_t n), void *to)
{
    (void)user;
    for (uint64_t at = rule < file.room ? file.chains[rule].first : 0; at != 0; at = piece.head.next) {
        if (!read_at(at, &piece.head, sizeof piece.head) || piece.head.n > HIERA_KEPT_FEW ||
            !read_at(at + sizeof piece.head, piece.numbers, piece.head.n * sizeof *piece.numbers))
            return false;
        hand_on(to, piece.numbers, piece.head.n);
    }
    return true;
}

const HieraKeeper hiera_kept_file_keeper = {take, NULL};
const HieraTaken hiera_kept_file_taken = {count, each, NULL};
