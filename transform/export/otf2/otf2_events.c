/* See otf2_events.h. The trace is read once more, for the arguments that are no columns. All other data is
 * in columns: the next call in the file is the next row of the processor. */
#include "otf2_events.h"
#include "base/parse_numbers.h"
#include "convert/element_attributes.h"
#include "convert/full_elements.h"
#include "otf2/otf2_names.h"
#include "otf2_metrics.h"
#include "otf2_openmp.h"
#include "otf2_records.h"
#include <string.h>

/* A thread of the processor, and its location in the archive. */
typedef struct {
    guint32 thread;
    char *id; /* the attribute `id` of the thread's element; NULL: the main thread */
    HieraOtf2Location *location;
    HieraOtf2Numbers *numbers; /* numbers of names in the events of this location */
    OTF2_EvtWriter *events;
    gint64 last_ns; /* time of the thread's last event */
} Lane;

/* Entry of the stack of open elements. */
typedef struct {
    guint32 row; /* row of the operation; HIERA_NONE: the element is no operation */
    gint64 finish_ns;
    guint outer; /* index of the lane that is current again behind the element */
} Open;

typedef struct {
    HieraOtf2Writer *writer;
    const HieraTrace *trace;
    const HieraProcessor *processor;
    guint32 index;            /* of the processor */
    HieraOtf2Processor *rest; /* receives what is written of the processor after the events */
    guint64 next;             /* row of the next operation */
    GPtrArray *lanes;
    guint lane;    /* index in `lanes` of the current thread */
    GArray *stack; /* Open: elements that have begun and not ended */
    HieraOtf2Requests *requests;
    gboolean corrects;        /* times in the file are on the rank's own clock, not on the job's */
    const char *const *names; /* names of attributes, by HieraAttribute: the parser's pointers */
} Events;

/* --- threads become OTF2 locations --- */

static void lane_free(gpointer data)
{
    Lane *lane = data;
    g_free(lane->id);
    g_free(lane);
}

static guint find_lane(Events *events, guint32 thread, const char *id)
{
    for (guint i = 0; i < events->lanes->len; i++) {
        const Lane *lane = g_ptr_array_index(events->lanes, i);
        if (lane->thread == thread && g_strcmp0(lane->id, id) == 0)
            return i;
    }
    HieraOtf2Writer *writer = events->writer;
    HieraOtf2Name *name = id ? hiera_otf2_names_find(&writer->names, HIERA_OTF2_STRING, id) : NULL;
    Lane *lane = g_new0(Lane, 1);
    *lane = (Lane){.thread = thread, .id = g_strdup(id)};
    lane->location = hiera_otf2_processor_add(events->rest, events->processor->rank, thread, name);
    lane->numbers = lane->location->numbers = hiera_otf2_numbers_new(writer->most_strings, &events->rest->reserve);
    lane->events = OTF2_Archive_GetEvtWriter(writer->archive, lane->location->location);
    g_ptr_array_add(events->lanes, lane);
    return events->lanes->len - 1;
}

static Lane *peek_lane(const Events *events)
{
    return g_ptr_array_index(events->lanes, events->lane);
}

static void end_lane(const HieraOtf2Writer *writer, Lane *lane)
{
    OTF2_EvtWriter_GetNumberOfEvents(lane->events, &lane->location->n_events);
    OTF2_Archive_CloseEvtWriter(writer->archive, lane->events);
    hiera_otf2_numbers_end(lane->numbers);
}

/* --- attributes of events --- */

/* Whether an attribute of a call is left out, because the region or the times of its events already have it. */
static gboolean is_elsewhere(const Events *events, const char *name, const HieraSite *site)
{
    static const HieraAttribute all[] = {HIERA_ATTRIBUTE_FILE, HIERA_ATTRIBUTE_LINE, HIERA_ATTRIBUTE_LEVEL,
                                         HIERA_ATTRIBUTE_START_TIME, HIERA_ATTRIBUTE_FINISH_TIME};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++) {
        if (name == events->names[all[i]])
            return TRUE;
    }
    if (strcmp(site->level, HIERA_LEVEL_OOPS) != 0)
        return name == events->names[HIERA_ATTRIBUTE_OPERATION];
    return name == events->names[HIERA_ATTRIBUTE_METHOD] || name == events->names[HIERA_ATTRIBUTE_CLASS];
}

/* Add the attributes of a call to the next record. */
static void add_attributes(Events *events, const GArray *attributes, const HieraSite *site)
{
    for (guint i = 0; i < attributes->len; i++) {
        const HieraXmlAttribute *attribute = &g_array_index(attributes, HieraXmlAttribute, i);
        g_autofree char *text = g_strndup(attribute->value, hiera_attribute_length(attribute));
        if (!is_elsewhere(events, attribute->name, site))
            hiera_otf2_add_text(events->writer, peek_lane(events)->numbers, attribute->name, text);
    }
}

