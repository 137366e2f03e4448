#include "recorded_run.h"
#include "calls/timeline.h"
#include "hiera_load.h"
#include "simulator/simulator.h"

/* Longest recorded time whose picoseconds the simulator accepts. */
#define LONGEST_NS (HIERA_SIM_LONGEST_PS / HIERA_PS_PER_NS / 2)

static gboolean check(const RecordedRun *run, GError **error)
{
    for (guint32 i = 0; i < run->trace->n_processors; i++) {
        const HieraProcessor *of = &run->trace->processors[i];
        if (of->init_ns < -LONGEST_NS || of->finalize_ns > LONGEST_NS) {
            g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE, "%s: the run is too long to be simulated",
                        of->path);
            return FALSE;
        }
        if (of->n_summed > 0) {
            g_set_error(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_USE,
                        "%s has sums in place of single calls; record the run with HIERA_MODE=trace to predict it",
                        of->path);
            return FALSE;
        }
    }
    return TRUE;
}

static void note_call(const HieraTimeSpan *span, gpointer is_call)
{
    if (span->doing == HIERA_DOES_COMMUNICATE)
        ((guint8 *)is_call)[span->row] = 1;
}

static guint8 *find_calls(const HieraTrace *trace)
{
    guint8 *is_call = g_new0(guint8, (gsize)trace->n_operations + 1);
    for (guint32 i = 0; i < trace->n_processors; i++)
        hiera_timeline_visit(trace, i, note_call, is_call);
    return is_call;
}

gboolean recorded_run_load(RecordedRun *run, const char *const *arguments, GError **error)
{
    *run = (RecordedRun){.catalog = hiera_catalog_new(), .findings = hiera_findings_new()};
    g_autoptr(GPtrArray) paths = hiera_trace_paths_expand(arguments, run->findings);
    g_autoptr(HieraBuilder) builder = hiera_builder_new(run->catalog, HIERA_KEEP_WILDCARDS);
    const HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(paths, NULL, &sink, 1, run->catalog, run->findings);
    if (processors->len == 0) {
        g_set_error_literal(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ, "none of the traces could be read");
        return FALSE;
    }
    run->trace = hiera_builder_take_trace(builder, processors, error);
    return run->trace && recorded_run_complete(run, error);
}

gboolean recorded_run_complete(RecordedRun *run, GError **error)
{
    if (!check(run, error))
        return FALSE;
    run->own_time = run->trace->own_time;
    run->trace->own_time = g_array_new(FALSE, FALSE, sizeof(HieraOwnTime));
    run->match = hiera_match_build(run->trace);
    run->is_call = find_calls(run->trace);
    hosts_init(&run->hosts, run->trace);
    return TRUE;
}

void recorded_run_clear(RecordedRun *run)
{
    g_clear_pointer(&run->own_time, g_array_unref);
    g_free(run->is_call);
    hosts_clear(&run->hosts);
    hiera_match_free(run->match);
    hiera_trace_free(run->trace);
    hiera_findings_free(run->findings);
    hiera_catalog_free(run->catalog);
}

gint64 recorded_run_time_ns(const RecordedRun *run)
{
    gint64 first_ns = G_MAXINT64, last_ns = G_MININT64;
    for (guint32 i = 0; i < run->trace->n_processors; i++) {
        first_ns = MIN(first_ns, run->trace->processors[i].init_ns);
        last_ns = MAX(last_ns, run->trace->processors[i].finalize_ns);
    }
    return last_ns - first_ns;
}
