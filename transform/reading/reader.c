/* See reader.h. A stack handles the nesting: each start tag saves the nesting of its siblings; an operation then
 * becomes the parent of the elements inside it; the end tag restores the saved nesting. */
#include "reader.h"
#include "alive.h"
#include "base/findings.h"
#include "kept.h"
#include "reading/elements/collector_notices.h"
#include "reading/elements/communicators.h"
#include "reading/elements/ending.h"
#include "reading/elements/operation.h"
#include "reading/elements/other_elements.h"
#include "reading/elements/sums.h"
#include "reading/elements/trace_end.h"
#include "xml/live_copies.h"
#include <string.h>

/* --- passing operations to the sinks --- */

static void add_operation(Reader *reader, HieraOperation *operation)
{
    operation->index = reader->n_operations++;
    operation->parent = reader->nesting.parent;
    operation->depth = reader->nesting.depth;
    operation->thread = reader->nesting.thread;
    operation->element_line = reader->context.place.line;
    if (reader->carrying.carries)
        hiera_before_carry(&reader->context, &reader->carrying, operation);
    if (operation->n_requests > 0)
        hiera_outstanding_see(reader->context.outstanding, operation);
    hiera_trace_end_note(&reader->context, operation);
    if (operation->thread != 0 && operation->site->mpi)
        reader->context.processor->calls_in_threads = TRUE;
    if (operation->thread != 0 && !reader->context.processor->has_openmp)
        reader->context.processor->has_openmp = strcmp(operation->site->level, "openmp") == 0;
    if (hiera_attribute_columns_count() > 0)
        hiera_read_attributes(reader, operation->index);
    for (guint i = 0; i < reader->n_sinks; i++)
        reader->sinks[i].operation(reader->reading->states[i], operation);
    reader->nesting.parent = operation->index;
    reader->nesting.depth++;
    reader->nesting.mpi |= operation->site->mpi;
}

/* Pass the summed operation to the sinks, now that all elements inside it are read. */
static void release_summed(Reader *reader)
{
    if (reader->holds == 0)
        return;
    reader->holds = 0;
    reader->context.processor->n_summed++;
    reader->context.processor->n_waits += reader->summed.members.calls > 0;
    for (guint i = 0; i < reader->n_sinks; i++)
        if (reader->sinks[i].summed)
            reader->sinks[i].summed(reader->reading->states[i], &reader->summed);
}

static void add_summed(Reader *reader, const HieraOperation *operation)
{
    reader->summed.depth = reader->nesting.depth;
    reader->summed.thread = reader->nesting.thread;
    if (reader->nesting.thread != 0)
        reader->context.processor->calls_in_threads = TRUE;
    reader->summed.before = reader->n_operations;
    reader->summed.element_line = reader->context.place.line;
    HieraOperation placed = *operation;
    placed.thread = reader->nesting.thread;
    hiera_trace_end_note(&reader->context, &placed);
    reader->holds = reader->n_saved;
    reader->nesting.parent = HIERA_NO_PARENT;
    reader->nesting.depth++;
    reader->nesting.mpi |= operation->site->mpi;
    reader->nesting.summed = TRUE;
}

/* --- start and end tags of elements --- */

static gboolean is_call(HieraElement element)
{
    return element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_REGION;
}

static void note_unknown_element(Reader *reader, const char *name)
{
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_UNKNOWN_ELEMENT, reader->context.place.path,
                       reader->context.place.line, name, "unknown element '%s'; it is skipped, its children are read",
                       name);
}

static gboolean check_root(Reader *reader, int element, const char *name)
{
    if (reader->reading->usable || element == HIERA_ELEMENT_PROCESSOR)
        return TRUE;
    g_autofree char *problem = g_strdup_printf("is not a trace: its root is '%s', not '%s'", name,
                                               hiera_element_name(HIERA_ELEMENT_PROCESSOR));
    hiera_read_fail(reader, HIERA_FINDING_SYNTAX, problem);
    return FALSE;
}

/* Whether a call begins after the time up to which the trace is read; one that ends later becomes an open one. */
static gboolean is_too_late(Reader *reader, HieraOperation *operation)
{
    gint64 until_ns = reader->context.until_ns;
    if (operation->finish_ns > until_ns && operation->finish_ns != HIERA_TIME_OPEN) {
        operation->finish_ns = HIERA_TIME_OPEN;
        reader->context.open_operation = TRUE;
    }
    return operation->start_ns > until_ns;
}

static void add_call(Reader *reader, const HieraXmlAttribute *attributes, guint n, HieraOperation *operation)
{
    if (is_too_late(reader, operation))
        return;
    if (reader->nesting.summed) {
        hiera_sums_of_one(operation, &reader->summed);
        add_summed(reader, operation);
        return;
    }
    add_operation(reader, operation);
    if (operation->finish_ns != HIERA_TIME_OPEN)
        return;
    attributes = hiera_call_reader_merge(reader->calls, attributes, n, &n);
    hiera_ending_note_call(&reader->context, attributes, n, operation);
}

