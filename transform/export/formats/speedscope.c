/* Writes the format of speedscope.app: for each thread of each rank a profile, a list of begin and end events. */
#include "export/export_events.h"
#include "export/export_labels.h"
#include "export/export_parts.h"
#include "export/exports.h"
#include "report/table.h"

typedef struct {
    const HieraTrace *trace;
    const HieraProcessor *processor;
    HieraSiteOrder order;
    FILE *stream;
    gboolean others; /* a profile was written before, so that the next one needs a comma */
    gboolean open;   /* a profile is begun and not ended */
    guint32 thread;  /* thread of the current profile */
    gboolean first;  /* the current profile has no event yet, so that the next one needs no comma */
    gint64 start_ns; /* begin of the current profile */
    gint64 last_ns;  /* time of the current profile's last event */
} Speedscope;

static void write_frames(const Speedscope *speedscope)
{
    for (guint i = 0; i < speedscope->order.n; i++) {
        const HieraSite *site = speedscope->order.sites[i];
        g_autofree char *frame = hiera_export_frame(site), *name = hiera_text_json(frame),
                        *file = hiera_text_json(site->file);
        fprintf(speedscope->stream, "%s\n{\"name\":%s,\"file\":%s,\"line\":%u}", i ? "," : "", name, file, site->line);
    }
}

static void end_profile(Speedscope *speedscope)
{
    if (!speedscope->open)
        return;
    gint64 end_ns =
        speedscope->thread ? speedscope->last_ns : MAX(speedscope->last_ns, speedscope->processor->finalize_ns);
    fprintf(speedscope->stream, "],\n\"startValue\":%" G_GINT64_FORMAT ",\"endValue\":%" G_GINT64_FORMAT "}",
            speedscope->start_ns, end_ns);
    speedscope->open = FALSE;
}

/* Begin the profile of a thread. @param start_ns  time of the thread's first event */
static void begin_profile(Speedscope *speedscope, guint32 thread, gint64 start_ns)
{
    end_profile(speedscope);
    g_autofree char *lane = hiera_export_lane(speedscope->processor, thread), *name = hiera_text_json(lane);
    fprintf(speedscope->stream, "%s\n{\"type\":\"evented\",\"name\":%s,\"unit\":\"nanoseconds\",\"events\":[",
            speedscope->others ? "," : "", name);
    speedscope->others = speedscope->open = speedscope->first = TRUE;
    speedscope->thread = thread;
    speedscope->start_ns = thread ? start_ns : MIN(start_ns, speedscope->processor->init_ns);
    speedscope->last_ns = start_ns;
}

static void write_event(const HieraEvent *event, gpointer user)
{
    Speedscope *speedscope = user;
    if (!speedscope->open || event->thread != speedscope->thread)
        begin_profile(speedscope, event->thread, event->time_ns);
    guint32 site = hiera_trace_peek_site(speedscope->trace, event->row)->id;
    fprintf(speedscope->stream, "%s\n{\"type\":\"%c\",\"frame\":%u,\"at\":%" G_GINT64_FORMAT "}",
            speedscope->first ? "" : ",", event->begins ? 'O' : 'C', speedscope->order.position[site], event->time_ns);
    speedscope->first = FALSE;
    speedscope->last_ns = event->time_ns;
}

static void write_processor(guint32 processor, FILE *stream, gpointer user)
{
    Speedscope *speedscope = user;
    speedscope->processor = &speedscope->trace->processors[processor];
    speedscope->stream = stream;
    speedscope->others = processor > 0;
    if (speedscope->processor->n_operations == 0)
        begin_profile(speedscope, 0, speedscope->processor->init_ns);
    hiera_events_visit(speedscope->trace, processor, write_event, speedscope);
    end_profile(speedscope);
}

static void write_head(const Speedscope *speedscope)
{
    g_autofree char *name = hiera_text_json(speedscope->trace->processors[0].application);
    fprintf(speedscope->stream,
            "{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\"exporter\":\"hiera\",\n"
            "\"name\":%s,\"activeProfileIndex\":0,\"shared\":{\"frames\":[",
            name);
    write_frames(speedscope);
    fputs("]},\n\"profiles\":[", speedscope->stream);
}

static void write_all(const HieraExportInput *input, FILE *stream)
{
    Speedscope speedscope = {.trace = hiera_match_peek_trace(input->match), .stream = stream};
    hiera_site_order_init(&speedscope.order, speedscope.trace);
    if (stream)
        write_head(&speedscope);
    hiera_export_write_parts(input->scope, speedscope.trace, write_processor, stream, &speedscope);
    if (stream)
        fputs("]}\n", stream);
    hiera_site_order_clear(&speedscope.order);
}

gboolean hiera_export_speedscope(const HieraExportInput *input, const char *target, GError **error)
{
    HieraOutputFile output;
    if (!hiera_export_open(&output, input->scope, target, error))
        return FALSE;
    write_all(input, output.stream);
    return hiera_export_close(&output, error);
}
