#include "packed_reading.h"
#include "base/findings.h"
#include "trace/catalog.h"
#include "trace/pack_processor.h"
#include "trace/replay.h"

enum { KEPT = HIERA_KEEP_LINES | HIERA_KEEP_POSTED | HIERA_KEEP_WILDCARDS }; /* all optional columns of a trace */

void hiera_packing_sinks_init(HieraPackingSinks *packing, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog)
{
    *packing = (HieraPackingSinks){g_new(HieraSink, (gsize)n_sinks + 1), 0, NULL};
    for (guint i = 0; i < n_sinks; i++)
        if (sinks[i].pack)
            packing->sinks[packing->n++] = sinks[i];
    if (packing->n == n_sinks)
        return;
    packing->builder = hiera_builder_new(catalog, KEPT);
    packing->sinks[packing->n++] = hiera_builder_sink(packing->builder);
}

void hiera_packing_sinks_clear(HieraPackingSinks *packing)
{
    hiera_builder_free(packing->builder);
    g_free(packing->sinks);
}

/* --- packing and unpacking states of the sinks --- */

void hiera_reading_pack(const HieraReading *reading, const HieraPackingSinks *packing, HieraPacker *to)
{
    hiera_pack_number(to, reading != NULL);
    if (!reading)
        return;
    hiera_pack_number(to, reading->usable);
    hiera_processor_pack(&reading->processor, to);
    for (guint i = 0; reading->usable && i < packing->n; i++) {
        const HieraSink *sink = &packing->sinks[i];
        sink->pack(reading->states[i], &reading->processor, to);
        sink->end(sink->user, reading->states[i], &reading->processor, FALSE);
    }
}

/* Unpack the operations of a processor as a trace of one rank. @return NULL with an error if there are too many */
static HieraTrace *unpack_operations(const HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from,
                                     GError **error)
{
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(HieraProcessor));
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, KEPT);
    HieraSink sink = hiera_builder_sink(builder);
    sink.end(sink.user, sink.unpack(sink.user, processor, from), processor, TRUE);
    g_array_append_vals(one, processor, 1);
    return hiera_builder_take_trace(builder, one, error);
}

/* Free the states of the sinks that pack them, and mark the reading as unusable. */
static void drop_states(HieraReading *reading, const HieraSink *sinks, guint n_sinks)
{
    for (guint i = 0; i < n_sinks; i++)
        if (sinks[i].pack)
            sinks[i].end(sinks[i].user, reading->states[i], &reading->processor, FALSE);
    reading->usable = FALSE;
}

static void unpack_states(HieraReading *reading, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                          HieraFindings *findings, HieraUnpacker *from)
{
    g_autoptr(GError) error = NULL;
    guint n_packed = 0;
    for (guint i = 0; i < n_sinks; i++) {
        if (sinks[i].pack) {
            reading->states[i] = sinks[i].unpack(sinks[i].user, &reading->processor, from);
            n_packed++;
        }
    }
    if (n_packed == n_sinks)
        return;
    g_autoptr(HieraTrace) trace = unpack_operations(&reading->processor, catalog, from, &error);
    if (!trace) {
        hiera_findings_add(findings, HIERA_FINDING_FILE, reading->processor.path, 0, NULL, "%s", error->message);
        drop_states(reading, sinks, n_sinks);
        return;
    }
    for (guint i = 0; i < n_sinks; i++) {
        if (!sinks[i].pack)
            reading->states[i] = hiera_trace_replay_one(trace, NULL, 0, &sinks[i]);
    }
}

HieraReading *hiera_reading_unpack(const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                                   HieraFindings *findings, HieraUnpacker *from)
{
    if (!hiera_unpack_number(from))
        return NULL;
    HieraReading *reading = g_new0(HieraReading, 1);
    reading->usable = (gboolean)hiera_unpack_number(from);
    hiera_processor_unpack(&reading->processor, catalog, from);
    if (reading->usable) {
        reading->states = g_new0(gpointer, n_sinks);
        unpack_states(reading, sinks, n_sinks, catalog, findings, from);
    }
    return reading;
}
