/* See otf2_trace.h. Here are the functions that also work without libotf2. */
#include "otf2_trace.h"
#include "base/parse_numbers.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define MAGIC      "BOTF2"
#define MAGIC_FROM 1 /* offset of MAGIC in the file; the byte before it depends on the byte order */
#define SEPARATOR  '#'

gboolean hiera_otf2_is_anchor(const char *path)
{
    char head[MAGIC_FROM + sizeof MAGIC - 1];
    /* O_NONBLOCK, because opening a FIFO would wait until another process opens it for writing. */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    ssize_t n = fd >= 0 ? pread(fd, head, sizeof head, 0) : -1;
    if (fd >= 0)
        close(fd);
    return n == sizeof head && memcmp(head + MAGIC_FROM, MAGIC, sizeof MAGIC - 1) == 0;
}

char *hiera_otf2_find_anchor(const char *path, guint32 *rank)
{
    const char *separator = strrchr(path, SEPARATOR);
    gint64 number;
    if (!separator || !hiera_number_parse_between(separator + 1, strlen(separator + 1), 0, G_MAXINT32, &number) ||
        g_file_test(path, G_FILE_TEST_EXISTS))
        return NULL;
    g_autofree char *anchor = g_strndup(path, (gsize)(separator - path));
    *rank = (guint32)number;
    return hiera_otf2_is_anchor(anchor) ? g_steal_pointer(&anchor) : NULL;
}

#ifndef HIERA_HAVE_OTF2
#include "hiera_trace.h"

static gboolean fail(GError **error)
{
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ,
                "is an OTF2 archive, and this hiera-transform was built without libotf2; install it (on Debian "
                "libotf2-trace-dev) and build again");
    return FALSE;
}

gboolean hiera_otf2_list_traces(const char *anchor, GPtrArray *paths, char **rest, GError **error)
{
    (void)anchor, (void)paths;
    *rest = NULL;
    return fail(error);
}

HieraOtf2Trace *hiera_otf2_trace_open(const char *anchor, guint32 rank, GError **error)
{
    (void)anchor, (void)rank;
    fail(error);
    return NULL;
}

gssize hiera_otf2_trace_read(HieraOtf2Trace *trace, char *buffer, gsize size)
{
    (void)trace, (void)buffer, (void)size;
    return -1;
}

const char *hiera_otf2_trace_peek_problem(const HieraOtf2Trace *trace)
{
    (void)trace;
    return "";
}

void hiera_otf2_trace_free(HieraOtf2Trace *trace)
{
    (void)trace;
}
#endif
