/* One file of a trace: block, patches, tail, and what happens when the disk is full. See stream.h. */
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Blocks begin at a multiple of their size in the file: the page cache then takes each as one large folio without
 * reading or zeroing, in a little more than half the time. */
enum { BLOCK = 128 << 10, TAIL_SPARE = 160 };

static char block_bytes[BLOCK + 2 * HIERA_TEXT_MARGIN];
static HieraStream *current; /* whose text is in the block */

HieraStream *hiera_stream_new(const char *path, unsigned number)
{
    HieraStream *stream = calloc(1, sizeof *stream);
    if (!stream)
        return NULL;
    stream->fd = -1;
    stream->number = number;
    stream->path = strdup(path);
    if (!stream->path) {
        free(stream);
        return NULL;
    }
    return stream;
}

/* A program may close low descriptors that it did not open, or expect certain numbers: stay out of their way. */
static int open_high(const char *path, int flags)
{
    int fd = open(path, O_RDWR | O_CLOEXEC | flags, 0666);
    int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 500);
    if (high < 0)
        return fd;
    close(fd);
    return high;
}

bool hiera_stream_open(HieraStream *stream)
{
    struct stat status;
    stream->fd = open_high(stream->path, O_CREAT | O_TRUNC);
    if (stream->fd < 0 || fstat(stream->fd, &status) != 0) {
        stream->error = errno;
        return false;
    }
    stream->device = status.st_dev;
    stream->inode = status.st_ino;
    return true;
}

static bool is_own_file(const HieraStream *stream)
{
    struct stat status;
    return fstat(stream->fd, &status) == 0 && status.st_dev == stream->device && status.st_ino == stream->inode;
}

/* Was our descriptor closed, or is it another file by now? Then open the trace again; never write to a stranger. */
static void check_descriptor(HieraStream *stream)
{
    if (stream->fd < 0 || is_own_file(stream))
        return;
    stream->fd = open_high(stream->path, 0);
    if (stream->fd >= 0 && is_own_file(stream))
        return;
    if (stream->fd >= 0)
        close(stream->fd);
    stream->fd = -1;
    stream->error = stream->cause = EBADF;
}

static bool write_at(HieraStream *stream, uint64_t offset, const char *bytes, size_t n)
{
    while (n > 0) {
        ssize_t written = pwrite(stream->fd, bytes, n, (off_t)offset);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            if (stream->error == 0)
                stream->error = written < 0 ? errno : ENOSPC;
            return false;
        }
        bytes += written;
        n -= (size_t)written;
        offset += (uint64_t)written;
    }
    return true;
}

/* The block is full where the file has a multiple of its size. */
static void set_limit(HieraStream *stream)
{
    stream->text->limit = stream->text->base + (BLOCK - stream->position % BLOCK);
}

static void write_text(HieraStream *stream, size_t n)
{
    HieraText *text = stream->text;
    if (stream->error == 0 && stream->fd >= 0)
        write_at(stream, stream->position, text->base, n);
    stream->position += n;
    text->next -= n;
    memmove(text->base, text->base + n, (size_t)(text->next - text->base));
    set_limit(stream);
}

/* The block is full: what is behind its limit stays for the next. */
static void spill(HieraText *text)
{
    write_text(current, (size_t)(text->limit - text->base));
}

static void write_rest(HieraStream *stream)
{
    write_text(stream, (size_t)(stream->text->next - stream->text->base));
}

void hiera_stream_begin(HieraStream *stream)
{
    static HieraText text = {block_bytes, block_bytes + BLOCK, block_bytes, spill};
    check_descriptor(stream);
    current = stream;
    stream->text = &text;
    text.next = text.base;
    stream->position = stream->safe;
    set_limit(stream);
}

/* Ends of the elements that were open at the last good state. */
static void put_closings(HieraStream *stream)
{
    static const char *const closing[] = {
        [HIERA_FRAME_REGION] = "\n</hieraRegion>", [HIERA_FRAME_OOPS] = "\n</hieraOOPS>", [HIERA_FRAME_HIDDEN] = ""};
    for (size_t i = stream->n_safe_frames; i-- > 0;)
        hiera_text_bytes(stream->text, closing[stream->safe_frames[i]], strlen(closing[stream->safe_frames[i]]));
}

static void keep_frames(HieraStream *stream)
{
    stream->n_safe_frames = stream->n_frames;
    for (size_t i = 0; i < stream->n_frames; i++)
        stream->safe_frames[i] = stream->frames[i].element;
}