/* --- elements of the trace become OTF2 records --- */

static const Open *peek_parent(const Events *events)
{
    for (guint i = events->stack->len; i-- > 0;) {
        const Open *open = &g_array_index(events->stack, Open, i);
        if (open->row != HIERA_NONE)
            return open;
        if (open->outer != events->lane)
            return NULL;
    }
    return NULL;
}

/* Begin an operation no earlier than the event before it, and let it end no later than its parent: OTF2 cannot express
 * times that do not nest, so the original times become attributes. */
static void begin_operation(Events *events, guint32 row, const GArray *attributes, Open *open)
{
    HieraOtf2Writer *writer = events->writer;
    const HieraSite *site = hiera_trace_peek_site(events->trace, row);
    const Open *parent = peek_parent(events);
    Lane *lane = peek_lane(events);
    gint64 limit_ns = parent ? parent->finish_ns : G_MAXINT64, start_ns = events->trace->start_ns[row];
    lane->last_ns = MAX(lane->last_ns, MIN(start_ns, limit_ns));
    *open = (Open){row, MIN(events->trace->finish_ns[row], limit_ns), events->lane};
    add_attributes(events, attributes, site);
    hiera_otf2_add_text(writer, lane->numbers, "level", site->level);
    if (strcmp(site->level, HIERA_LEVEL_OOPS) == 0)
        hiera_otf2_add_text(writer, lane->numbers, "class", site->class_name);
    if (lane->last_ns != start_ns)
        hiera_otf2_add_number(writer, lane->numbers, HIERA_OTF2_START, start_ns);
    if (hiera_trace_is_open(events->trace, row))
        hiera_otf2_add_number(writer, lane->numbers, HIERA_OTF2_OPEN, 1);
    OTF2_EvtWriter_Enter(lane->events, writer->list, (guint64)lane->last_ns, writer->order.position[site->id]);
    hiera_otf2_write_begin(writer, events->requests, lane->events, (guint64)lane->last_ns, row);
    if (!writer->teams)
        return;
    g_autofree char *args = hiera_attribute_copy((const HieraXmlAttribute *)(void *)attributes->data, attributes->len,
                                                 events->names[HIERA_ATTRIBUTE_ARGS]);
    hiera_otf2_write_team_begin(writer, lane->events, (guint64)lane->last_ns, events->index, site, args);
}

static void end_operation(Events *events, const Open *open)
{
    HieraOtf2Writer *writer = events->writer;
    const HieraSite *site = hiera_trace_peek_site(events->trace, open->row);
    Lane *lane = peek_lane(events);
    lane->last_ns = MAX(lane->last_ns, open->finish_ns);
    hiera_otf2_write_end(writer, events->requests, lane->events, (guint64)lane->last_ns, open->row);
    hiera_otf2_write_team_end(writer, lane->events, (guint64)lane->last_ns, events->index, site);
    hiera_otf2_write_counted(writer, lane->numbers, lane->events, (guint64)lane->last_ns, open->row);
    if (lane->last_ns != events->trace->finish_ns[open->row])
        hiera_otf2_add_number(writer, lane->numbers, HIERA_OTF2_FINISH, events->trace->finish_ns[open->row]);
    OTF2_EvtWriter_Leave(lane->events, writer->list, (guint64)lane->last_ns, writer->order.position[site->id]);
}

/* Return the text of an attribute, to be freed; times of the rank's clock become times of the job. */
static char *correct(const Events *events, HieraElement element, const HieraXmlAttribute *attribute)
{
    const char *const *names = events->names;
    const HieraProcessor *processor = events->processor;
    gboolean root = element == HIERA_ELEMENT_PROCESSOR, given = hiera_attribute_length(attribute) > 0;
    if (events->corrects && given && root && attribute->name == names[HIERA_ATTRIBUTE_INIT])
        return hiera_otf2_seconds(processor->init_ns);
    if (events->corrects && given && root && attribute->name == names[HIERA_ATTRIBUTE_FINALIZE])
        return hiera_otf2_seconds(processor->finalize_ns);
    if (events->corrects && given && element == HIERA_ELEMENT_END && attribute->name == names[HIERA_ATTRIBUTE_TIME])
        return hiera_otf2_seconds(processor->end_ns);
    if (root && (attribute->name == names[HIERA_ATTRIBUTE_CLOCK_OFFSET] ||
                 attribute->name == names[HIERA_ATTRIBUTE_CLOCK_DRIFT]))
        return hiera_otf2_seconds(0);
    return g_strndup(attribute->value, hiera_attribute_length(attribute));
}

static void write_note(Events *events, HieraElement element, const char *name, const GArray *attributes)
{
    const Lane *lane = peek_lane(events);
    for (guint i = 0; i < attributes->len; i++) {
        const HieraXmlAttribute *attribute = &g_array_index(attributes, HieraXmlAttribute, i);
        g_autofree char *text = correct(events, element, attribute);
        hiera_otf2_add_text(events->writer, lane->numbers, attribute->name, text);
    }
    OTF2_EvtWriter_ParameterString(lane->events, events->writer->list, (guint64)lane->last_ns, events->writer->note,
                                   hiera_otf2_string_in(events->writer, lane->numbers, name));
}

