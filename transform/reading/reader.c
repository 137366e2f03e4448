/* See reader.h. A stack handles the nesting: each start tag saves the nesting of its siblings; an operation then
 * becomes the parent of the elements inside it; the end tag restores the saved nesting. */
#include "reader.h"
#include "alive.h"
#include "kept.h"
#include "base/findings.h"
#include "before.h"
#include "call_reader.h"
#include "collector_notices.h"
#include "communicators.h"
#include "counters.h"
#include "ending.h"
#include "loops.h"
#include "operation.h"
#include "processor.h"
#include "sums.h"
#include "trace_end.h"
#include "types.h"
#include <string.h>

/* Place of the next operation in the tree. */
typedef struct {
    guint64 parent;
    guint32 depth, thread;
    gboolean summed; /* inside an operation that stands for several calls; then there is no parent */
} Nesting;

typedef struct {
    HieraInputFile *source;
    HieraXml *xml;
    HieraReadContext context;
    HieraCallReader *calls;
    HieraReadLoops *loops;
    const char *differing[HIERA_N_DIFFERING + 1];
    HieraValidator *validator;
    const HieraSink *sinks;
    guint n_sinks;
    HieraReading *reading;
    HieraAttributes sorted; /* attributes of the current element, if it is not a call */
    Nesting nesting;
    Nesting *saved; /* one for each open element */
    guint n_saved, capacity;
    guint64 n_operations;
    HieraSummed summed; /* is told to the sinks when what belongs to it has been read */
    guint holds;        /* number of saved nestings inside it; 0: there is none */
    HieraCarrying carrying;
    gint64 pid; /* of the process that wrote the trace; 0 if the trace does not have it */
} Reader;

/* --- processor --- */

static void fail_processor(Reader *reader, HieraFindingCode code, const char *problem)
{
    hiera_findings_add(reader->context.place.findings, code, reader->context.place.path, reader->context.place.line,
                       NULL, "%s", problem);
    hiera_xml_stop(reader->xml);
}

static void begin_sinks(Reader *reader)
{
    reader->reading->usable = TRUE;
    reader->reading->states = g_new0(gpointer, reader->n_sinks);
    for (guint i = 0; i < reader->n_sinks; i++)
        reader->reading->states[i] = reader->sinks[i].begin(reader->sinks[i].user, reader->context.processor);
}

static void start_processor(Reader *reader, const HieraAttributes *attributes)
{
    if (reader->n_saved > 1) { /* the first saved nesting is its own */
        fail_processor(reader, HIERA_FINDING_SYNTAX,
                       "a processor inside another element; a file has one processor, as its root");
        return;
    }
    if (!hiera_processor_read(&reader->context.place, attributes, reader->context.cache, reader->context.processor,
                              &reader->context.clock)) {
        fail_processor(reader, HIERA_FINDING_RANK, "processor without a valid rank; expected P0, P1, …");
        return;
    }
    hiera_before_begin(&reader->context, attributes);
    reader->pid = hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_PID, 1, G_MAXINT32, 0);
    hiera_read_context_see_time(&reader->context, reader->context.processor->init_ns);
    begin_sinks(reader);
}

/* --- operations --- */

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
    for (guint i = 0; i < reader->n_sinks; i++)
        reader->sinks[i].operation(reader->reading->states[i], operation);
    reader->nesting.parent = operation->index;
    reader->nesting.depth++;
}

/* Tell the sinks about the operation that stands for several calls, now that all of it is known. */
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
    reader->summed.before = reader->n_operations;
    reader->summed.element_line = reader->context.place.line;
    HieraOperation placed = *operation;
    placed.thread = reader->nesting.thread;
    hiera_trace_end_note(&reader->context, &placed);
    reader->holds = reader->n_saved;
    reader->nesting.parent = HIERA_NO_PARENT;
    reader->nesting.depth++;
    reader->nesting.summed = TRUE;
}

