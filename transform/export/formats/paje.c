/* Writes the Pajé trace format, which pajeng, ViTE and scripts in R read. Each rank is a container, each of its threads
 * one inside it; each level of operations is a type of states, each operation a state that is pushed and popped, each
 * message a link. Lines are in the order of time, as the format demands: links come with the operations that they
 * leave and reach. */
#include "base/safe_text.h"
#include "export/export_flows.h"
#include "export/export_labels.h"
#include "export/export_lanes.h"
#include "export/export_merge.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "report/table.h"
#include <string.h>

/* Numbers of events, which the head of the file defines; the format prescribes none. */
enum {
    DEFINE_CONTAINER = 1,
    DEFINE_STATE,
    DEFINE_LINK,
    DEFINE_VALUE,
    CREATE,
    DESTROY,
    PUSH,
    POP,
    START_LINK,
    END_LINK
};

static const struct {
    guint number;
    const char *name, *fields; /* `fields`: name and type of each field, separated by commas */
} definitions[] = {
    {DEFINE_CONTAINER, "PajeDefineContainerType", "Alias string,Type string,Name string"},
    {DEFINE_STATE, "PajeDefineStateType", "Alias string,Type string,Name string"},
    {DEFINE_LINK, "PajeDefineLinkType",
     "Alias string,Type string,StartContainerType string,EndContainerType string,Name string"},
    {DEFINE_VALUE, "PajeDefineEntityValue", "Alias string,Type string,Name string,Color color"},
    {CREATE, "PajeCreateContainer", "Time date,Alias string,Type string,Container string,Name string"},
    {DESTROY, "PajeDestroyContainer", "Time date,Type string,Name string"},
    {PUSH, "PajePushState", "Time date,Container string,Type string,Value string,Place string"},
    {POP, "PajePopState", "Time date,Container string,Type string"},
    {START_LINK, "PajeStartLink",
     "Time date,Container string,Type string,StartContainer string,Value string,Key string,Bytes string"},
    {END_LINK, "PajeEndLink", "Time date,Container string,Type string,EndContainer string,Value string,Key string"},
};

/* Colours that operations get in turn: the palette of Okabe and Ito, which colour-blind people can distinguish. */
static const char *const colours[] = {"0.90 0.62 0.00", "0.34 0.71 0.91", "0.00 0.62 0.45", "0.94 0.89 0.26",
                                      "0.00 0.45 0.70", "0.84 0.37 0.00", "0.80 0.47 0.65"};

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    GArray *lanes;
    HieraSiteOrder order;
    HieraFlows flows;
    guint32 *level, *value; /* by id of a site: numbers of its level (a type of states) and of its name (a value) */
    char **places;          /* by id of a site: its file and line, quoted */
    gint64 shift_ns;        /* what is added to all times, because they must not be negative */
    HieraExportMerge *merge;
    FILE *stream;
} Paje;

/* Quote a text. The format cannot express a quote or the end of a line inside, nor an empty text: readers read
 * `""` as one quote. */
static char *quote(const char *text)
{
    g_autofree char *printable = hiera_text_printable(text[0] ? text : "(no name)");
    g_strdelimit(g_strdelimit(printable, "\"", '\''), "\n\r\t", ' ');
    return g_strconcat("\"", printable, "\"", NULL);
}

static void write_definitions(FILE *stream)
{
    for (guint i = 0; i < G_N_ELEMENTS(definitions); i++) {
        g_auto(GStrv) fields = g_strsplit(definitions[i].fields, ",", 0);
        fprintf(stream, "%%EventDef %s %u\n", definitions[i].name, definitions[i].number);
        for (guint field = 0; fields[field]; field++)
            fprintf(stream, "%% %s\n", fields[field]);
        fputs("%EndEventDef\n", stream);
    }
}

/* Quote a name. A name that looks like the alias of another one ("=3") gets a blank before it: readers would mix them
 * up. */
