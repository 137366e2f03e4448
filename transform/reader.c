/* One trace file → operations; see reader.h. A machine with a stack: each element saves where its siblings belong, and
 * puts itself in that place for its children if it is an operation. */
#include "reader.h"
#include "arguments.h"
#include "calls.h"
#include "declarations.h"
#include "findings.h"
#include "processor.h"
#include "words.h"
#include <string.h>

#define NO_TIME (-1) /* times are not negative */

/* Where an operation belongs. */
typedef struct {
    guint64 parent;
    guint32 depth, thread;
} Context;

typedef struct {
    HieraSource *source;
    HieraXml *xml;
    HieraCatalog *catalog;
    HieraCache *cache;
    HieraValidator *validator;
    const HieraSink *sinks;
    guint n_sinks;
    HieraReading *reading;
    HieraProcessor *processor; /* of the reading */
    HieraPlace place;
    HieraClock clock;
    HieraWords elements, attributes;
    GArray *saved; /* Context, one per open element */
    Context context;
    guint64 n_operations;
    gint64 last_ns;
    gboolean open_operation; /* one without a finish time was seen */
    HieraDeclarations communicators;
    GArray *requests;
    HieraCalls *calls; /* of the compact spelling */
} Reader;

static const char *intern(Reader *reader, const HieraXmlAttribute *attribute)
{
    return attribute ? hiera_cache_intern(reader->cache, attribute->value, hiera_attribute_length(attribute)) : "";
}

static gboolean is_empty(const HieraXmlAttribute *attribute)
{
    return !attribute || attribute->value == attribute->end;
}

static void see_time(Reader *reader, gint64 ns)
{
    reader->last_ns = MAX(reader->last_ns, ns);
}

/* --- processor --- */

static void fail_processor(Reader *reader, HieraFindingCode code, const char *what)
{
    hiera_findings_add(reader->place.findings, code, reader->place.path, reader->place.line, NULL, "%s", what);
    hiera_xml_stop(reader->xml);
}

static void begin_sinks(Reader *reader)
{
    reader->reading->usable = TRUE;
    reader->reading->states = g_new0(gpointer, reader->n_sinks);
    for (guint i = 0; i < reader->n_sinks; i++)
        reader->reading->states[i] = reader->sinks[i].begin(reader->sinks[i].user, reader->processor);
}

static void start_processor(Reader *reader, const HieraAttributes *attributes)
{
    if (reader->saved->len > 0) {
        fail_processor(reader, HIERA_FINDING_SYNTAX,
                       "a processor inside another element; one file holds one processor");
        return;
    }
    if (!hiera_processor_read(&reader->place, attributes, reader->cache, reader->processor, &reader->clock)) {
        fail_processor(reader, HIERA_FINDING_RANK, "processor without a usable rank; expected P0, P1, …");
        return;
    }
    see_time(reader, reader->processor->init_ns);
    begin_sinks(reader);
}

/* --- communicators --- */

static void set_neighbors(Reader *reader, const HieraAttributes *attributes, guint32 comm)
{
    const HieraXmlAttribute *in = attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_IN];
    const HieraXmlAttribute *out = attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_OUT];
    if (!hiera_catalog_set_neighbors(reader->catalog, comm, reader->processor->rank, intern(reader, in),
                                     intern(reader, out)))
        hiera_argument_complain(&reader->place, HIERA_ATTRIBUTE_NEIGHBORS_IN, in ? in : out,
                                "the neighbours are ignored; write for example 0-6:2 9");
}

static void start_communicator(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *id = attributes->at[HIERA_ATTRIBUTE_ID];
    if (is_empty(id)) {
        hiera_findings_add(reader->place.findings, HIERA_FINDING_VALUE, reader->place.path, reader->place.line,
                           "comm id", "%s without an id; it is ignored", hiera_element_name(HIERA_ELEMENT_COMM));
        return;
    }
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_NAME];
    const HieraXmlAttribute *ranks = attributes->at[HIERA_ATTRIBUTE_RANKS];
    if (!hiera_declarations_add(&reader->communicators, intern(reader, id), intern(reader, ranks),
                                intern(reader, attributes->at[HIERA_ATTRIBUTE_REMOTE]),
                                name ? intern(reader, name) : NULL))
        hiera_argument_complain(&reader->place, HIERA_ATTRIBUTE_RANKS, ranks ? ranks : id,
                                "the communicator is ignored; write for example 0-6:2 9");
    else if (attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_IN] || attributes->at[HIERA_ATTRIBUTE_NEIGHBORS_OUT])
        set_neighbors(reader, attributes, hiera_declarations_peek(&reader->communicators, intern(reader, id)));
}

