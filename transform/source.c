/* Where bytes come from; see source.h. One buffer between the file and the parser, which asks for 4 kB at a time. */
#include "source.h"
#include "hiera_trace.h"
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BUFFER_BYTES (256 * 1024)

struct HieraSource {
    int fd;
    char *path;
    gsize *progress;
    gboolean at_end;
    gsize used, filled;
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
    source->fd = fd;
    source->path = g_strdup(path);
    source->progress = progress;
    source->at_end = FALSE;
    source->used = source->filled = 0;
    return source;
}

static int fill(HieraSource *source)
{
    ssize_t n;
    do {
        n = read(source->fd, source->buffer, BUFFER_BYTES);
    } while (n < 0 && errno == EINTR);
    if (n < 0)
        return -1;
    source->used = 0;
    source->filled = (gsize)n;
    source->at_end = n == 0;
    if (source->progress)
        g_atomic_pointer_add(source->progress, n);
    return (int)n;
}

int hiera_source_read(HieraSource *source, char *buffer, int size)
{
    if (source->used == source->filled) {
        int n = fill(source);
        if (n <= 0)
            return n;
    }
    gsize n = MIN((gsize)size, source->filled - source->used);
    memcpy(buffer, source->buffer + source->used, n);
    source->used += n;
    return (int)n;
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
    g_free(source->path);
    g_free(source);
}
