/* See trace_file.h. Space is left in the text for values that are known only later: they are put there, in memory or in
 * the file. */
#include "trace_file.h"
#include "dtd/names.h"
#include "execution/attributes/attribute.h"
#include "hiera_graph.h"
#include "simulator/machine.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum {
    TIME_ROOM = 24, /* bytes for a time, its quotes and the end of the tag */
    INDENT = 2,
    MOST_PENDING = 1 << 16
};

struct TraceFile {
    char *path;
    TraceHead head;
    gsize head_length;
    gint64 head_at, init_ps, finalize_ps; /* offset of the root element; times, below 0: not known yet */
    GString *pending;
    gint64 n_written;
    GArray *open; /* gint64: positions in the file of the finish times of open functions, outermost first */
    GError *error;
};

static void put_wrong(TraceFile *file)
{
    if (!file->error)
        g_set_error(&file->error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "%s: %s", file->path, g_strerror(errno));
}

static void write_at(TraceFile *file, gint64 at, const char *text, gsize n, int flags)
{
    int fd = open(file->path, O_WRONLY | O_CLOEXEC | flags, 0666);
    while (fd >= 0 && n > 0) {
        gssize done = pwrite(fd, text, n, at);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            break;
        text += done;
        at += done;
        n -= (gsize)done;
    }
    if (fd < 0 || n > 0)
        put_wrong(file);
    if (fd >= 0 && close(fd) != 0)
        put_wrong(file);
}

static void flush(TraceFile *file)
{
    write_at(file, file->n_written, file->pending->str, file->pending->len, 0);
    file->n_written += (gint64)file->pending->len;
    g_string_truncate(file->pending, 0);
}

static gint64 position(const TraceFile *file)
{
    return file->n_written + (gint64)file->pending->len;
}

/* Write text at an offset where blanks were left for it: into the buffer, or into the file. */
static void put(TraceFile *file, gint64 at, const char *text, gsize n)
{
    if (at >= file->n_written)
        g_string_overwrite_len(file->pending, (gsize)(at - file->n_written), text, (gssize)n);
    else
        write_at(file, at, text, n, 0);
}

void trace_file_append_time(GString *text, gint64 ps)
{
    const gint64 ns = ps / HIERA_PS_PER_NS, second = G_GINT64_CONSTANT(1000000000);
    g_string_append_printf(text, "%" G_GINT64_FORMAT ".%09" G_GINT64_FORMAT, ns / second, ns % second);
}

/* --- the trace's root element --- */

static void append_time(GString *text, const char *name, gint64 ps)
{
    g_string_append_printf(text, " %s=\"", name);
    if (ps >= 0)
        trace_file_append_time(text, ps);
    g_string_append_c(text, '"');
}

/* @param room  length to which the text is filled with blanks; 0: enough for any times that are set later */
static GString *make_head(const TraceFile *file, gsize room)
{
    const TraceHead *head = &file->head;
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "<processor rank=\"P%u\"", head->rank);
    append_time(text, "init", MAX(file->init_ps, 0));
    append_time(text, "finalize", file->finalize_ps);
    g_string_append_printf(text, " size=\"%u\"", head->size);
    hiera_attribute_append_text(text, "application", head->application);
    g_string_append_printf(text, " job=\"%016" G_GINT64_MODIFIER "x\"", head->job);
    hiera_attribute_append_text(text, "host", head->host);
    hiera_attribute_append_text(text, "predicted", head->command);
    if (room == 0)
        room = text->len + (gsize)2 * TIME_ROOM;
    while (text->len + 2 < room)
        g_string_append_c(text, ' ');
    g_string_append(text, ">\n");
    return text;
}

TraceFile *trace_file_new(const char *path, const TraceHead *head)
{
    TraceFile *file = g_new0(TraceFile, 1);
    file->path = g_strdup(path);
    file->head = *head;
    file->init_ps = file->finalize_ps = -1;
    file->pending = g_string_new(HIERA_TRACE_PROLOGUE);
    file->open = g_array_new(FALSE, FALSE, sizeof(gint64));
    file->head_at = position(file);
    GString *text = make_head(file, 0);
    file->head_length = text->len;
    g_string_append_len(file->pending, text->str, (gssize)text->len);
    g_string_free(text, TRUE);
    write_at(file, 0, "", 0, O_CREAT | O_TRUNC);
    flush(file); /* write the root element now, so that an interrupted run has a trace */
    return file;
}

void trace_file_free(TraceFile *file)
{
    if (!file)
        return;
    g_free(file->path);
    g_string_free(file->pending, TRUE);
    g_array_unref(file->open);
    g_clear_error(&file->error);
    g_free(file);
}

void trace_file_init(TraceFile *file, gint64 ps)
{
    file->init_ps = ps;
}

void trace_file_finalize(TraceFile *file, gint64 ps)
{
    file->finalize_ps = ps;
}

/* --- writing elements --- */

static void indent(TraceFile *file)
{
    for (guint i = 0; i < INDENT * (file->open->len + 1); i++)
        g_string_append_c(file->pending, ' ');
}

void trace_file_enter(TraceFile *file, const char *operation, const char *place, gint64 ps)
{
    indent(file);
    g_string_append(file->pending, "<hieraRegion level=\"function\"");
    hiera_attribute_append_text(file->pending, "operation", operation);
    g_string_append(file->pending, place);
    append_time(file->pending, "start_time", ps);
    g_string_append(file->pending, " finish_time=\"");
    gint64 at = position(file);
    g_array_append_val(file->open, at);
    g_string_append_printf(file->pending, "%-*s>\n", TIME_ROOM - 1, "\"");
}

void trace_file_leave(TraceFile *file, gint64 ps)
{
    if (file->open->len == 0)
        return;
    g_autoptr(GString) text = g_string_new(NULL);
    gint64 at = g_array_index(file->open, gint64, file->open->len - 1);
    trace_file_append_time(text, ps);
    g_string_append_c(text, '"');
    put(file, at, text->str, text->len);
    g_array_set_size(file->open, file->open->len - 1);
    trace_file_add(file, "</hieraRegion>");
}

void trace_file_add(TraceFile *file, const char *element)
{
    indent(file);
    g_string_append_printf(file->pending, "%s\n", element);
    if (file->pending->len > MOST_PENDING)
        flush(file);
}

gboolean trace_file_close(TraceFile *file, gboolean ended, gint64 ps, const char *cause, GError **error)
{
    while (ended && file->open->len > 0)
        trace_file_leave(file, ps);
    while (file->open->len > 0) { /* the process did not end: the finish times of open functions stay empty */
        g_array_set_size(file->open, file->open->len - 1);
        trace_file_add(file, "</hieraRegion>");
    }
    if (cause) {
        g_autoptr(GString) end = g_string_new("<hieraEnd");
        g_string_append(end, cause);
        append_time(end, "time", ps);
        g_string_append(end, "/>");
        trace_file_add(file, end->str);
    }
    if (ended && file->finalize_ps < 0)
        file->finalize_ps = ps;
    GString *text = make_head(file, file->head_length);
    put(file, file->head_at, text->str, text->len);
    g_string_free(text, TRUE);
    g_string_append(file->pending, "</processor>\n");
    flush(file);
    gboolean good = file->error == NULL;
    if (!good)
        g_propagate_error(error, g_steal_pointer(&file->error));
    trace_file_free(file);
    return good;
}
