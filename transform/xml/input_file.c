/* See input_file.h. A plain file is read directly into the caller's buffer, a compressed file into a buffer of its
 * own and decompressed from there. */
#include "input_file.h"
#include "container.h"
#include "decompress.h"
#include "hiera_trace.h"
#include "live_copies.h"
#include "otf2/otf2_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PACKED_BYTES (256 * 1024)
#define PAGE_BYTES   4096
#define HOLE_BYTES   64 /* zero bytes in a row that count as a hole, where writing stopped */
#define HEAD_BYTES   4  /* number of first bytes of a file that tell whether it is compressed */

struct HieraInputFile {
    int fd;
    char *path;
    gsize *progress;
    guint64 offset; /* offset in the file of the next byte to read */
    gboolean at_end;
    gboolean torn;                   /* whether other bytes follow the zero bytes at which reading ended */
    HieraDecompressor *decompressor; /* decompresses `packed`; NULL: the file is not compressed */
    char *packed;                    /* buffer for bytes of a compressed file, before decompression */
    gsize used, filled;              /* number of bytes of `packed` that were decompressed; number that were read */
    HieraOtf2Trace *otf2; /* trace of an OTF2 archive, converted to text; NULL: the file belongs to no archive */
    HieraMember *member;  /* trace in a container; NULL: the file is not in a container */
    const char *problem;  /* reason of a read error; NULL: none */
};

static gboolean fail(GError **error, const char *problem)
{
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, problem);
    return FALSE;
}

static gboolean check_regular(int fd, GError **error)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return fail(error, g_strerror(errno));
    if (S_ISDIR(status.st_mode))
        return fail(error, "is a folder, not a trace; name the folder itself on the command line");
    if (!S_ISREG(status.st_mode))
        return fail(error, "is not a regular file; write the trace to a file first");
    return TRUE;
}

static gssize read_bytes(HieraInputFile *source, char *buffer, gsize size)
{
    ssize_t n;
    if (source->member)
        return hiera_member_read(source->member, buffer, size);
    do {
        n = read(source->fd, buffer, size);
    } while (n < 0 && errno == EINTR);
    return n;
}

static gssize read_file(HieraInputFile *source, char *buffer, gsize size)
{
    gssize n = read_bytes(source, buffer, size);
    if (n < 0) {
        source->problem = source->member ? hiera_member_peek_problem(source->member) : g_strerror(errno);
        return -1;
    }
    source->offset += (guint64)n;
    source->at_end = n == 0;
    if (source->progress)
        g_atomic_pointer_add(source->progress, n);
    return n;
}

/* Return the number of bytes before the first hole. A crash of the machine can leave a hole of zero bytes in a file;
 * the trace ends there. Fewer than HOLE_BYTES zeros may be text in another encoding (UTF-16, for example). */
static gsize find_hole(const char *bytes, gsize n)
{
    static const char zeros[HOLE_BYTES];
    const char *end = bytes + n;
    for (const char *at = bytes; (at = memchr(at, 0, (gsize)(end - at))) && end - at >= HOLE_BYTES; at++)
        if (memcmp(at, zeros, HOLE_BYTES) == 0)
            return (gsize)(at - bytes);
    return n;
}

static gboolean is_zero(const char *bytes, gsize n)
{
    return n == 0 || (bytes[0] == 0 && memcmp(bytes, bytes + 1, n - 1) == 0);
}

/* Return TRUE if other bytes than zeros follow a hole: in the `n` bytes that were read, or in the last page of the
 * file. The bytes between are not read, because a hole can be huge. */
static gboolean has_others(const HieraInputFile *source, const char *bytes, gsize n)
{
    char last[PAGE_BYTES];
    struct stat status;
    if (!is_zero(bytes, n))
        return TRUE;
    off_t from = fstat(source->fd, &status) == 0 ? MAX((off_t)source->offset, status.st_size - PAGE_BYTES) : 0;
    ssize_t read = pread(source->fd, last, sizeof last, from);
    return read > 0 && !is_zero(last, (gsize)read);
}

/* Read bytes that end at a page boundary of the file. Holes begin at page boundaries, so none is split between two
 * reads into parts that are too small to find. */
static gssize read_plain(HieraInputFile *source, char *buffer, gsize size)
{
    gsize beyond = (source->offset + size) % PAGE_BYTES;
    gssize n = source->at_end ? 0 : read_file(source, buffer, beyond < size ? size - beyond : size);
    gsize whole = n > 0 ? find_hole(buffer, (gsize)n) : 0;
    if (n > 0 && whole < (gsize)n) {
        source->at_end = TRUE;
        source->torn = has_others(source, buffer + whole, (gsize)n - whole);
    }
    return n > 0 ? (gssize)whole : n;
}