static void start_known(Reader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                        gpointer *note)
{
    HieraOperation operation;
    if (element != HIERA_ELEMENT_SPREAD && element != HIERA_ELEMENT_PART && element != HIERA_ELEMENT_WAIT)
        release_summed(reader);
    if (element == HIERA_ELEMENT_USE) {
        if (hiera_call_reader_read_use(reader->calls, attributes, n, note, &operation))
            add_call(reader, attributes, n, &operation);
    } else if (is_call(element)) {
        if (hiera_call_reader_read(reader->calls, element, attributes, n, note, &operation, &reader->summed))
            add_summed(reader, &operation);
        else
            add_call(reader, attributes, n, &operation);
    } else if (element == HIERA_ELEMENT_CALL) {
        hiera_call_reader_declare(reader->calls, attributes, n);
    } else {
        hiera_read_context_sort(&reader->context, element, attributes, n, &reader->sorted);
        hiera_read_other_element(reader, element, &reader->sorted);
        hiera_attributes_clear(&reader->sorted);
    }
}

/* Push the nesting of an element's siblings, to be restored at the element's end. */
static void save(Reader *reader)
{
    if (reader->n_saved == reader->capacity) {
        reader->capacity = MAX(2 * reader->capacity, 64);
        reader->saved = g_renew(Nesting, reader->saved, reader->capacity);
    }
    reader->saved[reader->n_saved++] = reader->nesting;
}

static void start_element(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
{
    Reader *reader = user;
    int element = hiera_name_index_find(&reader->context.elements, name);
    reader->context.place.line = hiera_xml_line(reader->xml);
    if (!check_root(reader, element, name))
        return;
    if (reader->validator)
        hiera_validator_start(reader->validator, reader->context.place.line, name, attributes, n);
    save(reader);
    if (hiera_read_loops_start(reader->loops, element >= 0 ? (HieraElement)element : HIERA_N_ELEMENTS, attributes, n))
        return;
    if (element >= 0)
        start_known(reader, (HieraElement)element, attributes, n, note);
    else
        note_unknown_element(reader, name);
}

static void end_element(gpointer user, const char *name)
{
    (void)name;
    Reader *reader = user;
    if (reader->n_saved == 0)
        return;
    if (reader->validator)
        hiera_validator_end(reader->validator, hiera_xml_line(reader->xml));
    hiera_read_loops_end(reader->loops);
    if (reader->holds == reader->n_saved)
        release_summed(reader);
    reader->nesting = reader->saved[--reader->n_saved];
}

/* --- calls of loops, passed on as if they were in the trace --- */

static void start_loop_call(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n,
                            gpointer *note)
{
    (void)name;
    Reader *reader = user;
    reader->context.place.line = hiera_read_loops_line(reader->loops);
    save(reader);
    start_known(reader, HIERA_ELEMENT_USE, attributes, n, note);
}

static void end_loop_call(gpointer user)
{
    Reader *reader = user;
    reader->nesting = reader->saved[--reader->n_saved];
}

static void note_loop_problem(gpointer user, guint32 line, const char *problem)
{
    Reader *reader = user;
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_VALUE, reader->context.place.path, line, "loop",
                       "%s", problem);
}

/* --- the end of a file --- */

enum { LONG_NS = 1000000000 }; /* a rank on another computer that has recorded nothing for so long may do anything */

/* Report up to when a process was seen (--live): of one on another computer up to its last record. */
static void report_seen(const Reader *reader, gboolean runs)
{
    HieraProcessor *processor = reader->context.processor;
    g_autofree char *until = g_strdup_printf("%.3f s", (double)processor->end_ns / 1e9);
    if (processor->ended) {
        hiera_findings_add(reader->context.place.findings, HIERA_FINDING_ALIVE, processor->path, 0, "",
                           "its process %" G_GINT64_FORMAT " still runs: this is about the time until %s", reader->pid,
                           until);
        return;
    }
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_ALIVE, processor->path, 0, NULL,
                       "its process %" G_GINT64_FORMAT " %s on %s: it is seen up to its last record, %s; what it has "
                       "done since is not known here",
                       reader->pid, runs ? "still runs" : "is, or was,", processor->host, until);
    if (reader->context.until_ns - processor->end_ns > LONG_NS && !*processor->past)
        processor->past = "calls of a rank on another computer after its last record are not seen here";
}

/* Report that the process of the trace is still running: mpirun can return before its ranks have ended, and the job
 * may still be running. What the trace lacks then counts as calls that are not seen; in a copy (--live) it lacks none,
 * nor if it has its end: then the process is in MPI_Finalize, or behind it. */
static void report_alive(const Reader *reader, HieraXmlEnd end)
{
    HieraProcessor *processor = reader->context.processor;
    gboolean is_whole = end == HIERA_XML_WHOLE && !processor->cut && !reader->context.open_operation;
    gboolean is_seen = processor->alive, is_asked = hiera_live_copies_are_read();
    gboolean runs = reader->reading->usable && hiera_alive_check(reader->process, reader->pid, processor->path);
    processor->alive = is_seen || runs;
    if (!processor->alive || is_whole)
        return;
    if (is_seen) {
        report_seen(reader, runs);
        return;
    }
    const char *what = is_asked ? "its memory is not seen from here (another computer or user, HIERA_SURVIVE=off, or "
                                  "no room in /dev/shm), so what it did last is not known"
                                : "the trace is not complete yet, and no answer is about what the job did last; "
                                  "--live shows it";
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_ALIVE, processor->path, 0, "unseen",
                       "its process %" G_GINT64_FORMAT " still runs: %s", reader->pid, what);
    if (!*processor->past)
        processor->past = is_asked ? "a rank still runs, and calls that are in its memory are not seen from here"
                                   : "the job still runs, and calls that are in its memory are not seen (--live shows "
                                     "them)";
}

