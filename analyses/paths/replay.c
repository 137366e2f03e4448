/* Passes over the dependences of all calls, forward and backward; see replay.h. */
#include "replay.h"
#include "calls/span_cutter.h"
#include "replay_parts.h"

/* --- the ideal run --- */

guint8 *hiera_ideal_find_busy(const HieraTrace *trace)
{
    guint32 n = hiera_catalog_count_sites(trace->catalog);
    g_autofree guint8 *busy = g_new(guint8, (gsize)n + 1);
    gboolean any = FALSE;
    for (guint32 i = 0; i < n; i++) {
        busy[i] = trace->sites[i]->kind == HIERA_KIND_RMA || hiera_site_does(trace->sites[i]) == HIERA_DOES_IO;
        any |= busy[i];
    }
    return any ? g_steal_pointer(&busy) : NULL;
}

gint64 hiera_ideal_busy_ns(const HieraDependences *of, const guint8 *busy, guint32 call)
{
    if (!busy || !busy[of->trace->site[of->row[call]]])
        return 0;
    return hiera_minus(of->finish_ns[call], hiera_dependences_release(of, call));
}

guint64 *hiera_replay_find_last(const HieraDependences *of)
{
    guint64 *last = g_new0(guint64, (gsize)of->n_calls / 64 + 1);
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        guint32 behind = of->first_call[i + 1];
        if (of->first_call[i] < behind)
            last[(behind - 1) / 64] |= G_GUINT64_CONSTANT(1) << (behind - 1) % 64;
    }
    return last;
}

HieraSimOrdered hiera_replay_order(const HieraDependences *of, const guint64 *last)
{
    return (HieraSimOrdered){.n_calls = of->n_calls,
                             .n_joins = of->n_joins,
                             .start = of->start_ns,
                             .finish = of->finish_ns,
                             .last = last,
                             .first_edge = of->first_edge,
                             .from = of->from,
                             .order = of->order,
                             .n_open = of->n_calls + of->n_joins};
}

typedef struct {
    const HieraDependences *of;
    guint8 *busy;
} Busy;

static gint64 busy_ns(gconstpointer context, guint32 call)
{
    const Busy *busy = context;
    return hiera_ideal_busy_ns(busy->of, busy->busy, call);
}

/* Return when a processor ends in the ideal run. @param start_ns  by call: its start in the ideal run */
static gint64 find_end(const HieraDependences *of, guint32 processor, const HieraRunTimes *times,
                       const gint64 *start_ns, const gint64 *duration_ns)
{
    gint64 finalize_ns =
        times->finalize_ns ? times->finalize_ns[processor] : of->trace->processors[processor].finalize_ns;
    guint32 last = of->first_call[processor + 1] - 1;
    if (of->first_call[processor] == of->first_call[processor + 1])
        return finalize_ns;
    return hiera_plus(hiera_plus(start_ns[last], duration_ns[last]), hiera_minus(finalize_ns, times->finish_ns[last]));
}

void hiera_ideal_run_init(HieraIdealRun *ideal, const HieraDependences *of, const HieraRunTimes *times)
{
    const HieraRunTimes recorded = {of->start_ns, of->finish_ns, NULL};
    gsize n = (gsize)of->n_calls + of->n_joins;
    *ideal = (HieraIdealRun){g_new(gint64, (gsize)of->n_calls + 1), g_new(gint64, (gsize)of->trace->n_processors + 1)};
    g_autofree gint64 *time_ns = g_new(gint64, n + 1);
    g_autofree guint64 *last = hiera_replay_find_last(of);
    g_autofree guint8 *is_busy = hiera_ideal_find_busy(of->trace);
    const Busy busy = {of, is_busy};
    HieraSimOrdered run = hiera_replay_order(of, last);
    times = times ? times : &recorded;
    run.start = times->start_ns;
    run.finish = times->finish_ns;
    run.busy = is_busy ? busy_ns : NULL;
    run.context = &busy;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        if (of->first_call[i] < of->first_call[i + 1])
            time_ns[of->first_call[i]] = times->start_ns[of->first_call[i]];
    }
    hiera_sim_run_ordered(&run, time_ns, ideal->duration_ns);
    for (guint32 i = 0; i < of->trace->n_processors; i++)
        ideal->finalize_ns[i] = find_end(of, i, times, time_ns, ideal->duration_ns);
}

void hiera_ideal_run_clear(HieraIdealRun *ideal)
{
    g_free(ideal->duration_ns);
    g_free(ideal->finalize_ns);
}

/* --- slack of calls --- */

gint64 hiera_last_finalize(const HieraTrace *trace)
{
    gint64 last_ns = G_MININT64;
    for (guint32 i = 0; i < trace->n_processors; i++)
        last_ns = MAX(last_ns, trace->processors[i].finalize_ns);
    return last_ns;
}

gint64 *hiera_slack_find(const HieraDependences *of)
{
    gsize n = (gsize)of->n_calls + of->n_joins;
    gint64 *slack = g_new(gint64, n + 1);
    gint64 last_ns = hiera_last_finalize(of->trace);
    for (gsize i = 0; i < n; i++)
        slack[i] = HIERA_TOO_LARGE;
    for (gsize i = n; i-- > 0;) {
        guint32 node = of->order[i],
                processor = node < of->n_calls ? hiera_dependences_processor(of, node) : HIERA_NONE;
        gint64 end = 0; /* `end` is not used for a join */
        if (processor != HIERA_NONE)
            end = node + 1 < of->first_call[processor + 1]
                      ? slack[node + 1]
                      : hiera_minus(last_ns, of->trace->processors[processor].finalize_ns);
        hiera_slack_step(of, node, end, slack);
    }
    return slack;
}
