/* See otf2_trace.h. The text of a trace is generated piece by piece from the elements of the rank. */
#include "archive.h"
#include "base/vocabulary.h"
#include "comms.h"
#include "hiera_trace.h"
#include "otf2_names.h"
#include "otf2_trace.h"
#include "rank_events.h"
#include <string.h>

#define PIECE_BYTES (64 * 1024)

struct HieraOtf2Trace {
    HieraOtf2Archive *archive;
    const HieraOtf2Process *process;
    HieraOtf2Rank rank;
    GString *text;   /* part of the XML text that is handed out now */
    gsize used;      /* number of bytes of `text` that were handed out */
    guint32 next;    /* index of the next element to write */
    guint thread;    /* index of the thread whose elements are written */
    GPtrArray *open; /* names of elements whose end tag is not written yet */
    gboolean begun, ended;
};

/* Return a description of data that is not read; to be freed. NULL: nothing. If Hiera wrote the archive, counters are
 * also in attributes. */
static char *describe_rest(const HieraOtf2Archive *archive)
{
    enum { SHOWN = 3 };
    guint n = archive->metrics->len;
    if (n == 0 || g_hash_table_size(archive->attributes) + g_hash_table_size(archive->parameters) > 0)
        return NULL;
    GString *text = g_string_new(NULL);
    g_string_printf(text, "its %u metric%s (", n, n == 1 ? "" : "s");
    for (guint i = 0; i < MIN(n, SHOWN); i++)
        g_string_append_printf(text, "%s%s", i ? ", " : "", (const char *)g_ptr_array_index(archive->metrics, i));
    g_string_append_printf(text, "%s) %s not read: no counter is in any answer", n > SHOWN ? ", …" : "",
                           n == 1 ? "is" : "are");
    return g_string_free(text, FALSE);
}

gboolean hiera_otf2_list_traces(const char *anchor, GPtrArray *paths, char **rest, GError **error)
{
    g_autoptr(HieraOtf2Archive) archive = hiera_otf2_archive_open(anchor, error);
    for (guint i = 0; archive && i < archive->processes->len; i++) {
        const HieraOtf2Process *process = g_ptr_array_index(archive->processes, i);
        g_ptr_array_add(paths, g_strdup_printf("%s#%u", anchor, process->rank));
    }
    *rest = archive ? describe_rest(archive) : NULL;
    return archive != NULL;
}

HieraOtf2Trace *hiera_otf2_trace_open(const char *anchor, guint32 rank, GError **error)
{
    g_autoptr(HieraOtf2Archive) archive = hiera_otf2_archive_open(anchor, error);
    for (guint i = 0; archive && i < archive->processes->len; i++) {
        const HieraOtf2Process *process = g_ptr_array_index(archive->processes, i);
        if (process->rank != rank)
            continue;
        HieraOtf2Trace *trace = g_new0(HieraOtf2Trace, 1);
        *trace = (HieraOtf2Trace){.archive = g_steal_pointer(&archive), .process = process};
        trace->text = g_string_sized_new(PIECE_BYTES);
        trace->open = g_ptr_array_new();
        hiera_otf2_rank_init(&trace->rank, trace->archive, process);
        return trace;
    }
    if (archive)
        g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "the archive has no rank %u", rank);
    return NULL;
}

void hiera_otf2_trace_free(HieraOtf2Trace *trace)
{
    if (!trace)
        return;
    hiera_otf2_rank_clear(&trace->rank);
    g_ptr_array_unref(trace->open);
    g_string_free(trace->text, TRUE);
    hiera_otf2_archive_unref(trace->archive);
    g_free(trace);
}

const char *hiera_otf2_trace_peek_problem(const HieraOtf2Trace *trace)
{
    return trace->rank.problem;
}

/* --- text of the root element --- */

static void begin(HieraOtf2Trace *trace, const char *name)
{
    g_string_append_printf(trace->text, "\n<%s", name);
    g_ptr_array_add(trace->open, (gpointer)name);
}

static void add_text(HieraOtf2Trace *trace, HieraAttribute attribute, const char *text)
{
    hiera_otf2_attribute_write(trace->text, hiera_attribute_name(attribute), text);
}

static void add_time(HieraOtf2Trace *trace, HieraAttribute attribute, gint64 ns)
{
    g_autofree char *seconds = hiera_otf2_seconds(ns);
    add_text(trace, attribute, seconds);
}

/* Find the begin and end of the program: from MPI_Init to MPI_Finalize, else from the first event of
 * the main thread to the last. */
static void find_times(HieraOtf2Rank *rank)
{
    guint32 end = rank->first->len > 1 ? g_array_index(rank->first, guint32, 1) : rank->elements.all->len;
    gint64 first_ns = end ? G_MAXINT64 : 0, last_ns = 0;
    for (guint32 i = 0; i < end; i++) {
        const HieraOtf2Element *element = hiera_otf2_elements_peek(&rank->elements, i);
        first_ns = MIN(first_ns, element->start_ns);
        last_ns = MAX(last_ns, element->finish_ns);
    }
    if (rank->init_ns < 0)
        rank->init_ns = first_ns;
    if (rank->finalize_ns < rank->init_ns)
        rank->finalize_ns = MAX(last_ns, rank->init_ns);
}