static gssize read_packed(HieraInputFile *source, char *buffer, gsize size)
{
    for (;;) {
        if (source->used == source->filled) {
            gssize filled = read_file(source, source->packed, PACKED_BYTES);
            if (filled < 0)
                return -1;
            source->used = 0;
            source->filled = (gsize)filled;
        }
        gsize n = source->filled - source->used;
        gssize decoded = hiera_decompressor_run(source->decompressor, source->packed + source->used, &n, buffer, size);
        source->used += n;
        if (decoded < 0)
            source->problem = "its compressed data is damaged";
        if (decoded != 0 || source->at_end)
            return decoded;
    }
}

/* Make the decompressor if the file is compressed. Return FALSE with an error if this build lacks it. A read error is
 * ignored here: the first regular read reports it. */
static gboolean look_at_head(HieraInputFile *source, GError **error)
{
    char head[HEAD_BYTES];
    g_autoptr(GError) cannot = NULL;
    gssize n = source->member ? (gssize)hiera_member_peek(source->member, head, sizeof head)
                              : pread(source->fd, head, sizeof head, 0);
    if (n > 0 && (source->decompressor = hiera_decompressor_new(head, (gsize)n, &cannot)))
        source->packed = g_malloc(PACKED_BYTES);
    if (!cannot)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&cannot));
    return FALSE;
}

/* Open the trace of a rank in an OTF2 archive. */
static HieraInputFile *open_otf2(const char *path, const char *anchor, guint32 rank, GError **error)
{
    HieraOtf2Trace *trace = hiera_otf2_trace_open(anchor, rank, error);
    if (!trace)
        return NULL;
    HieraInputFile *source = g_new0(HieraInputFile, 1);
    *source = (HieraInputFile){.fd = -1, .path = g_strdup(path), .otf2 = trace};
    return source;
}

/* Open the trace of a rank in a container. */
static HieraInputFile *open_member(const char *path, const char *container, guint32 rank, gsize *progress,
                                   GError **error)
{
    HieraMember *member = hiera_member_open(container, rank, error);
    if (!member)
        return NULL;
    HieraInputFile *source = g_new0(HieraInputFile, 1);
    *source = (HieraInputFile){.fd = -1, .path = g_strdup(path), .progress = progress, .member = member};
    if (!look_at_head(source, error))
        g_clear_pointer(&source, hiera_input_file_free);
    return source;
}

static int read_otf2(HieraInputFile *source, char *buffer, gsize size)
{
    gssize n = hiera_otf2_trace_read(source->otf2, buffer, size);
    if (n < 0)
        source->problem = hiera_otf2_trace_peek_problem(source->otf2);
    return (int)n;
}

HieraInputFile *hiera_input_file_open(const char *path, gsize *progress, GError **error)
{
    guint32 rank;
    g_autofree char *copy = hiera_live_copies_find(path);
    g_autofree char *container = copy ? NULL : hiera_container_find(path, &rank);
    if (container)
        return open_member(path, container, rank, progress, error);
    g_autofree char *anchor = hiera_otf2_find_anchor(path, &rank);
    if (anchor)
        return open_otf2(path, anchor, rank, error);
    /* With O_NONBLOCK, opening a FIFO does not wait for its writer. */
    int fd = open(copy ? copy : path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "cannot be opened: %s", g_strerror(errno));
        return NULL;
    }
    if (!check_regular(fd, error)) {
        close(fd);
        return NULL;
    }
    HieraInputFile *source = g_new0(HieraInputFile, 1);
    *source = (HieraInputFile){.fd = fd, .path = g_strdup(path), .progress = progress};
    if (!look_at_head(source, error))
        g_clear_pointer(&source, hiera_input_file_free);
    return source;
}

int hiera_input_file_read(HieraInputFile *source, char *buffer, int size)
{
    if (source->otf2)
        return read_otf2(source, buffer, (gsize)size);
    return (int)(source->decompressor ? read_packed : read_plain)(source, buffer, (gsize)size);
}

const char *hiera_input_file_peek_problem(const HieraInputFile *source)
{
    return source->problem ? source->problem : "the file cannot be read";
}

gboolean hiera_input_file_is_torn(const HieraInputFile *source)
{
    return source->torn;
}

const char *hiera_input_file_peek_path(const HieraInputFile *source)
{
    return source->path;
}

void hiera_input_file_free(HieraInputFile *source)
{
    if (!source)
        return;
    if (source->fd >= 0)
        close(source->fd);
    hiera_otf2_trace_free(source->otf2);
    hiera_member_free(source->member);
    hiera_decompressor_free(source->decompressor);
    g_free(source->packed);
    g_free(source->path);
    g_free(source);
}