static void start_group(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *id = attributes->at[HIERA_ATTRIBUTE_ID], *ranks = attributes->at[HIERA_ATTRIBUTE_RANKS];
    if (!is_empty(id) &&
        !hiera_declarations_add(&reader->communicators, intern(reader, id), intern(reader, ranks), "", NULL))
        hiera_argument_complain(&reader->place, HIERA_ATTRIBUTE_RANKS, ranks ? ranks : id, "the group is ignored");
}

static guint32 find_communicator(Reader *reader, const HieraXmlAttribute *attribute)
{
    return is_empty(attribute) ? HIERA_NONE
                               : hiera_declarations_find(&reader->communicators, intern(reader, attribute));
}

/* Windows and files are communicators of another name: what is called on one is counted apart. A call with both a
 * communicator and one of them makes it. */
static void find_communicators(Reader *reader, const HieraAttributes *attributes, HieraOperation *operation)
{
    const HieraXmlAttribute *const *at = attributes->at;
    const HieraXmlAttribute *comm = at[HIERA_ATTRIBUTE_COMMUNICATOR], *group = at[HIERA_ATTRIBUTE_GROUP];
    const HieraXmlAttribute *object =
        at[HIERA_ATTRIBUTE_WIN] ? at[HIERA_ATTRIBUTE_WIN] : at[HIERA_ATTRIBUTE_FILE_HANDLE];
    operation->comm = find_communicator(reader, comm);
    operation->other = find_communicator(reader, at[HIERA_ATTRIBUTE_NEWCOMM]);
    if (is_empty(object))
        return;
    if (!is_empty(comm))
        operation->other =
            hiera_declarations_make(&reader->communicators, intern(reader, object), intern(reader, comm));
    else
        operation->comm = hiera_declarations_peek(&reader->communicators, intern(reader, object));
    if (!is_empty(group))
        operation->other = hiera_declarations_peek(&reader->communicators, intern(reader, group));
}

/* --- operations --- */

/* An element with a class and a method is of the framework, whatever its name: the paper wrote hieramMPI for both. */
static const HieraSite *find_site(Reader *reader, HieraElement element, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *const *at = attributes->at;
    gboolean method = element != HIERA_ELEMENT_REGION && (at[HIERA_ATTRIBUTE_CLASS] || at[HIERA_ATTRIBUTE_METHOD]);
    HieraSite key = {.class_name = "", .file = intern(reader, at[HIERA_ATTRIBUTE_FILE])};
    key.line = (guint32)hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_LINE, 0, G_MAXINT32, 0);
    if (method || element == HIERA_ELEMENT_OOPS) {
        key.level = HIERA_LEVEL_OOPS;
        key.class_name = intern(reader, at[HIERA_ATTRIBUTE_CLASS]);
        key.operation = intern(reader, at[HIERA_ATTRIBUTE_METHOD]);
    } else {
        key.operation = intern(reader, at[HIERA_ATTRIBUTE_OPERATION]);
        key.level = HIERA_LEVEL_MPI;
        if (element == HIERA_ELEMENT_REGION)
            key.level = is_empty(at[HIERA_ATTRIBUTE_LEVEL]) ? HIERA_LEVEL_DEFAULT : NULL;
    }
    key.level = key.level ? hiera_cache_intern(reader->cache, key.level, strlen(key.level))
                          : intern(reader, at[HIERA_ATTRIBUTE_LEVEL]);
    return hiera_cache_site(reader->cache, &key);
}

