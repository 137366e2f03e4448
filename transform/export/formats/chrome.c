/* Writes the trace event format of chrome://tracing: a complete event ("X") for each operation, an arrow ("s", "f") for
 * each message. Times are microseconds with three digits, so that they are exact. */
#include "export/export_events.h"
#include "export/export_flows.h"
#include "export/export_labels.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "report/table.h"

typedef struct {
    const HieraMatch *match;
    const HieraProcessor *processor;
    HieraFlows flows;
    char **heads; /* by id of a site: the text that events of its operations have in common */
    FILE *stream;
    gboolean first; /* no event was written yet, so that the next one needs no comma before it */
    guint32 named;  /* the last thread of the processor whose name was written */
} Chrome;

static void begin_event(Chrome *chrome)
{
    fputs(chrome->first ? "\n" : ",\n", chrome->stream);
    chrome->first = FALSE;
}

static void write_microseconds(FILE *stream, const char *key, gint64 ns)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_decimal_format(number, ns, 3);
    fprintf(stream, ",\"%s\":%s", key, number);
}

static void write_name(Chrome *chrome, const char *what, guint32 thread, char *name)
{
    g_autofree char *owned = name, *text = hiera_text_json(owned);
    begin_event(chrome);
    fprintf(chrome->stream, "{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%u,\"tid\":%u,\"args\":{\"name\":%s}}", what,
            chrome->processor->rank, thread, text);
}

/* Write the ends of arrows at an operation. @param phase  's': begins of arrows, 'f': their ends */
static void write_flows(Chrome *chrome, const GArray *flows, const HieraEvent *event, char phase, gint64 time_ns)
{
    for (guint i = hiera_flows_find(flows, event->row); i < flows->len; i++) {
        const HieraExportFlow *flow = &g_array_index(flows, HieraExportFlow, i);
        if (flow->row != event->row)
            return;
        begin_event(chrome);
        fprintf(chrome->stream,
                "{\"ph\":\"%c\",\"name\":\"message\",\"cat\":\"message\",\"id\":%u,\"pid\":%u,\"tid\":%u", phase,
                flow->number, chrome->processor->rank, event->thread);
        write_microseconds(chrome->stream, "ts", time_ns);
        fputs(phase == 'f' ? ",\"bp\":\"e\"}" : "}", chrome->stream);
    }
}

static void write_arguments(Chrome *chrome, guint32 row)
{
    HieraExportArgument arguments[HIERA_EXPORT_ARGUMENTS];
    guint n = hiera_export_arguments(chrome->match, row, arguments);
    for (guint i = 0; i < n; i++) {
        g_autofree char *text = arguments[i].text ? hiera_text_json(arguments[i].text) : NULL;
        if (text)
            fprintf(chrome->stream, ",\"%s\":%s", arguments[i].name, text);
        else
            fprintf(chrome->stream, ",\"%s\":%" G_GINT64_FORMAT, arguments[i].name, arguments[i].number);
    }
}

/* Write an operation's counter values; the keys are the counters' names. */
static void write_counted(const Chrome *chrome, guint32 row)
{
    const HieraCounted *counted;
    guint n = hiera_trace_peek_counted(hiera_match_peek_trace(chrome->match), row, &counted);
    for (guint i = 0; i < n; i++) {
        char number[G_ASCII_DTOSTR_BUF_SIZE];
        g_autofree char *name = hiera_text_json(counted[i].counter->name);
        g_ascii_dtostr(number, sizeof number, counted[i].value);
        fprintf(chrome->stream, ",%s:%s", name, number);
    }
}

static void write_operation(const HieraEvent *event, gpointer user)
{
    Chrome *chrome = user;
    /* One record per operation, written at its begin, so that it precedes those of the operations that it calls. */
    if (!event->begins)
        return;
    const HieraSite *site = hiera_trace_peek_site(hiera_match_peek_trace(chrome->match), event->row);
    begin_event(chrome);
    fprintf(chrome->stream, "{\"ph\":\"X\",\"pid\":%u,\"tid\":%u", chrome->processor->rank, event->thread);
    write_microseconds(chrome->stream, "ts", event->begin_ns);
    write_microseconds(chrome->stream, "dur", event->end_ns - event->begin_ns);
    fputs(chrome->heads[site->id], chrome->stream);
    write_arguments(chrome, event->row);
    write_counted(chrome, event->row);
    fputs("}}", chrome->stream);
    /* An arrow ends 1 ns before the end of its operation, because an end behind it would belong to the next one. */
    write_flows(chrome, chrome->flows.leaving, event, 's', event->begin_ns);
    write_flows(chrome, chrome->flows.arriving, event, 'f', MAX(event->begin_ns, event->end_ns - 1));
}

/* Write the name of a further thread at its first event. */
static void write_thread_name(const HieraEvent *event, gpointer user)
{
    Chrome *chrome = user;
    if (event->thread == chrome->named)
        return;
    chrome->named = event->thread;
    write_name(chrome, "thread_name", event->thread, g_strdup_printf("thread %u", event->thread));
}

static void write_processor(guint32 processor, FILE *stream, gpointer user)
{
    Chrome *chrome = user;
    const HieraTrace *trace = hiera_match_peek_trace(chrome->match);
    chrome->processor = &trace->processors[processor];
    chrome->stream = stream;
    chrome->first = processor == 0;
    chrome->named = 0;
    const char *host = chrome->processor->host;
    write_name(chrome, "process_name", 0,
               g_strdup_printf("P%u%s%s", chrome->processor->rank, host[0] ? " on " : "", host));
    write_name(chrome, "thread_name", 0, g_strdup("main"));
    if (chrome->processor->threaded)
        hiera_events_visit(trace, processor, write_thread_name, chrome);
    hiera_events_visit(trace, processor, write_operation, chrome);
}

static char *make_head(const HieraSite *site)
{
    g_autofree char *name = hiera_export_name(site), *place = hiera_site_place(site);
    g_autofree char *name_json = hiera_text_json(name), *level = hiera_text_json(site->level),
                    *place_json = hiera_text_json(place);
    return g_strdup_printf(",\"name\":%s,\"cat\":%s,\"args\":{\"place\":%s", name_json, level, place_json);
}

static void write_all(const HieraExportInput *input, FILE *stream)
{
    const HieraMatch *match = input->match;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    guint n_sites = hiera_catalog_count_sites(trace->catalog);
    Chrome chrome = {.match = match, .heads = g_new0(char *, n_sites + 1)};
    hiera_flows_init(&chrome.flows, match, input->scope);
    for (guint i = 0; i < n_sites; i++)
        chrome.heads[i] = make_head(hiera_catalog_peek_site(trace->catalog, i));
    if (stream)
        fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[", stream);
    hiera_export_write_parts(input->scope, trace, write_processor, stream, &chrome);
    if (stream)
        fputs("\n]}\n", stream);
    g_strfreev(chrome.heads);
    hiera_flows_clear(&chrome.flows);
}

gboolean hiera_export_chrome(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    write_all(input, output.stream);
    return hiera_export_close(&output, error);
}