/* Return TRUE if an element belongs to an operation that stands for several calls, and could be read. */
static gboolean check_holds(Reader *reader, HieraElement element)
{
    if (reader->holds != 0)
        return TRUE;
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_VALUE, reader->context.place.path,
                       reader->context.place.line, hiera_element_name(element),
                       "%s without an operation that stands for several calls, or behind operations inside it; it is ignored",
                       hiera_element_name(element));
    return FALSE;
}

static void start_spread(Reader *reader, const HieraAttributes *attributes)
{
    if (check_holds(reader, HIERA_ELEMENT_SPREAD))
        hiera_sums_read_spread(&reader->context, attributes, &reader->summed);
}

static void start_part(Reader *reader, const HieraAttributes *attributes)
{
    if (check_holds(reader, HIERA_ELEMENT_PART))
        hiera_sums_read_part(&reader->context, attributes, &reader->summed);
}

static void start_wait(Reader *reader, const HieraAttributes *attributes)
{
    if (check_holds(reader, HIERA_ELEMENT_WAIT))
        hiera_sums_read_wait(&reader->context, attributes, &reader->summed);
}

/* --- the other elements --- */

static void start_thread(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_ID];
    static const char ended[] = "ended"; /* the sums of many threads together */
    gboolean many = name && hiera_attribute_length(name) == strlen(ended) && memcmp(name->value, ended, strlen(ended)) == 0;
    gint64 id = many ? G_MAXINT32 : hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_ID, 0, G_MAXINT32, 1);
    reader->nesting = (Nesting){HIERA_NO_PARENT, 0, (guint32)id, FALSE};
    hiera_call_reader_begin_section(reader->calls);
    reader->carrying.carries = FALSE;
    reader->context.processor->threaded = TRUE;
}

static void start_flush(Reader *reader, const HieraAttributes *attributes)
{
    HieraOperation flush;
    hiera_operation_read_times(&reader->context, attributes, &flush);
    if (flush.finish_ns == HIERA_TIME_OPEN)
        return;
    gint64 time_ns = flush.finish_ns - flush.start_ns;
    if (attributes->at[HIERA_ATTRIBUTE_TIME])
        time_ns = hiera_argument_time(&reader->context.place, attributes, HIERA_ATTRIBUTE_TIME, 0, "0 is used");
    reader->context.processor->flush_ns = hiera_plus(reader->context.processor->flush_ns, time_ns);
}

/* Read a `hieraFiltered`: sums over operations that were counted, not recorded. */
static void read_filtered(Reader *reader, const HieraAttributes *attributes, HieraFiltered *filtered)
{
    const HieraXmlAttribute *const *at = attributes->at;
    HieraSite key = {.class_name = hiera_read_context_intern(&reader->context, at[HIERA_ATTRIBUTE_CLASS]), .file = ""};
    key.level = hiera_attribute_is_empty(at[HIERA_ATTRIBUTE_LEVEL])
                    ? hiera_cache_intern(reader->context.cache, HIERA_LEVEL_MPI, strlen(HIERA_LEVEL_MPI))
                    : hiera_read_context_intern(&reader->context, at[HIERA_ATTRIBUTE_LEVEL]);
    key.operation = hiera_read_context_name(&reader->context, key.level, at[HIERA_ATTRIBUTE_OPERATION]);
    filtered->site = hiera_cache_site(reader->context.cache, &key);
    filtered->comm = hiera_communicators_find(&reader->context, at[HIERA_ATTRIBUTE_COMMUNICATOR]);
    filtered->thread = reader->nesting.thread;
    filtered->count =
        hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, 0);
    filtered->bytes =
        hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_BYTES, 0, G_MAXINT64, -1);
    filtered->rbytes =
        hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_RBYTES, 0, G_MAXINT64, -1);
    if (at[HIERA_ATTRIBUTE_TIME])
        filtered->time_ns =
            hiera_argument_time(&reader->context.place, attributes, HIERA_ATTRIBUTE_TIME, 0, "0 is used");
}