/* On the job's axis. */
static gint64 read_time(Reader *reader, const HieraAttributes *attributes, HieraAttribute attribute)
{
    gint64 ns =
        hiera_argument_time(&reader->place, attributes, attribute, NO_TIME, "the operation counts, without a duration");
    return ns == NO_TIME ? NO_TIME : hiera_clock_correct(&reader->clock, ns);
}

static void read_times(Reader *reader, const HieraAttributes *attributes, HieraOperation *operation)
{
    const HieraXmlAttribute *finish = attributes->at[HIERA_ATTRIBUTE_FINISH_TIME];
    gint64 start = read_time(reader, attributes, HIERA_ATTRIBUTE_START_TIME);
    operation->start_ns = start == NO_TIME ? reader->last_ns : start;
    see_time(reader, operation->start_ns);
    if (is_empty(finish)) {
        operation->finish_ns = HIERA_TIME_OPEN;
        reader->open_operation = TRUE;
        return;
    }
    gint64 end = read_time(reader, attributes, HIERA_ATTRIBUTE_FINISH_TIME);
    operation->finish_ns = end == NO_TIME ? operation->start_ns : end;
    if (start == NO_TIME) {
        operation->start_ns = operation->finish_ns;
    } else if (operation->finish_ns < operation->start_ns) {
        hiera_argument_complain(&reader->place, HIERA_ATTRIBUTE_FINISH_TIME, finish,
                                "it is before start_time; the operation counts, without a duration");
        operation->finish_ns = operation->start_ns;
    }
    see_time(reader, operation->finish_ns);
}

static void check_known(Reader *reader, const HieraSite *site)
{
    if (!site->known)
        hiera_findings_add(reader->place.findings, HIERA_FINDING_UNKNOWN_OPERATION, reader->place.path,
                           reader->place.line, site->operation,
                           "operation '%s' is not known to the level mpi; it is counted and timed, not matched",
                           site->operation);
}

/* All of an operation but its place and its times; its requests are in reader->requests. */
static void read_call(Reader *reader, HieraElement element, const HieraAttributes *attributes,
                      HieraOperation *operation)
{
    *operation = (HieraOperation){.site = find_site(reader, element, attributes)};
    find_communicators(reader, attributes, operation);
    check_known(reader, operation->site);
    g_array_set_size(reader->requests, 0);
    hiera_arguments_read(&reader->place, attributes, operation, reader->requests);
}

static void add_operation(Reader *reader, HieraOperation *operation)
{
    operation->index = reader->n_operations++;
    operation->parent = reader->context.parent;
    operation->depth = reader->context.depth;
    operation->thread = reader->context.thread;
    operation->element_line = reader->place.line;
    for (guint i = 0; i < reader->n_sinks; i++)
        reader->sinks[i].operation(reader->reading->states[i], operation);
    reader->context.parent = operation->index;
    reader->context.depth++;
}

static void start_operation(Reader *reader, HieraElement element, const HieraAttributes *attributes)
{
    HieraOperation operation;
    read_call(reader, element, attributes, &operation);
    read_times(reader, attributes, &operation);
    add_operation(reader, &operation);
}

/* --- the compact spelling --- */

static void read_compact_times(Reader *reader, const HieraAttributes *attributes, HieraOperation *operation)
{
    gint64 start = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_T, 0, G_MAXINT64 / 2, NO_TIME);
    gint64 duration = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_D, 0, G_MAXINT64 / 2, NO_TIME);
    operation->start_ns = start == NO_TIME ? reader->last_ns : hiera_clock_correct(&reader->clock, start);
    see_time(reader, operation->start_ns);
    if (is_empty(attributes->at[HIERA_ATTRIBUTE_D])) {
        operation->finish_ns = HIERA_TIME_OPEN;
        reader->open_operation = TRUE;
        return;
    }
    operation->finish_ns = start == NO_TIME || duration == NO_TIME
                               ? operation->start_ns
                               : hiera_clock_correct(&reader->clock, start + duration);
    see_time(reader, operation->finish_ns);
}

static void sort_attributes(Reader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                            HieraAttributes *sorted);

/* What repeats is read once for all calls that have nothing of their own, unless it stands for a request or makes
 * something: then it is not the same twice. */
