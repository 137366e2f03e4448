/* Writes a trace for ui.perfetto.dev: a sequence of packets in the encoding of protocol buffers. Each rank is a
 * process, each of its threads a track, each operation a slice, each message a flow. Names, levels and places are
 * written once and then referred to by number. Numbers of fields: protos/perfetto/trace/ in Perfetto's sources. */
#include "export/export_flows.h"
#include "export/export_labels.h"
#include "export/export_lanes.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "protobuf.h"

enum { TRACE_PACKET = 1 };
enum {
    PACKET_TIMESTAMP = 8,
    PACKET_SEQUENCE = 10,
    PACKET_EVENT = 11,
    PACKET_INTERNED = 12,
    PACKET_FLAGS = 13,
    PACKET_TRACK = 60
};
enum { FLAG_CLEARED = 1, FLAG_NEEDS_INTERNED = 2 };
enum { TRACK_UUID = 1, TRACK_PROCESS = 3, TRACK_THREAD = 4, TRACK_PARENT = 5 };
enum { PROCESS_PID = 1, PROCESS_NAME = 6, THREAD_PID = 1, THREAD_TID = 2, THREAD_NAME = 5 };
enum { INTERNED_CATEGORY = 1, INTERNED_NAME = 2, INTERNED_LOCATION = 4 };
enum { INTERNED_ID = 1, INTERNED_TEXT = 2, LOCATION_LINE = 4 };
enum {
    EVENT_CATEGORY = 3,
    EVENT_ANNOTATION = 4,
    EVENT_TYPE = 9,
    EVENT_NAME = 10,
    EVENT_TRACK = 11,
    EVENT_LOCATION = 34,
    EVENT_FLOW = 47,
    EVENT_FLOW_ENDS = 48
};
enum { SLICE_BEGIN = 1, SLICE_END = 2 };
enum { ANNOTATION_NUMBER = 4, ANNOTATION_DOUBLE = 5, ANNOTATION_TEXT = 6, ANNOTATION_KEY = 10 };

#define SEQUENCE 1
/* Number of track ids reserved for each rank; the first of them is the track of the rank itself. */
#define TRACKS_OF_PROCESS (1ULL << 32)

typedef struct {
    const HieraMatch *match;
    const HieraProcessor *processor;
    HieraSiteOrder order;
    HieraFlows flows;
    gint64 shift_ns;                         /* what is added to all times, because they must not be negative */
    GByteArray *packet, *inner, *annotation; /* buffers: a packet, a message in the packet, a message in that message */
    FILE *stream;
    guint32 described; /* the last thread of the processor whose track was described */
} Perfetto;

static void begin_packet(Perfetto *perfetto, guint flags)
{
    g_byte_array_set_size(perfetto->packet, 0);
    g_byte_array_set_size(perfetto->inner, 0);
    hiera_protobuf_number(perfetto->packet, PACKET_SEQUENCE, SEQUENCE);
    hiera_protobuf_number(perfetto->packet, PACKET_FLAGS, flags);
}

/* Write the packet, with the inner message as the value of a field. */
static void end_packet(Perfetto *perfetto, guint field)
{
    hiera_protobuf_message(perfetto->packet, field, perfetto->inner);
    g_byte_array_set_size(perfetto->annotation, 0);
    hiera_protobuf_message(perfetto->annotation, TRACE_PACKET, perfetto->packet);
    fwrite(perfetto->annotation->data, 1, perfetto->annotation->len, perfetto->stream);
}

/* Define a level, name or place, to which events refer. @param id  position of the call site in the order, from 1 */
static void intern(Perfetto *perfetto, guint field, guint id, const char *text, guint32 line)
{
    g_byte_array_set_size(perfetto->annotation, 0);
    hiera_protobuf_number(perfetto->annotation, INTERNED_ID, id);
    hiera_protobuf_text(perfetto->annotation, INTERNED_TEXT, text);
    if (line)
        hiera_protobuf_number(perfetto->annotation, LOCATION_LINE, line);
    hiera_protobuf_message(perfetto->inner, field, perfetto->annotation);
}

