#include "other_elements.h"
#include "base/findings.h"
#include "collector_notices.h"
#include "communicators.h"
#include "counters.h"
#include "operation.h"
#include "processor.h"
#include "samples.h"
#include "sums.h"
#include "timed.h"
#include "types.h"
#include <string.h>

/* --- reading the root element --- */

void hiera_read_fail(Reader *reader, HieraFindingCode code, const char *problem)
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
    /* Only one entry may be saved here, that of the root element itself. */
    if (reader->n_saved > 1) {
        hiera_read_fail(reader, HIERA_FINDING_SYNTAX,
                        "a processor inside another element; a file has one processor, as its root");
        return;
    }
    if (!hiera_processor_read(&reader->context.place, attributes, reader->context.cache, reader->context.processor,
                              &reader->context.clock)) {
        hiera_read_fail(reader, HIERA_FINDING_RANK, "processor without a valid rank; expected P0, P1, …");
        return;
    }
    hiera_before_begin(&reader->context, attributes);
    hiera_attribute_values_read(&reader->context, attributes, NULL, 0, NULL, &reader->of_processor);
    reader->pid = hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_PID, 1, G_MAXINT32, 0);
    reader->process = hiera_read_context_intern(&reader->context, attributes->at[HIERA_ATTRIBUTE_PROCESS]);
    hiera_read_context_see_time(&reader->context, reader->context.processor->init_ns);
    begin_sinks(reader);
}
/* --- elements inside an operation that stands for several calls --- */