static void write_root(HieraOtf2Trace *trace)
{
    const HieraOtf2Process *process = trace->process;
    g_autofree char *rank = g_strdup_printf("P%u", process->rank),
                    *size = g_strdup_printf("%u", trace->archive->n_ranks);
    g_autofree char *job = g_strdup_printf("%016" G_GINT64_MODIFIER "x", trace->archive->id);
    find_times(&trace->rank);
    add_text(trace, HIERA_ATTRIBUTE_RANK, rank);
    add_time(trace, HIERA_ATTRIBUTE_INIT, trace->rank.init_ns);
    add_time(trace, HIERA_ATTRIBUTE_FINALIZE, trace->rank.finalize_ns);
    add_text(trace, HIERA_ATTRIBUTE_SIZE, size);
    add_text(trace, HIERA_ATTRIBUTE_JOB, job);
    if (*process->host)
        add_text(trace, HIERA_ATTRIBUTE_HOST, process->host);
    /* A clock for each rank, without an error: an archive does not say how far its clocks agree. */
    add_text(trace, HIERA_ATTRIBUTE_CLOCK, rank);
}

/* Write a notice that the archive does not describe the messages of some receives, so that their senders are not
 * reported as errors. */
static void write_lost(HieraOtf2Trace *trace)
{
    if (trace->rank.n_unknown > 0)
        g_string_append_printf(trace->text,
                               "\n<%s %s=\"%" G_GUINT64_FORMAT "\" %s=\"the OTF2 archive does not tell what these "
                               "receives got\"/>",
                               hiera_element_name(HIERA_ELEMENT_LOST), hiera_attribute_name(HIERA_ATTRIBUTE_COUNT),
                               trace->rank.n_unknown, hiera_attribute_name(HIERA_ATTRIBUTE_REASON));
}

static void write_begin(HieraOtf2Trace *trace)
{
    const GArray *properties = trace->process->properties;
    g_string_append(trace->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
    begin(trace, hiera_element_name(HIERA_ELEMENT_PROCESSOR));
    for (guint i = 0; i < properties->len; i++) {
        const HieraOtf2Property *property = &g_array_index(properties, HieraOtf2Property, i);
        hiera_otf2_attribute_write(trace->text, property->name, property->text);
    }
    if (properties->len == 0)
        write_root(trace);
    g_string_append_c(trace->text, '>');
    hiera_otf2_comms_write(&trace->rank, trace->archive, trace->process->rank, trace->text);
    write_lost(trace);
}

/* --- text of the elements inside the root --- */

/* Write end tags until only n elements are open. */
static void end_until(HieraOtf2Trace *trace, guint n)
{
    while (trace->open->len > n) {
        g_string_append(trace->text, "</");
        g_string_append(trace->text, g_ptr_array_steal_index(trace->open, trace->open->len - 1));
        g_string_append_c(trace->text, '>');
    }
}

static void begin_thread(HieraOtf2Trace *trace)
{
    const HieraOtf2Thread *thread = &g_array_index(trace->process->threads, HieraOtf2Thread, ++trace->thread);
    g_autofree char *id = thread->id ? g_strdup(thread->id) : g_strdup_printf("%u", trace->thread);
    end_until(trace, 1);
    begin(trace, hiera_element_name(HIERA_ELEMENT_THREAD));
    add_text(trace, HIERA_ATTRIBUTE_ID, id);
    g_string_append_c(trace->text, '>');
}

static void write_element(HieraOtf2Trace *trace)
{
    const HieraOtf2Rank *rank = &trace->rank;
    const HieraOtf2Element *element = hiera_otf2_elements_peek(&rank->elements, trace->next);
    while (trace->thread + 1 < rank->first->len &&
           g_array_index(rank->first, guint32, trace->thread + 1) <= trace->next)
        begin_thread(trace);
    end_until(trace, (trace->thread ? 2 : 1) + element->depth);
    hiera_otf2_element_write(&rank->elements, trace->next, trace->text);
    g_ptr_array_add(trace->open, (gpointer)element->name);
    trace->next++;
}

static void write_piece(HieraOtf2Trace *trace)
{
    g_string_truncate(trace->text, 0);
    trace->used = 0;
    if (!trace->begun)
        write_begin(trace);
    trace->begun = TRUE;
    while (trace->text->len < PIECE_BYTES && trace->next < trace->rank.elements.all->len)
        write_element(trace);
    if (trace->text->len >= PIECE_BYTES || trace->ended)
        return;
    trace->ended = TRUE;
    if (!trace->rank.problem)
        end_until(trace, 0);
}

gssize hiera_otf2_trace_read(HieraOtf2Trace *trace, char *buffer, gsize size)
{
    if (trace->used == trace->text->len && !trace->ended)
        write_piece(trace);
    gsize n = MIN(size, trace->text->len - trace->used);
    if (n == 0)
        return trace->rank.problem ? -1 : 0;
    memcpy(buffer, trace->text->str + trace->used, n);
    trace->used += n;
    return (gssize)n;
}