static void read_declared_call(Reader *reader, HieraCall *call, const HieraXmlAttribute *attributes, guint n,
                               gboolean plain, HieraOperation *operation)
{
    HieraAttributes sorted;
    guint n_merged;
    if (plain && call->reading) {
        *operation = *(const HieraOperation *)call->reading;
        g_array_set_size(reader->requests, 0);
        return;
    }
    const HieraXmlAttribute *merged = hiera_calls_merge(reader->calls, call, attributes, n, &n_merged);
    sort_attributes(reader, call->element, merged, n_merged, &sorted);
    read_call(reader, call->element, &sorted, operation);
    gboolean makes = !is_empty(sorted.at[HIERA_ATTRIBUTE_WIN]) || !is_empty(sorted.at[HIERA_ATTRIBUTE_FILE_HANDLE]);
    if (plain && reader->requests->len == 0 && !makes)
        call->reading = g_memdup2(operation, sizeof *operation);
}

static void start_use(Reader *reader, const HieraXmlAttribute *attributes, guint n)
{
    gboolean plain;
    HieraAttributes sorted;
    HieraOperation operation;
    HieraCall *call = hiera_calls_find(reader->calls, attributes, n, &plain);
    if (!call) {
        hiera_findings_add(reader->place.findings, HIERA_FINDING_VALUE, reader->place.path, reader->place.line, "call",
                           "%s refers to no %s before it; it is skipped, what it holds is read",
                           hiera_element_name(HIERA_ELEMENT_USE), hiera_element_name(HIERA_ELEMENT_CALL));
        return;
    }
    read_declared_call(reader, call, attributes, n, plain, &operation);
    sort_attributes(reader, HIERA_ELEMENT_USE, attributes, n, &sorted);
    read_compact_times(reader, &sorted, &operation);
    add_operation(reader, &operation);
}

static void start_declared(Reader *reader, const HieraXmlAttribute *attributes, guint n)
{
    if (!hiera_calls_declare(reader->calls, attributes, n))
        hiera_findings_add(reader->place.findings, HIERA_FINDING_VALUE, reader->place.path, reader->place.line,
                           "call id", "%s without an id; it is ignored", hiera_element_name(HIERA_ELEMENT_CALL));
}

/* --- the other elements --- */

static void start_thread(Reader *reader, const HieraAttributes *attributes)
{
    gint64 id = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_ID, 0, G_MAXINT32, 1);
    reader->context = (Context){HIERA_NO_PARENT, 0, (guint32)id};
    reader->processor->threaded = TRUE;
}

static void start_flush(Reader *reader, const HieraAttributes *attributes)
{
    HieraOperation flush;
    read_times(reader, attributes, &flush);
    if (flush.finish_ns != HIERA_TIME_OPEN)
        reader->processor->flush_ns += flush.finish_ns - flush.start_ns;
}

static void start_lost(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *reason = attributes->at[HIERA_ATTRIBUTE_REASON];
    gint64 n = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, 0);
    g_autofree char *count = n > 0 ? g_strdup_printf("%" G_GINT64_FORMAT " operations", n) : g_strdup("operations");
    hiera_findings_add(reader->place.findings, HIERA_FINDING_LOST, reader->place.path, reader->place.line, NULL,
                       "the collector lost %s: %s", count,
                       is_empty(reason) ? "no reason given" : intern(reader, reason));
}

static const char *text_of(Reader *reader, const HieraAttributes *attributes, HieraAttribute attribute)
{
    const HieraXmlAttribute *value = attributes->at[attribute];
    return is_empty(value) ? "?" : intern(reader, value);
}

