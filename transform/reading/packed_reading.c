/* See packed_reading.h. */
#include "packed_reading.h"
#include "trace/before.h"
#include "trace/catalog.h"
#include "trace/pack.h"
#include "trace/replay.h"

enum { KEPT = HIERA_KEEP_LINES | HIERA_KEEP_POSTED }; /* all that a sink can see */

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

/* --- the processor --- */

/* What went before a trace that begins later. Windows and files have their numbers by now. */
static void pack_before(const HieraBefore *before, HieraPacker *to)
{
    g_autoptr(GArray) comms = g_array_new(FALSE, FALSE, sizeof(guint32));
    GHashTableIter iterator;
    gpointer comm;
    hiera_pack_number(to, before != NULL);
    if (!before)
        return;
    g_hash_table_iter_init(&iterator, before->comms);
    while (g_hash_table_iter_next(&iterator, &comm, NULL)) {
        guint32 number = GPOINTER_TO_UINT(comm);
        g_array_append_val(comms, number);
    }
    hiera_pack_number(to, before->complete);
    hiera_pack_array(to, before->went);
    hiera_pack_array(to, before->carried);
    hiera_pack_array(to, comms);
}

static HieraBefore *unpack_before(HieraCatalog *catalog, HieraUnpacker *from)
{
    g_autoptr(GArray) comms = g_array_new(FALSE, FALSE, sizeof(guint32));
    HieraBefore *before = hiera_unpack_number(from) ? hiera_catalog_before(catalog) : NULL;
    if (!before)
        return NULL;
    before->complete = (gboolean)hiera_unpack_number(from);
    hiera_unpack_array(from, before->went);
    hiera_unpack_array(from, before->carried);
    hiera_unpack_array(from, comms);
    for (guint i = 0; i < before->went->len; i++) {
        HieraWent *went = &g_array_index(before->went, HieraWent, i);
        went->comm = hiera_unpack_communicator(from, went->comm);
        went->id = NULL;
    }
    for (guint i = 0; i < comms->len; i++)
        g_hash_table_add(before->comms,
                         GUINT_TO_POINTER(hiera_unpack_communicator(from, g_array_index(comms, guint32, i))));
    return before;
}

static void pack_processor(const HieraProcessor *processor, HieraPacker *to)
{
    const char *const texts[] = {processor->path,  processor->application, processor->job, processor->host,
                                 processor->clock, processor->end,         processor->seam};
    hiera_pack_bytes(to, processor, sizeof *processor);
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        hiera_pack_text(to, texts[i]);
    pack_before(processor->before, to);
}

static void unpack_processor(HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from)
{
    hiera_unpack_bytes(from, processor, sizeof *processor);
    const char **const texts[] = {&processor->path,  &processor->application, &processor->job, &processor->host,
                                  &processor->clock, &processor->end,         &processor->seam};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        *texts[i] = hiera_unpack_text(from);
    processor->before = unpack_before(catalog, from);
}

/* --- states --- */

void hiera_reading_pack(const HieraReading *reading, const HieraPackingSinks *packing, HieraPacker *to)
{
    hiera_pack_number(to, reading != NULL);
    if (!reading)
        return;
    hiera_pack_number(to, reading->usable);
    pack_processor(&reading->processor, to);
    for (guint i = 0; reading->usable && i < packing->n; i++) {
        const HieraSink *sink = &packing->sinks[i];
        sink->pack(reading->states[i], &reading->processor, to);
        sink->end(sink->user, reading->states[i], &reading->processor, FALSE);
    }
}

/* Unpack the operations of a processor as a trace of its own. */
static HieraTrace *unpack_operations(const HieraProcessor *processor, HieraCatalog *catalog, HieraUnpacker *from)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GArray) one = g_array_new(FALSE, FALSE, sizeof(HieraProcessor));
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, KEPT);
    HieraSink sink = hiera_builder_sink(builder);
    sink.end(sink.user, sink.unpack(sink.user, processor, from), processor, TRUE);
    g_array_append_vals(one, processor, 1);
    HieraTrace *trace = hiera_builder_take_trace(builder, one, &error);
    if (!trace)
        g_error("%s", error->message);
    return trace;
}

static void unpack_states(HieraReading *reading, const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog,
                          HieraUnpacker *from)
{
    guint n_packed = 0;
    for (guint i = 0; i < n_sinks; i++) {
        if (sinks[i].pack) {
            reading->states[i] = sinks[i].unpack(sinks[i].user, &reading->processor, from);
            n_packed++;
        }
    }
    g_autoptr(HieraTrace) trace = n_packed < n_sinks ? unpack_operations(&reading->processor, catalog, from) : NULL;
    for (guint i = 0; trace && i < n_sinks; i++) {
        if (!sinks[i].pack)
            reading->states[i] = hiera_trace_replay_one(trace, NULL, 0, &sinks[i]);
    }
}

HieraReading *hiera_reading_unpack(const HieraSink *sinks, guint n_sinks, HieraCatalog *catalog, HieraUnpacker *from)
{
    if (!hiera_unpack_number(from))
        return NULL;
    HieraReading *reading = g_new0(HieraReading, 1);
    reading->usable = (gboolean)hiera_unpack_number(from);
    unpack_processor(&reading->processor, catalog, from);
    if (reading->usable) {
        reading->states = g_new0(gpointer, n_sinks);
        unpack_states(reading, sinks, n_sinks, catalog, from);
    }
    return reading;
}