static char *quote_name(const HieraSite *site)
{
    g_autofree char *name = hiera_export_name(site), *apart = g_strconcat(name[0] == '=' ? " " : "", name, NULL);
    return quote(apart);
}

static void write_level(const Paje *paje, const HieraSite *site, guint32 level)
{
    g_autofree char *name = quote(site->level);
    fprintf(paje->stream, "%u L%u T %s\n", DEFINE_STATE, level, name);
}

static void write_value(const Paje *paje, const HieraSite *site, guint32 level, guint32 value)
{
    g_autofree char *name = quote_name(site);
    fprintf(paje->stream, "%u =%u L%u %s \"%s\"\n", DEFINE_VALUE, value, level, name,
            colours[(value - 1) % G_N_ELEMENTS(colours)]);
}

/* Number the levels and the names in them, in the order of sites, and define them, if this process writes the file.
 * Sites at several places can have the same name. */
static void write_values(Paje *paje)
{
    const HieraSite *last = NULL;
    guint32 level = 0, value = 0;
    for (guint i = 0; i < paje->order.n; i++) {
        const HieraSite *site = paje->order.sites[i];
        gboolean begins_level = !last || strcmp(site->level, last->level) != 0;
        gboolean begins_value = !last || !hiera_export_same_name(site, last);
        paje->level[site->id] = level += begins_level;
        paje->value[site->id] = value += begins_value;
        if (paje->stream && begins_level)
            write_level(paje, site, level);
        if (paje->stream && begins_value)
            write_value(paje, site, level, value);
        last = site;
    }
}

static void write_types(const Paje *paje)
{
    fprintf(paje->stream, "%u J 0 Job\n%u P J Process\n%u T P Thread\n", DEFINE_CONTAINER, DEFINE_CONTAINER,
            DEFINE_CONTAINER);
    fprintf(paje->stream, "%u M J T T message\n%u m M message \"0.35 0.35 0.35\"\n", DEFINE_LINK, DEFINE_VALUE);
}

static void begin_line(const Paje *paje, guint event, gint64 time_ns)
{
    char time[HIERA_NUMBER_BYTES];
    hiera_seconds_format(time, MAX(0, hiera_plus(time_ns, paje->shift_ns)));
    fprintf(paje->stream, "%u %s", event, time);
}

/* Write a container for the job, each rank and each thread. All begin at first_ns, so that viewers always show them. */
static void write_containers(const Paje *paje, gint64 first_ns)
{
    const char *application = paje->trace->processors[0].application;
    g_autofree char *job = quote(application[0] ? application : "job");
    begin_line(paje, CREATE, first_ns);
    fprintf(paje->stream, " j J 0 %s\n", job);
    for (guint i = 0; i < paje->lanes->len; i++) {
        const HieraExportLane *lane = &g_array_index(paje->lanes, HieraExportLane, i);
        const HieraProcessor *processor = &paje->trace->processors[lane->processor];
        g_autofree char *host = quote(processor->host), *name = hiera_export_lane(processor, lane->thread);
        if (i == 0 || lane[-1].processor != lane->processor) {
            begin_line(paje, CREATE, first_ns);
            fprintf(paje->stream, " p%u P j \"P%u%s%.*s\"\n", processor->rank, processor->rank,
                    processor->host[0] ? " on " : "", (int)strlen(host) - 2, host + 1);
        }
        begin_line(paje, CREATE, first_ns);
        fprintf(paje->stream, " t%u T p%u \"%s\"\n", i, processor->rank, name);
    }
}

static void write_end(const Paje *paje, gint64 last_ns)
{
    for (guint i = 0; i < paje->lanes->len; i++) {
        begin_line(paje, DESTROY, last_ns);
        fprintf(paje->stream, " T t%u\n", i);
    }
    for (guint32 i = 0; i < paje->trace->n_processors; i++) {
        begin_line(paje, DESTROY, last_ns);
        fprintf(paje->stream, " P p%u\n", paje->trace->processors[i].rank);
    }
    begin_line(paje, DESTROY, last_ns);
    fputs(" J j\n", paje->stream);
}