/* Return TRUE if an element is inside an operation that stands for several calls; else report it. */
static gboolean check_holds(Reader *reader, HieraElement element)
{
    if (reader->holds != 0)
        return TRUE;
    hiera_findings_add(
        reader->context.place.findings, HIERA_FINDING_VALUE, reader->context.place.path, reader->context.place.line,
        hiera_element_name(element),
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

/* --- threads, notices of the collector, calls that were only counted --- */

static void start_thread(Reader *reader, const HieraAttributes *attributes)
{
    const HieraXmlAttribute *name = attributes->at[HIERA_ATTRIBUTE_ID];
    static const char ended[] = "ended"; /* id of a hieraThread for all threads that have ended */
    gboolean many =
        name && hiera_attribute_length(name) == strlen(ended) && memcmp(name->value, ended, strlen(ended)) == 0;
    gint64 id = many ? G_MAXINT32
                     : hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_ID, 0, G_MAXINT32, 1);
    reader->nesting = (Nesting){.parent = HIERA_NO_PARENT, .thread = (guint32)id};
    hiera_call_reader_begin_section(reader->calls);
    reader->carrying.carries = FALSE;
    HieraProcessor *processor = reader->context.processor;
    processor->threaded = TRUE;
    if (!hiera_attribute_is_empty(attributes->at[HIERA_ATTRIBUTE_LEVEL]))
        processor->threads = hiera_read_context_intern(&reader->context, attributes->at[HIERA_ATTRIBUTE_LEVEL]);
    processor->last_thread = MAX(processor->last_thread, (guint32)id);
}

#define X(type, name, texts)                                                                                           \
    static void tell_##name(const Reader *reader, const type *record)                                                  \
    {                                                                                                                  \
        for (guint i = 0; i < reader->n_sinks; i++) {                                                                  \
            if (reader->sinks[i].name)                                                                                 \
                reader->sinks[i].name(reader->reading->states[i], record);                                             \
        }                                                                                                              \
    }
HIERA_RECORDS(X)
#undef X

static void tell_attributes(const Reader *reader, const HieraAttributeValues *values, guint64 index)
{
    HieraAttributeValue list[HIERA_ATTRIBUTE_COLUMNS_MOST];
    guint n = hiera_attribute_values_list(values, index, list);
    reader->context.processor->attributes |= values->present;
    for (guint i = 0; i < n; i++)
        tell_attribute(reader, &list[i]);
}

void hiera_read_attributes(const Reader *reader, guint64 index)
{
    if (index == 0)
        tell_attributes(reader, &reader->of_processor, index);
    tell_attributes(reader, hiera_call_reader_peek_values(reader->calls), index);
}

/* Return the time of a `hieraFlush` that the main thread spent outside of MPI. @param time_ns  its whole time */
static gint64 own_time_of(const Reader *reader, const HieraOperation *flush, gint64 time_ns)
{
    const HieraProcessor *processor = reader->context.processor;
    gint64 end_ns = processor->cut ? G_MAXINT64 : processor->finalize_ns;
    if (reader->nesting.thread != 0 || reader->nesting.mpi)
        return 0;
    gint64 inside_ns = hiera_minus(MIN(flush->finish_ns, end_ns), MAX(flush->start_ns, processor->init_ns));
    return CLAMP(time_ns, 0, MAX(inside_ns, 0));
}

static void tell_own(const Reader *reader, const HieraOperation *flush)
{
    const Nesting *nesting = &reader->nesting;
    const HieraOwnTime own = {0, nesting->depth, reader->n_operations, flush->start_ns, flush->finish_ns};
    if (nesting->thread == 0 && !nesting->mpi && !nesting->summed && flush->start_ns < flush->finish_ns)
        tell_own_time(reader, &own);
}

static void start_flush(Reader *reader, const HieraAttributes *attributes)
{
    HieraOperation flush;
    HieraProcessor *processor = reader->context.processor;
    hiera_operation_read_times(&reader->context, attributes, &flush);
    if (flush.finish_ns == HIERA_TIME_OPEN)
        return;
    gint64 time_ns = flush.finish_ns - flush.start_ns;
    if (attributes->at[HIERA_ATTRIBUTE_TIME])
        time_ns = hiera_argument_time(&reader->context.place, attributes, HIERA_ATTRIBUTE_TIME, 0, "0 is used");
    else
        tell_own(reader, &flush);
    processor->flush_ns = hiera_plus(processor->flush_ns, time_ns);
    processor->own_ns = hiera_plus(processor->own_ns, own_time_of(reader, &flush, time_ns));
}

/* Read a `hieraFiltered`: sums over calls that the collector counted but did not record. */
static void read_filtered(Reader *reader, const HieraAttributes *attributes, HieraFiltered *filtered)
{
    const HieraXmlAttribute *const *at = attributes->at;
    const char *none = hiera_cache_intern(reader->context.cache, "", 0); /* call sites are compared by their pointers */
    HieraSite key = {.class_name = none, .file = none};
    if (at[HIERA_ATTRIBUTE_CLASS])
        key.class_name = hiera_read_context_intern(&reader->context, at[HIERA_ATTRIBUTE_CLASS]);
    key.level = hiera_attribute_is_empty(at[HIERA_ATTRIBUTE_LEVEL])
                    ? hiera_cache_intern(reader->context.cache, HIERA_LEVEL_MPI, strlen(HIERA_LEVEL_MPI))
                    : hiera_read_context_intern(&reader->context, at[HIERA_ATTRIBUTE_LEVEL]);
    key.operation = hiera_read_context_name(&reader->context, key.level, at[HIERA_ATTRIBUTE_OPERATION]);
    filtered->site = hiera_cache_site(reader->context.cache, &key);
    filtered->comm = hiera_communicators_find(&reader->context, at[HIERA_ATTRIBUTE_COMMUNICATOR]);
    filtered->thread = reader->nesting.thread;
    reader->context.processor->calls_in_threads |= filtered->thread != 0;
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
    asserted.line =
        (guint32)hiera_argument_number(&reader->context.place, attributes, HIERA_ATTRIBUTE_LINE, 0, G_MAXUINT32, 0);
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

/* --- reading samples and exact times --- */

static void start_samples(Reader *reader, const HieraAttributes *attributes)
{
    HieraSampled thread = hiera_samples_read_thread(&reader->context, attributes, &reader->sample_period_ns);
    reader->nesting.thread = thread.thread;
    reader->nesting.sampled = "";
    reader->nesting.sampled_mpi = FALSE;
    tell_sampled(reader, &thread);
}

static void start_sampled(Reader *reader, const HieraAttributes *attributes)
{
    if (reader->nesting.sampled)
        reader->nesting.sampled = hiera_samples_read_path(&reader->context, attributes, reader->nesting.sampled,
                                                          &reader->nesting.sampled_mpi);
}

static void start_sample(Reader *reader, const HieraAttributes *attributes)
{
    const Nesting *nesting = &reader->nesting;
    HieraSampled sampled = {.thread = nesting->thread, .in_mpi = nesting->sampled_mpi, .path = nesting->sampled};
    if (nesting->sampled && hiera_samples_read_place(&reader->context, attributes, reader->sample_period_ns, &sampled))
        tell_sampled(reader, &sampled);
}

static void start_loops(Reader *reader, const HieraAttributes *attributes)
{
    const HieraTimed all = hiera_timed_read_all(&reader->context, attributes);
    reader->nesting.timed = HIERA_IN_LOOPS;
    tell_timed(reader, &all);
}

static void read_timed(Reader *reader, const HieraAttributes *attributes, HieraTimedKind kind)
{
    Nesting *nesting = &reader->nesting;
    HieraTimed timed = {.kind = kind, .inner = nesting->inner};
    /* a hieraTimed must be directly in a hieraLoops, a hieraTimedLoop in a function or loop */
    if (kind == HIERA_TIMED_LOOP ? nesting->timed <= HIERA_IN_LOOPS : nesting->timed != HIERA_IN_LOOPS)
        return;
    if (nesting->timed > HIERA_LOOPS_DEEPEST)
        return;
    timed.depth = nesting->timed - HIERA_IN_LOOPS;
    hiera_timed_read(&reader->context, attributes, &timed);
    nesting->inner = timed.inner;
    nesting->timed++;
    tell_timed(reader, &timed);
}

static void start_timed(Reader *reader, const HieraAttributes *attributes)
{
    read_timed(reader, attributes, HIERA_TIMED_FUNCTION);
}

static void start_timed_loop(Reader *reader, const HieraAttributes *attributes)
{
    read_timed(reader, attributes, HIERA_TIMED_LOOP);
}

static void start_untimed(Reader *reader, const HieraAttributes *attributes)
{
    read_timed(reader, attributes, HIERA_TIMED_NOT);
}

/* By element: function that reads it. Calls and their declarations are read by start_known() instead. */
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
    [HIERA_ELEMENT_TURNS] = {.read = hiera_sums_read_repeats},
    [HIERA_ELEMENT_SEAM] = {.read = hiera_sums_read_switch_over},
    [HIERA_ELEMENT_COUNTED] = {.start = start_counted},
    [HIERA_ELEMENT_AGGREGATION] = {.start = start_aggregation},
    [HIERA_ELEMENT_SAMPLES] = {.start = start_samples},
    [HIERA_ELEMENT_SAMPLED] = {.start = start_sampled},
    [HIERA_ELEMENT_SAMPLE] = {.start = start_sample},
    [HIERA_ELEMENT_LOOPS] = {.start = start_loops},
    [HIERA_ELEMENT_TIMED] = {.start = start_timed},
    [HIERA_ELEMENT_TIMED_LOOP] = {.start = start_timed_loop},
    [HIERA_ELEMENT_UNTIMED] = {.start = start_untimed},
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
    [HIERA_ELEMENT_USAGE] = {.read = hiera_notice_read_usage},
    [HIERA_ELEMENT_UNBALANCED] = {.read = hiera_notice_read_unbalanced},
    [HIERA_ELEMENT_END] = {.read = hiera_notice_read_end},
};

void hiera_read_other_element(Reader *reader, HieraElement element, const HieraAttributes *attributes)
{
    if (others[element].start)
        others[element].start(reader, attributes);
    else if (others[element].read)
        others[element].read(&reader->context, attributes);
}