/* Begins and ends of regions that do not fit. */
static void start_unbalanced(Reader *reader, const HieraAttributes *attributes)
{
    static const struct {
        const char *reason, *text;
    } texts[] = {
        {"left", "it had no end, and ended with what is around it"},
        {"never_ended", "it was still open when its thread or the program ended"},
        {"crossed", "its end came inside a region that began in it, and took effect where that one ended"},
    };
    const char *reason = text_of(reader, attributes, HIERA_ATTRIBUTE_REASON);
    const char *file = text_of(reader, attributes, HIERA_ATTRIBUTE_FILE);
    const char *line = text_of(reader, attributes, HIERA_ATTRIBUTE_LINE), *what = reason;
    gint64 count = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_COUNT, 1, G_MAXINT64, 1);
    g_autofree char *times = count > 1 ? g_strdup_printf(", %" G_GINT64_FORMAT " times", count) : g_strdup("");
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        what = strcmp(reason, texts[i].reason) == 0 ? texts[i].text : what;
    const char *name = text_of(reader, attributes, HIERA_ATTRIBUTE_NAME);
    const char *level = text_of(reader, attributes, HIERA_ATTRIBUTE_LEVEL);
    /* The same on another rank is the same finding. */
    g_autofree char *subject = g_strdup_printf("%s %s %s %s:%s", reason, level, name, file, line);
    g_autofree char *text =
        attributes->at[HIERA_ATTRIBUTE_NAME]
            ? g_strdup_printf("region '%s' of level %s (%s:%s)%s: %s", name, level, file, line, times, what)
            : g_strdup_printf("end of a region (%s:%s)%s: there was none that it could end", file, line, times);
    hiera_findings_add(reader->place.findings, HIERA_FINDING_UNBALANCED, reader->place.path, reader->place.line,
                       subject, "%s", text);
}

/* "signal 11 (SIGSEGV)", "MPI_Abort (7)", "exit". */
static void start_end(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *cause = attributes->at[HIERA_ATTRIBUTE_CAUSE];
    const HieraXmlAttribute *value = attributes->at[HIERA_ATTRIBUTE_VALUE];
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_NAME];
    GString *text = g_string_new(is_empty(cause) ? "something unknown" : intern(reader, cause));
    if (!is_empty(value))
        g_string_append_printf(text, is_empty(name) ? " (%s)" : " %s", intern(reader, value));
    if (!is_empty(name))
        g_string_append_printf(text, " (%s)", intern(reader, name));
    hiera_findings_add(reader->place.findings, HIERA_FINDING_END, reader->place.path, reader->place.line, NULL,
                       "the program was ended by %s", text->str);
    g_string_free(text, TRUE);
}

/* Operations that were counted and not recorded, added up. */
static void read_filtered(Reader *reader, const HieraAttributes *attributes, HieraFiltered *filtered)
{
    const HieraXmlAttribute *const *at = attributes->at;
    HieraSite key = {.class_name = intern(reader, at[HIERA_ATTRIBUTE_CLASS]), .file = ""};
    key.operation = intern(reader, at[HIERA_ATTRIBUTE_OPERATION]);
    key.level = is_empty(at[HIERA_ATTRIBUTE_LEVEL])
                    ? hiera_cache_intern(reader->cache, HIERA_LEVEL_MPI, strlen(HIERA_LEVEL_MPI))
                    : intern(reader, at[HIERA_ATTRIBUTE_LEVEL]);
    filtered->site = hiera_cache_site(reader->cache, &key);
    filtered->comm = find_communicator(reader, at[HIERA_ATTRIBUTE_COMMUNICATOR]);
    filtered->thread = reader->context.thread;
    filtered->count = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_COUNT, 0, G_MAXINT64, 0);
    filtered->bytes = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_BYTES, 0, G_MAXINT64, -1);
    filtered->rbytes = hiera_argument_number(&reader->place, attributes, HIERA_ATTRIBUTE_RBYTES, 0, G_MAXINT64, -1);
    if (at[HIERA_ATTRIBUTE_TIME])
        filtered->time_ns =
            hiera_argument_time(&reader->place, attributes, HIERA_ATTRIBUTE_TIME, 0, "the time is taken as 0");
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