/* Write one end of each arrow at an operation: for sent messages at its begin, for received ones at its end. */
static void write_links(const Paje *paje, guint lane, const HieraEvent *event)
{
    const GArray *flows = event->begins ? paje->flows.leaving : paje->flows.arriving;
    for (guint i = hiera_flows_find(flows, event->row); i < flows->len; i++) {
        const HieraExportFlow *flow = &g_array_index(flows, HieraExportFlow, i);
        if (flow->row != event->row)
            return;
        begin_line(paje, event->begins ? START_LINK : END_LINK, event->time_ns);
        fprintf(paje->stream, " j M t%u m %u", lane, flow->number);
        gint64 bytes = hiera_match_message_bytes(paje->match, flow->message);
        if (event->begins && bytes >= 0)
            fprintf(paje->stream, " %" G_GINT64_FORMAT, bytes);
        else if (event->begins)
            fputs(" \"\"", paje->stream);
        fputc('\n', paje->stream);
    }
}

static void write_event(guint lane, const HieraEvent *event, gpointer user)
{
    Paje *paje = user;
    guint32 site = hiera_trace_peek_site(paje->trace, event->row)->id;
    paje->stream = hiera_export_merge_at(paje->merge, event->time_ns, lane);
    if (!event->begins)
        write_links(paje, lane, event);
    begin_line(paje, event->begins ? PUSH : POP, event->time_ns);
    fprintf(paje->stream, " t%u L%u", lane, paje->level[site]);
    if (event->begins)
        fprintf(paje->stream, " =%u %s", paje->value[site], paje->places[site]);
    fputc('\n', paje->stream);
    if (event->begins)
        write_links(paje, lane, event);
}

static void paje_init(Paje *paje, const HieraExportInput *input, FILE *stream)
{
    const HieraMatch *match = input->match;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    guint n = hiera_catalog_count_sites(trace->catalog);
    *paje = (Paje){.match = match, .trace = trace, .stream = stream, .lanes = hiera_lanes_new(input->scope, trace)};
    hiera_site_order_init(&paje->order, trace);
    hiera_flows_init(&paje->flows, match, input->scope);
    paje->level = g_new(guint32, MAX(n, 1));
    paje->value = g_new(guint32, MAX(n, 1));
    paje->places = g_new0(char *, n + 1);
    for (guint i = 0; i < n; i++) {
        g_autofree char *place = hiera_site_place(hiera_catalog_peek_site(trace->catalog, i));
        paje->places[i] = quote(place[0] ? place : "-");
    }
}

static void paje_clear(Paje *paje)
{
    g_array_unref(paje->lanes);
    hiera_site_order_clear(&paje->order);
    hiera_flows_clear(&paje->flows);
    g_free(paje->level);
    g_free(paje->value);
    g_strfreev(paje->places);
}

/* Write the file, together with all other processes. @param stream  NULL in processes other than 0 */
static void write_all(Paje *paje, const HieraScope *scope, FILE *stream)
{
    gint64 first_ns, last_ns;
    hiera_lanes_find_span(scope, paje->trace, &first_ns, &last_ns);
    paje->shift_ns = hiera_lanes_shift(first_ns);
    if (stream) {
        write_definitions(stream);
        write_types(paje);
    }
    write_values(paje);
    if (stream)
        write_containers(paje, first_ns);
    paje->merge = hiera_export_merge_new(scope, paje->trace, stream);
    hiera_lanes_visit(scope, paje->trace, paje->lanes, write_event, paje);
    hiera_export_merge_end(paje->merge);
    paje->stream = stream;
    if (stream)
        write_end(paje, last_ns);
}

gboolean hiera_export_paje(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    Paje paje;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    paje_init(&paje, input, output.stream);
    write_all(&paje, input->scope, output.stream);
    paje_clear(&paje);
    return hiera_export_close(&output, error);
}