static void add_property(const Events *events, const char *attribute, const char *text)
{
    HieraOtf2Names *names = &events->writer->names;
    g_autofree char *name = g_strconcat(HIERA_OTF2_PREFIX, attribute, NULL);
    g_ptr_array_add(events->rest->properties, hiera_otf2_names_find(names, HIERA_OTF2_STRING, name));
    g_ptr_array_add(events->rest->properties, hiera_otf2_names_find(names, HIERA_OTF2_STRING, text));
}

static void write_root(Events *events, const GArray *attributes)
{
    const HieraXmlAttribute *all = (const HieraXmlAttribute *)(void *)attributes->data;
    events->corrects = hiera_attribute_find(all, attributes->len, events->names[HIERA_ATTRIBUTE_CLOCK_OFFSET]) ||
                       hiera_attribute_find(all, attributes->len, events->names[HIERA_ATTRIBUTE_CLOCK_DRIFT]);
    for (guint i = 0; i < attributes->len; i++) {
        g_autofree char *text = correct(events, HIERA_ELEMENT_PROCESSOR, &all[i]);
        add_property(events, all[i].name, text);
    }
}

static void begin_thread(Events *events, GArray *attributes)
{
    g_autofree char *id = hiera_attribute_copy((const HieraXmlAttribute *)(void *)attributes->data, attributes->len,
                                               events->names[HIERA_ATTRIBUTE_ID]);
    gint64 thread;
    if (!hiera_number_parse_between(id, strlen(id), 0, G_MAXINT32, &thread))
        thread = 1; /* an id that is no number is taken as 1, as when the trace is loaded */
    events->lane = find_lane(events, (guint32)thread, id);
}

static void start_element(gpointer user, HieraElement element, const char *name, GArray *attributes)
{
    Events *events = user;
    Open open = {HIERA_NONE, 0, events->lane};
    if (events->stack->len == 0)
        write_root(events, attributes);
    else if (element == HIERA_ELEMENT_THREAD)
        begin_thread(events, attributes);
    else if (!hiera_element_is_call(element))
        write_note(events, element, name, attributes);
    else if (events->next < events->processor->first + events->processor->n_operations)
        begin_operation(events, (guint32)events->next++, attributes, &open);
    g_array_append_val(events->stack, open);
}

static void end_element(gpointer user)
{
    Events *events = user;
    const Open open = g_array_index(events->stack, Open, events->stack->len - 1);
    g_array_set_size(events->stack, events->stack->len - 1);
    if (open.row != HIERA_NONE)
        end_operation(events, &open);
    events->lane = open.outer;
}

static gboolean write_elements(Events *events, HieraFullElements *full, GError **error)
{
    events->names = hiera_full_elements_peek_attributes(full);
    events->lanes = g_ptr_array_new_with_free_func(lane_free);
    events->stack = g_array_new(FALSE, FALSE, sizeof(Open));
    events->requests = hiera_otf2_requests_new();
    find_lane(events, 0, NULL);
    gboolean good = hiera_full_elements_visit(full, error);
    while (events->stack->len > 0) /* end what is still open in a trace that ends too early */
        end_element(events);
    for (guint i = 0; i < events->lanes->len; i++)
        end_lane(events->writer, g_ptr_array_index(events->lanes, i));
    hiera_otf2_requests_free(events->requests);
    g_array_unref(events->stack);
    g_ptr_array_unref(events->lanes);
    return good;
}

static gboolean check_numbers(const Events *events, GError **error)
{
    const HieraOtf2Reserve *reserve = &events->rest->reserve;
    if (reserve->names->len <= reserve->most)
        return TRUE;
    g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_OUTPUT, "%s: more different texts than fit into OTF2",
                events->processor->path);
    return FALSE;
}

HieraOtf2Processor *hiera_otf2_write_events(HieraOtf2Writer *writer, guint32 processor, GError **error)
{
    static const HieraFullElementsEvents visitor = {start_element, end_element, NULL};
    const HieraProcessor *of = &writer->trace->processors[processor];
    Events events = {.writer = writer, .trace = writer->trace, .processor = of, .index = processor, .next = of->first};
    g_autoptr(HieraFullElements) full = hiera_full_elements_new(of->path, &visitor, &events, error);
    if (!full)
        return NULL;
    events.rest = hiera_otf2_processor_new(processor, writer->trace->n_processors);
    writer->names.fresh = events.rest->fresh;
    gboolean good = write_elements(&events, full, error) && check_numbers(&events, error);
    writer->names.fresh = NULL;
    if (!good)
        g_clear_pointer(&events.rest, hiera_otf2_processor_free);
    return events.rest;
}