static void start_known(Reader *reader, HieraElement element, const HieraAttributes *attributes)
{
    switch (element) {
    case HIERA_ELEMENT_PROCESSOR:
        start_processor(reader, attributes);
        break;
    case HIERA_ELEMENT_MPI:
    case HIERA_ELEMENT_OOPS:
    case HIERA_ELEMENT_REGION:
        start_operation(reader, element, attributes);
        break;
    case HIERA_ELEMENT_COMM:
        start_communicator(reader, attributes);
        break;
    case HIERA_ELEMENT_GROUP:
        start_group(reader, attributes);
        break;
    case HIERA_ELEMENT_FILTERED:
        start_filtered(reader, attributes);
        break;
    case HIERA_ELEMENT_THREAD:
        start_thread(reader, attributes);
        break;
    case HIERA_ELEMENT_FLUSH:
        start_flush(reader, attributes);
        break;
    case HIERA_ELEMENT_LOST:
        start_lost(reader, attributes);
        break;
    case HIERA_ELEMENT_UNBALANCED:
        start_unbalanced(reader, attributes);
        break;
    case HIERA_ELEMENT_END:
        start_end(reader, attributes);
        break;
    case HIERA_ELEMENT_CALL: /* read with all of their attributes, known or not */
    case HIERA_ELEMENT_USE:
    case HIERA_ELEMENT_TYPE:
    case HIERA_N_ELEMENTS:
        break;
    }
}

/* Calls have arguments under any name; elements that are no calls have the attributes of the format alone. */
static void note_unknown_attribute(Reader *reader, const char *name)
{
    hiera_findings_add(reader->place.findings, HIERA_FINDING_UNKNOWN_ATTRIBUTE, reader->place.path, reader->place.line,
                       name, "attribute '%s' is not known here; it is ignored", name);
}

static void sort_attributes(Reader *reader, HieraElement element, const HieraXmlAttribute *attributes, guint n,
                            HieraAttributes *sorted)
{
    gboolean call = element == HIERA_ELEMENT_MPI || element == HIERA_ELEMENT_OOPS || element == HIERA_ELEMENT_USE;
    memset(sorted, 0, sizeof *sorted);
    for (guint i = 0; i < n; i++) {
        int number = hiera_words_find(&reader->attributes, attributes[i].name);
        if (number >= 0)
            sorted->at[number] = &attributes[i];
        else if (!call && !attributes[i].prefix)
            note_unknown_attribute(reader, attributes[i].name);
    }
}

static void note_unknown_element(Reader *reader, const char *name)
{
    hiera_findings_add(reader->place.findings, HIERA_FINDING_UNKNOWN_ELEMENT, reader->place.path, reader->place.line,
                       name, "element '%s' is not known; it is skipped, what it holds is read", name);
}

static gboolean check_root(Reader *reader, int element, const char *name)
{
    if (reader->reading->usable || element == HIERA_ELEMENT_PROCESSOR)
        return TRUE;
    g_autofree char *what =
        g_strdup_printf("is no trace: its root is '%s', not '%s'", name, hiera_element_name(HIERA_ELEMENT_PROCESSOR));
    fail_processor(reader, HIERA_FINDING_SYNTAX, what);
    return FALSE;
}

static void start_element(gpointer user, const char *name, const HieraXmlAttribute *attributes, guint n)
{
    Reader *reader = user;
    int element = hiera_words_find(&reader->elements, name);
    reader->place.line = hiera_xml_line(reader->xml);
    if (!check_root(reader, element, name))
        return;
    if (reader->validator)
        hiera_validator_start(reader->validator, reader->place.line, name, attributes, n);
    Context before = reader->context;
    if (element == HIERA_ELEMENT_USE) {
        start_use(reader, attributes, n);
    } else if (element == HIERA_ELEMENT_CALL) {
        start_declared(reader, attributes, n);
    } else if (element >= 0) {
        HieraAttributes sorted;
        sort_attributes(reader, (HieraElement)element, attributes, n, &sorted);
        start_known(reader, (HieraElement)element, &sorted);
    } else {
        note_unknown_element(reader, name);
    }
    g_array_append_val(reader->saved, before);
}

static void end_element(gpointer user, const char *name)
{
    (void)name;
    Reader *reader = user;
    if (reader->saved->len == 0)
        return;
    if (reader->validator)
        hiera_validator_end(reader->validator, hiera_xml_line(reader->xml));
    reader->context = g_array_index(reader->saved, Context, reader->saved->len - 1);
    g_array_set_size(reader->saved, reader->saved->len - 1);
}