static void write_interned(Perfetto *perfetto)
{
    begin_packet(perfetto, FLAG_CLEARED | FLAG_NEEDS_INTERNED);
    for (guint i = 0; i < perfetto->order.n; i++) {
        const HieraSite *site = perfetto->order.sites[i];
        g_autofree char *name = hiera_export_name(site);
        intern(perfetto, INTERNED_CATEGORY, i + 1, site->level, 0);
        intern(perfetto, INTERNED_NAME, i + 1, name, 0);
        if (site->file[0])
            intern(perfetto, INTERNED_LOCATION, i + 1, site->file, site->line);
    }
    end_packet(perfetto, PACKET_INTERNED);
}

static guint64 track_of(const HieraProcessor *processor, guint32 thread)
{
    return (processor->rank + 1ULL) * TRACKS_OF_PROCESS + thread + 1;
}

static void write_process(Perfetto *perfetto)
{
    const HieraProcessor *processor = perfetto->processor;
    g_autofree char *name =
        g_strdup_printf("P%u%s%s", processor->rank, processor->host[0] ? " on " : "", processor->host);
    begin_packet(perfetto, FLAG_NEEDS_INTERNED);
    g_byte_array_set_size(perfetto->annotation, 0);
    hiera_protobuf_number(perfetto->annotation, PROCESS_PID, processor->rank + 1ULL);
    hiera_protobuf_text(perfetto->annotation, PROCESS_NAME, name);
    hiera_protobuf_number(perfetto->inner, TRACK_UUID, (processor->rank + 1ULL) * TRACKS_OF_PROCESS);
    hiera_protobuf_message(perfetto->inner, TRACK_PROCESS, perfetto->annotation);
    end_packet(perfetto, PACKET_TRACK);
}

static void write_thread(Perfetto *perfetto, guint32 thread)
{
    g_autofree char *name = hiera_export_lane(perfetto->processor, thread);
    begin_packet(perfetto, FLAG_NEEDS_INTERNED);
    g_byte_array_set_size(perfetto->annotation, 0);
    hiera_protobuf_number(perfetto->annotation, THREAD_PID, perfetto->processor->rank + 1ULL);
    hiera_protobuf_number(perfetto->annotation, THREAD_TID, (perfetto->processor->rank + 1ULL) * 1000 + thread);
    hiera_protobuf_text(perfetto->annotation, THREAD_NAME, name);
    hiera_protobuf_number(perfetto->inner, TRACK_UUID, track_of(perfetto->processor, thread));
    hiera_protobuf_number(perfetto->inner, TRACK_PARENT, (perfetto->processor->rank + 1ULL) * TRACKS_OF_PROCESS);
    hiera_protobuf_message(perfetto->inner, TRACK_THREAD, perfetto->annotation);
    end_packet(perfetto, PACKET_TRACK);
}

/* Append the arrows at an operation. The message with number 0 has flow id 1, because flow id 0 means no flow. */
static void append_flows(Perfetto *perfetto, const GArray *flows, guint32 row, guint field)
{
    for (guint i = hiera_flows_find(flows, row); i < flows->len; i++) {
        const HieraExportFlow *flow = &g_array_index(flows, HieraExportFlow, i);
        if (flow->row != row)
            return;
        hiera_protobuf_fixed(perfetto->inner, field, flow->number + 1ULL);
    }
}

static void append_arguments(Perfetto *perfetto, guint32 row)
{
    HieraExportArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(perfetto->match, row, arguments);
    for (guint i = 0; i < n; i++) {
        g_byte_array_set_size(perfetto->annotation, 0);
        hiera_protobuf_text(perfetto->annotation, ANNOTATION_KEY, arguments[i].name);
        if (arguments[i].text)
            hiera_protobuf_text(perfetto->annotation, ANNOTATION_TEXT, arguments[i].text);
        else
            hiera_protobuf_number(perfetto->annotation, ANNOTATION_NUMBER, (guint64)arguments[i].number);
        hiera_protobuf_message(perfetto->inner, EVENT_ANNOTATION, perfetto->annotation);
    }
}