/* Report that the killed process left a buffer from which more of the trace can be recovered. */
static void report_kept(const Reader *reader)
{
    const HieraProcessor *processor = reader->context.processor;
    if (!processor->cut || processor->ended || processor->alive ||
        !hiera_kept_find(processor->host, reader->pid, processor->path))
        return;
    g_autofree char *folder = g_path_get_dirname(processor->path);
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_CUT, processor->path, 0, "",
                       "it was killed, and its last operations are kept on %s: hiera-transform --recover %s adds them",
                       processor->host, folder);
}

static void reader_init(Reader *reader, HieraInputFile *source)
{
    static const HieraLoopEvents loop_events = {start_loop_call, end_loop_call, note_loop_problem};
    const HieraXmlEvents events = {start_element, end_element, NULL, reader->differing};
    hiera_vocabulary_differing(reader->differing);
    reader->xml = hiera_xml_new(source, &events, reader);
    reader->context.cache = hiera_cache_new(reader->context.catalog);
    hiera_communicator_ids_init(&reader->context.communicators, reader->context.catalog, reader->context.processor);
    reader->context.counters = g_hash_table_new(g_direct_hash, g_direct_equal);
    reader->context.types = g_hash_table_new_full(g_direct_hash, g_direct_equal, NULL, g_free);
    reader->context.buffers = g_hash_table_new(NULL, NULL);
    reader->nesting.parent = HIERA_NO_PARENT;
    reader->carrying.places = g_array_new(FALSE, FALSE, sizeof(gint64));
    hiera_sums_init(&reader->summed);
    hiera_name_index_add_elements(&reader->context.elements, reader->xml);
    hiera_name_index_add_attributes(&reader->context.attributes, reader->xml);
    for (guint i = 0; i < hiera_attribute_columns_count(); i++)
        hiera_name_index_add(&reader->context.attributes, hiera_attribute_columns_peek(i)->name,
                             hiera_attribute_columns_peek(i)->number);
    reader->calls = hiera_call_reader_new(&reader->context, reader->xml);
    reader->loops = hiera_read_loops_new(reader->xml, &loop_events, reader);
}

static void reader_clear(Reader *reader)
{
    hiera_call_reader_free(reader->calls);
    hiera_read_loops_free(reader->loops);
    hiera_summed_clear(&reader->summed);
    g_array_unref(reader->carrying.places);
    hiera_communicator_ids_clear(&reader->context.communicators);
    g_hash_table_unref(reader->context.counters);
    g_hash_table_unref(reader->context.types);
    g_hash_table_unref(reader->context.buffers);
    if (reader->context.sampled_objects)
        g_hash_table_unref(reader->context.sampled_objects);
    hiera_objects_free(reader->context.objects);
    hiera_outstanding_free(reader->context.outstanding);
    g_free(reader->context.open_call.requests);
    g_free(reader->saved);
    hiera_cache_free(reader->context.cache);
    hiera_xml_free(reader->xml);
}

HieraReading *hiera_read(HieraInputFile *source, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                         HieraFindings *findings, HieraValidator *validator)
{
    HieraReading *reading = g_new0(HieraReading, 1);
    const char *path = hiera_input_file_peek_path(source);
    Reader reader = {.source = source,
                     .context = {.place = {findings, path, 0},
                                 .until_ns = hiera_live_copies_until(),
                                 .catalog = catalog,
                                 .processor = &reading->processor,
                                 .objects = hiera_objects_new(),
                                 .outstanding = hiera_outstanding_new()},
                     .validator = validator,
                     .sinks = sinks,
                     .n_sinks = n_sinks,
                     .reading = reading};
    reading->processor.path = hiera_catalog_intern(catalog, path, strlen(path));
    reading->processor.application = reading->processor.job = reading->processor.host = reading->processor.clock = "";
    reading->processor.end = reading->processor.seam = reading->processor.predicted = "";
    reading->processor.past = reading->processor.stack = reading->processor.threads = "";
    reader_init(&reader, source);
    HieraXmlEnd end = hiera_xml_parse(reader.xml);
    release_summed(&reader);
    report_alive(&reader, end);
    hiera_trace_end_report(&reader.context, reader.xml, source, end, reading->usable);
    hiera_before_end(&reader.context);
    hiera_trace_end_settle(&reader.context, end, reader.n_operations);
    report_kept(&reader);
    reader_clear(&reader);
    return reading;
}

void hiera_reading_free(HieraReading *reading)
{
    if (!reading)
        return;
    g_free(reading->states);
    g_free(reading);
}