/* --- the end of a file --- */

static void report_end(Reader *reader, HieraXmlEnd end)
{
    HieraFindings *findings = reader->place.findings;
    const char *path = reader->place.path;
    guint32 line = hiera_xml_line(reader->xml);
    const char *rest = reader->reading->usable ? "; what stands before is used" : "";
    if (end == HIERA_XML_ENTITY)
        hiera_findings_add(findings, HIERA_FINDING_ENTITY, path, line, NULL,
                           "declares an entity, which no trace does and which is refused; remove its DOCTYPE");
    else if (end == HIERA_XML_UNREAD)
        hiera_findings_add(findings, HIERA_FINDING_FILE, path, line, NULL, "reading failed: %s%s",
                           hiera_source_peek_problem(reader->source), rest);
    else if (end == HIERA_XML_CUT && !reader->reading->usable)
        hiera_findings_add(findings, HIERA_FINDING_CUT, path, line, NULL,
                           "the trace ends before its first element is whole; nothing of it can be used");
    else if (end == HIERA_XML_BROKEN)
        hiera_findings_add(findings, HIERA_FINDING_SYNTAX, path, line, NULL, "is not well-formed XML: %s%s",
                           hiera_xml_peek_message(reader->xml), rest);
    else if (end == HIERA_XML_CUT)
        hiera_findings_add(findings, HIERA_FINDING_CUT, path, line, NULL,
                           "the trace ends here, inside an element; all complete operations before are used");
    else if (end == HIERA_XML_WHOLE && (reader->processor->cut || reader->open_operation))
        hiera_findings_add(findings, HIERA_FINDING_CUT, path, line, NULL,
                           "the program ended without MPI_Finalize, or operations were still open; they end at the "
                           "last time seen");
}

static void finish_processor(Reader *reader, HieraXmlEnd end)
{
    HieraProcessor *processor = reader->processor;
    processor->n_operations = reader->n_operations;
    processor->cut = processor->cut || reader->open_operation || end != HIERA_XML_WHOLE;
    if (processor->cut)
        processor->finalize_ns = MAX(processor->finalize_ns, reader->last_ns);
}

static void reader_init(Reader *reader, HieraSource *source)
{
    static const HieraXmlEvents events = {start_element, end_element, NULL};
    reader->xml = hiera_xml_new(source, &events, reader);
    reader->cache = hiera_cache_new(reader->catalog);
    reader->saved = g_array_new(FALSE, FALSE, sizeof(Context));
    hiera_declarations_init(&reader->communicators, reader->catalog, reader->processor);
    reader->requests = g_array_new(FALSE, FALSE, sizeof(HieraRequest));
    reader->calls = hiera_calls_new(reader->xml);
    reader->context.parent = HIERA_NO_PARENT;
    hiera_words_add_elements(&reader->elements, reader->xml);
    hiera_words_add_attributes(&reader->attributes, reader->xml);
}

static void reader_clear(Reader *reader)
{
    g_array_unref(reader->requests);
    hiera_calls_free(reader->calls);
    hiera_declarations_clear(&reader->communicators);
    g_array_unref(reader->saved);
    hiera_cache_free(reader->cache);
    hiera_xml_free(reader->xml);
}

HieraReading *hiera_read(HieraSource *source, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                         HieraFindings *findings, HieraValidator *validator)
{
    HieraReading *reading = g_new0(HieraReading, 1);
    const char *path = hiera_source_peek_path(source);
    Reader reader = {.source = source,
                     .catalog = catalog,
                     .validator = validator,
                     .sinks = sinks,
                     .n_sinks = n_sinks,
                     .reading = reading,
                     .processor = &reading->processor,
                     .place = {findings, path, 0}};
    reading->processor.path = hiera_catalog_intern(catalog, path, strlen(path));
    reading->processor.application = reading->processor.job = reading->processor.host = reading->processor.clock = "";
    reader_init(&reader, source);
    HieraXmlEnd end = hiera_xml_parse(reader.xml);
    report_end(&reader, end);
    finish_processor(&reader, end);
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