/* Append an operation's counter values; the keys are the counters' names. */
static void append_counted(Perfetto *perfetto, guint32 row)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(hiera_match_peek_trace(perfetto->match), row, &counted);
    for (guint i = 0; i < n; i++) {
        g_byte_array_set_size(perfetto->annotation, 0);
        hiera_protobuf_text(perfetto->annotation, ANNOTATION_KEY, counted[i].counter->name);
        hiera_protobuf_double(perfetto->annotation, ANNOTATION_DOUBLE, counted[i].value);
        hiera_protobuf_message(perfetto->inner, EVENT_ANNOTATION, perfetto->annotation);
    }
}

static void append_slice(Perfetto *perfetto, guint32 row)
{
    const HieraSite *site = hiera_trace_peek_site(hiera_match_peek_trace(perfetto->match), row);
    guint id = perfetto->order.position[site->id] + 1;
    hiera_protobuf_number(perfetto->inner, EVENT_CATEGORY, id);
    hiera_protobuf_number(perfetto->inner, EVENT_NAME, id);
    if (site->file[0])
        hiera_protobuf_number(perfetto->inner, EVENT_LOCATION, id);
    append_arguments(perfetto, row);
    append_counted(perfetto, row);
    append_flows(perfetto, perfetto->flows.leaving, row, EVENT_FLOW);
    append_flows(perfetto, perfetto->flows.arriving, row, EVENT_FLOW_ENDS);
}

static void write_event(const HieraEvent *event, gpointer user)
{
    Perfetto *perfetto = user;
    begin_packet(perfetto, FLAG_NEEDS_INTERNED);
    hiera_protobuf_number(perfetto->packet, PACKET_TIMESTAMP,
                          (guint64)MAX(0, hiera_plus(event->time_ns, perfetto->shift_ns)));
    hiera_protobuf_number(perfetto->inner, EVENT_TYPE, event->begins ? SLICE_BEGIN : SLICE_END);
    hiera_protobuf_number(perfetto->inner, EVENT_TRACK, track_of(perfetto->processor, event->thread));
    if (event->begins)
        append_slice(perfetto, event->row);
    end_packet(perfetto, PACKET_EVENT);
}

static void write_further_thread(const HieraEvent *event, gpointer user)
{
    Perfetto *perfetto = user;
    if (event->thread == perfetto->described)
        return;
    perfetto->described = event->thread;
    write_thread(perfetto, event->thread);
}

static void write_processor(guint32 processor, FILE *stream, gpointer user)
{
    Perfetto *perfetto = user;
    const HieraTrace *trace = hiera_match_peek_trace(perfetto->match);
    perfetto->processor = &trace->processors[processor];
    perfetto->stream = stream;
    perfetto->described = 0;
    write_process(perfetto);
    write_thread(perfetto, 0);
    if (perfetto->processor->threaded)
        hiera_events_visit(trace, processor, write_further_thread, perfetto);
    hiera_events_visit(trace, processor, write_event, perfetto);
}

static void write_all(const HieraExportInput *input, FILE *stream)
{
    const HieraMatch *match = input->match;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(GByteArray) packet = g_byte_array_new(), inner = g_byte_array_new(), annotation = g_byte_array_new();
    Perfetto perfetto = {.match = match, .stream = stream, .packet = packet, .inner = inner, .annotation = annotation};
    gint64 first_ns, last_ns;
    hiera_lanes_find_span(input->scope, trace, &first_ns, &last_ns);
    perfetto.shift_ns = hiera_lanes_shift(first_ns);
    hiera_site_order_init(&perfetto.order, trace);
    hiera_flows_init(&perfetto.flows, match, input->scope);
    if (stream)
        write_interned(&perfetto);
    hiera_export_write_parts(input->scope, trace, write_processor, stream, &perfetto);
    hiera_flows_clear(&perfetto.flows);
    hiera_site_order_clear(&perfetto.order);
}

gboolean hiera_export_perfetto(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    write_all(input, output.stream);
    return hiera_export_close(&output, error);
}