/* The tail. Until the file is final, blank lines behind it keep room for a longer one on a disk that fills up. */
static void write_tail(HieraStream *stream, void (*tail)(HieraStream *), bool final)
{
    put_closings(stream);
    if (tail)
        tail(stream);
    while (!final && hiera_stream_offset(stream) < stream->safe + TAIL_SPARE)
        hiera_text_char(stream->text, '\n');
    uint64_t end = hiera_stream_offset(stream);
    write_rest(stream);
    if (end < stream->file_end && stream->error == 0 && ftruncate(stream->fd, (off_t)end) != 0)
        stream->error = errno;
    stream->file_end = end;
}

/* Back to the last state that was good. Its blocks are still ours, so that this works on a full disk. */
static void cut_back(HieraStream *stream, void (*tail)(HieraStream *), bool final)
{
    int error = stream->cause = stream->error;
    stream->error = 0;
    stream->text->next = stream->text->base;
    stream->position = stream->safe;
    set_limit(stream);
    stream->file_end = stream->safe + TAIL_SPARE;
    if (ftruncate(stream->fd, (off_t)stream->file_end) == 0)
        write_tail(stream, tail, final);
    stream->error = error;
}

void hiera_stream_end(HieraStream *stream, void (*tail)(HieraStream *), bool final)
{
    if (stream->fd >= 0 && stream->error == 0) {
        uint64_t end = hiera_stream_offset(stream);
        write_rest(stream);
        if (stream->error == 0) {
            keep_frames(stream);
            stream->safe = end;
            stream->unsure = 0;
            write_tail(stream, tail, final);
        }
    }
    stream->lost += stream->unsure;
    stream->unsure = 0;
    if (stream->fd >= 0 && stream->error != 0)
        cut_back(stream, tail, final);
    stream->text = NULL;
    current = NULL;
}

void hiera_stream_patch(HieraStream *stream, uint64_t offset, const char *bytes, size_t n)
{
    if (stream->text && offset >= stream->position)
        memcpy(stream->text->base + (offset - stream->position), bytes, n);
    else if (stream->fd >= 0)
        write_at(stream, offset, bytes, n); /* no new blocks: works on a full disk */
}

void hiera_stream_append_file(HieraStream *stream, const HieraStream *part)
{
    static char piece[4096];
    uint64_t offset = 0;
    ssize_t n = 0;
    while (part->fd >= 0 && (n = pread(part->fd, piece, sizeof piece, (off_t)offset)) > 0) {
        hiera_text_bytes(stream->text, piece, (size_t)n);
        offset += (uint64_t)n;
    }
}

void hiera_stream_free(HieraStream *stream)
{
    if (!stream)
        return;
    if (stream->fd >= 0)
        close(stream->fd);
    free(stream->path);
    free(stream->frames);
    free(stream->safe_frames);
    free(stream->declared[0]);
    free(stream->declared[1]);
    free(stream);
}

bool hiera_stream_push(HieraStream *stream, HieraFrame frame, bool visible)
{
    if (stream->n_frames == stream->room_frames) {
        size_t room = stream->room_frames ? 2 * stream->room_frames : 32;
        HieraFrame *frames = realloc(stream->frames, room * sizeof *frames);
        if (frames)
            stream->frames = frames;
        uint8_t *safe_frames = realloc(stream->safe_frames, room);
        if (safe_frames)
            stream->safe_frames = safe_frames;
        if (!frames || !safe_frames)
            return false;
        stream->room_frames = room;
    }
    stream->frames[stream->n_frames++] = frame;
    stream->depth += visible;
    return true;
}

bool hiera_stream_declare(HieraStream *stream, int what, uint32_t id, uint32_t version)
{
    if (id >= stream->n_declared[what]) {
        size_t n = stream->n_declared[what] ? 2 * stream->n_declared[what] : 64;
        while (n <= id)
            n *= 2;
        uint32_t *declared = realloc(stream->declared[what], n * sizeof *declared);
        if (!declared)
            return true; /* without memory: leave the declaration out rather than the operation */
        memset(declared + stream->n_declared[what], 0, (n - stream->n_declared[what]) * sizeof *declared);
        stream->declared[what] = declared;
        stream->n_declared[what] = n;
    }
    if (stream->declared[what][id] == version)
        return true;
    stream->declared[what][id] = version;
    return false;
}