static void start_filtered(Reader *reader, const HieraAttributes *attributes)
{
    HieraFiltered filtered = {.site = NULL};
    read_filtered(reader, attributes, &filtered);
    for (guint i = 0; i < reader->n_sinks; i++) {
        if (reader->sinks[i].filtered)
            reader->sinks[i].filtered(reader->reading->states[i], &filtered);
    }
}

static void start_asserted(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *const *at = attributes->at;
    HieraAsserted asserted = {.before = reader->n_operations, .depth = reader->nesting.depth - 1};
    if (reader->nesting.depth == 0 || reader->nesting.summed)
        return;
    asserted.file = hiera_read_context_intern(&reader->context, at[HIERA_ATTRIBUTE_FILE]);
    asserted.line = (guint32)hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_LINE, 0,
                                                   G_MAXUINT32, 0);
    asserted.variables = hiera_read_context_intern(&reader->context, at[HIERA_ATTRIBUTE_ARGS]);
    for (guint i = 0; i < reader->n_sinks; i++) {
        if (reader->sinks[i].asserted)
            reader->sinks[i].asserted(reader->reading->states[i], &asserted);
    }
}

static void tell_counted(gpointer user, HieraCounted *counted)
{
    Reader *reader = user;
    counted->index = reader->nesting.parent;
    counted->depth = reader->nesting.depth - 1;
    for (guint i = 0; i < reader->n_sinks; i++) {
        if (reader->sinks[i].counted)
            reader->sinks[i].counted(reader->reading->states[i], counted);
    }
}

static void start_counted(Reader *reader, const HieraAttributes *attributes)
{
    if (reader->nesting.depth > 0)
        hiera_counters_read_values(&reader->context, attributes, tell_counted, reader);
}

static void start_before(Reader *reader, const HieraAttributes *attributes)
{
    hiera_before_read(&reader->context, attributes, reader->nesting.thread == 0, &reader->carrying);
}

static void start_since(Reader *reader, const HieraAttributes *attributes)
{
    (void)attributes;
    reader->carrying.carries = FALSE;
}

static void start_aggregation(Reader *reader, const HieraAttributes *attributes)
{
    const char *line = hiera_read_context_intern(&reader->context, attributes->at[HIERA_ATTRIBUTE_SAVED]);
    for (guint i = 0; i < reader->n_sinks; i++) {
        if (reader->sinks[i].saved)
            reader->sinks[i].saved(reader->reading->states[i], line);
    }
}

/* Elements that are neither calls nor their declarations, which start_known() reads. */
static const struct {
    void (*start)(Reader *reader, const HieraAttributes *attributes);
    void (*read)(HieraReadContext *context, const HieraAttributes *attributes);
} others[HIERA_N_ELEMENTS] = {
    [HIERA_ELEMENT_PROCESSOR] = {.start = start_processor},
    [HIERA_ELEMENT_FILTERED] = {.start = start_filtered},
    [HIERA_ELEMENT_ASSERTION] = {.start = start_asserted},
    [HIERA_ELEMENT_SPREAD] = {.start = start_spread},
    [HIERA_ELEMENT_PART] = {.start = start_part},
    [HIERA_ELEMENT_WAIT] = {.start = start_wait},
    [HIERA_ELEMENT_TURNS] = {.read = hiera_sums_read_turns},
    [HIERA_ELEMENT_SEAM] = {.read = hiera_sums_read_seam},
    [HIERA_ELEMENT_COUNTED] = {.start = start_counted},
    [HIERA_ELEMENT_AGGREGATION] = {.start = start_aggregation},
    [HIERA_ELEMENT_BEFORE] = {.start = start_before},
    [HIERA_ELEMENT_CHANNEL] = {.read = hiera_before_read_channel},
    [HIERA_ELEMENT_SINCE] = {.start = start_since},
    [HIERA_ELEMENT_COUNTER] = {.read = hiera_counters_declare},
    [HIERA_ELEMENT_THREAD] = {.start = start_thread},
    [HIERA_ELEMENT_FLUSH] = {.start = start_flush},
    [HIERA_ELEMENT_COMM] = {.read = hiera_communicators_declare},
    [HIERA_ELEMENT_GROUP] = {.read = hiera_communicators_declare_group},
    [HIERA_ELEMENT_TYPE] = {.read = hiera_types_declare},
    [HIERA_ELEMENT_OBJECT] = {.read = hiera_notice_read_object},
    [HIERA_ELEMENT_LOST] = {.read = hiera_notice_read_lost},
    [HIERA_ELEMENT_PAUSE] = {.read = hiera_notice_read_pause},
    [HIERA_ELEMENT_UNBALANCED] = {.read = hiera_notice_read_unbalanced},
    [HIERA_ELEMENT_END] = {.read = hiera_notice_read_end},
};

