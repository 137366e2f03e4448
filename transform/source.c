/* Where bytes come from; see source.h. One buffer between the file and the parser, which asks for 4 kB at a time; of a
 * compressed file a second one, with what it says. */
#include "source.h"
#include "decoder.h"
#include "hiera_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256 * 1024)
#define HOLE_BYTES   64

struct HieraSource {
    int fd;
    char *path;
    gsize *progress;
    gboolean at_end, at_hole;
    gsize used, filled;    /* of the buffer */
    HieraDecoder *decoder; /* of a compressed file */
    gsize decoded_used, decoded_filled;
    char *decoded;       /* of a compressed file: a second buffer */
    const char *problem; /* why reading failed */
    char buffer[BUFFER_BYTES];
};

static gboolean fail(GError **error, const char *what)
{
    g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, what);
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
        return fail(error, "is no regular file; write the trace into a file first");
    return TRUE;
}

static int fill(HieraSource *source)
{
    ssize_t n;
    do {
        n = read(source->fd, source->buffer, BUFFER_BYTES);
    } while (n < 0 && errno == EINTR);
    if (n < 0) {
        source->problem = g_strerror(errno);
        return -1;
    }
    source->used = 0;
    source->filled = (gsize)n;
    source->at_end = n == 0;
    if (source->progress)
        g_atomic_pointer_add(source->progress, n);
    return (int)n;
}

/* Where a crash of the machine left a hole in the file, its bytes are 0, and the trace ends. A few may be text in
 * another encoding. */
static void stop_at_hole(HieraSource *source)
{
    static const char zeros[HOLE_BYTES];
    const char *end = source->buffer + source->filled;
    for (const char *at = source->buffer; (at = memchr(at, 0, (gsize)(end - at))) && end - at >= HOLE_BYTES; at++) {
        if (memcmp(at, zeros, HOLE_BYTES) == 0) {
            source->filled = (gsize)(at - source->buffer);
            source->at_hole = TRUE;
            return;
        }
    }
}

/* Is it compressed? What cannot be read now fails when it is asked for. */
static gboolean look_at_head(HieraSource *source, GError **error)
{
    g_autoptr(GError) cannot = NULL;
    if (fill(source) > 0 && (source->decoder = hiera_decoder_new(source->buffer, source->filled, &cannot)))
        source->decoded = g_malloc(BUFFER_BYTES);
    else
        stop_at_hole(source);
    if (!cannot)
        return TRUE;
    g_propagate_error(error, g_steal_pointer(&cannot));
    return FALSE;
}

HieraSource *hiera_source_open(const char *path, gsize *progress, GError **error)
{
    /* Without O_NONBLOCK a FIFO that nobody writes to would hang here. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "cannot be opened: %s", g_strerror(errno));
        return NULL;
    }
    if (!check_regular(fd, error)) {
        close(fd);
        return NULL;
    }
    HieraSource *source = g_malloc(sizeof *source);
    *source = (HieraSource){.fd = fd, .path = g_strdup(path), .progress = progress};
    if (!look_at_head(source, error))
        g_clear_pointer(&source, hiera_source_free);
    return source;
}

/* Up to `size` bytes of a compressed file. */
static int read_decoded(HieraSource *source, char *buffer, int size)
{
    while (source->decoded_used == source->decoded_filled) {
        if (source->used == source->filled && fill(source) < 0)
            return -1;
        gsize n = source->filled - source->used;
        gssize decoded =
            hiera_decoder_run(source->decoder, source->buffer + source->used, &n, source->decoded, BUFFER_BYTES);
        source->used += n;
        source->decoded_used = 0;
        source->decoded_filled = (gsize)MAX(decoded, 0);
        if (decoded < 0) {
            source->problem = "its compressed data is damaged";
            return -1;
        }
        if (decoded == 0 && source->at_end)
            return 0;
    }
    gsize n = MIN((gsize)size, source->decoded_filled - source->decoded_used);
    memcpy(buffer, source->decoded + source->decoded_used, n);
    source->decoded_used += n;
    return (int)n;
}

int hiera_source_read(HieraSource *source, char *buffer, int size)
{
    if (source->decoder)
        return read_decoded(source, buffer, size);
    if (source->used == source->filled) {
        int n = source->at_hole ? 0 : fill(source);
        if (n < 0)
            return n;
        stop_at_hole(source);
    }
    if (source->used == source->filled)
        source->at_end = TRUE;
    gsize n = MIN((gsize)size, source->filled - source->used);
    memcpy(buffer, source->buffer + source->used, n);
    source->used += n;
    return (int)n;
}

const char *hiera_source_peek_problem(const HieraSource *source)
{
    return source->problem ? source->problem : "the file cannot be read";
}

gboolean hiera_source_at_end(const HieraSource *source)
{
    return source->at_end;
}

const char *hiera_source_peek_path(const HieraSource *source)
{
    return source->path;
}

void hiera_source_free(HieraSource *source)
{
    if (!source)
        return;
    close(source->fd);
    hiera_decoder_free(source->decoder);
    g_free(source->decoded);
    g_free(source->path);
    g_free(source);
}