static void start_other(Reader *reader, HieraElement element, const HieraAttributes *attributes)
{
    if (others[element].start)
        others[element].start(reader, attributes);
    else if (others[element].read)
        others[element].read(&reader->context, attributes);
}

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
    fail_processor(reader, HIERA_FINDING_SYNTAX, problem);
    return FALSE;
}

static void add_call(Reader *reader, const HieraXmlAttribute *attributes, guint n, HieraOperation *operation)
{
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
        start_other(reader, element, &reader->sorted);
        hiera_attributes_clear(&reader->sorted);
    }
}

/* Save the nesting of the siblings of an element that begins. */
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

/* --- the calls of loops --- */

static void start_loop_call(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n, gpointer *note)
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
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_VALUE, reader->context.place.path, line, "loop", "%s",
                       problem);
}

/* --- the end of a file --- */

/* Report that the process of the trace is still running: mpirun can return before its ranks have ended, and the job
 * may still be running. */
static void report_alive(const Reader *reader)
{
    HieraProcessor *processor = reader->context.processor;
    processor->alive = reader->reading->usable && hiera_alive_check(processor->host, reader->pid, processor->path);
    if (processor->alive)
        hiera_findings_add(reader->context.place.findings, HIERA_FINDING_ALIVE, processor->path, 0, NULL,
                           "its process %" G_GINT64_FORMAT
                           " still runs: the trace is not complete yet; try again when it has ended",
                           reader->pid);
}

/* Report that the trace can have more than it has. Beside an end that the trace has already that says nothing new. */
static void report_kept(const Reader *reader)
{
    const HieraProcessor *processor = reader->context.processor;
    if (!processor->cut || processor->ended || processor->alive || !hiera_kept_find(processor->host, reader->pid, processor->path))
        return;
    g_autofree char *folder = g_path_get_dirname(processor->path);
    hiera_findings_add(reader->context.place.findings, HIERA_FINDING_CUT, processor->path, 0, "",
                       "it was killed, and its last operations are kept on %s: hiera-transform --recover %s adds them", processor->host, folder);
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
    reader->nesting.parent = HIERA_NO_PARENT;
    reader->carrying.places = g_array_new(FALSE, FALSE, sizeof(gint64));
    hiera_sums_init(&reader->summed);
    hiera_name_index_add_elements(&reader->context.elements, reader->xml);
    hiera_name_index_add_attributes(&reader->context.attributes, reader->xml);
    reader->calls = hiera_call_reader_new(&reader->context, reader->xml);
    reader->loops = hiera_read_loops_new(reader->xml, &loop_events, reader);
}

static void reader_clear(Reader *reader)
{
    hiera_call_reader_free(reader->calls);
    hiera_read_loops_free(reader->loops);
    hiera_sums_clear(&reader->summed);
    g_array_unref(reader->carrying.places);
    hiera_communicator_ids_clear(&reader->context.communicators);
    g_hash_table_unref(reader->context.counters);
    g_hash_table_unref(reader->context.types);
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
    reading->processor.end = reading->processor.seam = "";
    reader_init(&reader, source);
    HieraXmlEnd end = hiera_xml_parse(reader.xml);
    release_summed(&reader);
    hiera_trace_end_report(&reader.context, reader.xml, source, end, reading->usable);
    report_alive(&reader);
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
