/* Passes over the dependences; see replay.h. */
#include "replay.h"
#include "calls/span_cutter.h"
#include "replay_parts.h"

/* --- the ideal run --- */

typedef struct {
    const HieraDependences *of;
    HieraIdealRun *ideal;
    gint64 *ideal_ns; /* times in the ideal run: of a call its start, of a join its own */
    guint8 *keeps;    /* by call site: what is not waiting takes as long as recorded; NULL: nowhere */
    guint64 *last;    /* a bit by call: it is the last one of its processor */
} Replay;

guint8 *hiera_replay_find_keeping(const HieraTrace *trace)
{
    guint32 n = hiera_catalog_count_sites(trace->catalog);
    g_autofree guint8 *keeps = g_new(guint8, (gsize)n + 1);
    gboolean any = FALSE;
    for (guint32 i = 0; i < n; i++) {
        keeps[i] = trace->sites[i]->kind == HIERA_KIND_RMA || hiera_site_does(trace->sites[i]) == HIERA_DOES_IO;
        any |= keeps[i];
    }
    return any ? g_steal_pointer(&keeps) : NULL;
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

gint64 hiera_replay_kept(const HieraDependences *of, const guint8 *keeps, guint32 call)
{
    if (!keeps || !keeps[of->trace->site[of->row[call]]])
        return 0;
    return hiera_minus(of->finish_ns[call], hiera_dependences_release(of, call));
}

static void end_call(const Replay *replay, guint32 call)
{
    const HieraDependences *of = replay->of;
    gint64 *start_ns = &replay->ideal_ns[call];
    gint64 end_ns = hiera_plus(hiera_replay_latest(of, call, replay->ideal_ns, *start_ns),
                               hiera_replay_kept(of, replay->keeps, call));
    replay->ideal->duration_ns[call] = hiera_minus(end_ns, *start_ns);
    if (!hiera_replay_is_last(replay->last, call)) {
        start_ns[1] = hiera_plus(end_ns, hiera_minus(of->start_ns[call + 1], of->finish_ns[call]));
        return;
    }
    guint32 processor = hiera_dependences_processor(of, call);
    gint64 finalize_ns = of->trace->processors[processor].finalize_ns;
    replay->ideal->finalize_ns[processor] = hiera_plus(end_ns, hiera_minus(finalize_ns, of->finish_ns[call]));
}

void hiera_ideal_run_init(HieraIdealRun *ideal, const HieraDependences *of)
{
    gsize n = (gsize)of->n_calls + of->n_joins;
    *ideal = (HieraIdealRun){g_new(gint64, (gsize)of->n_calls + 1), g_new(gint64, (gsize)of->trace->n_processors + 1)};
    g_autofree gint64 *ideal_ns = g_new(gint64, n + 1);
    g_autofree guint8 *keeps = hiera_replay_find_keeping(of->trace);
    g_autofree guint64 *last = hiera_replay_find_last(of);
    const Replay replay = {of, ideal, ideal_ns, keeps, last};
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        ideal->finalize_ns[i] = of->trace->processors[i].finalize_ns;
        if (of->first_call[i] < of->first_call[i + 1])
            ideal_ns[of->first_call[i]] = of->start_ns[of->first_call[i]];
    }
    for (gsize i = 0; i < n; i++) {
        guint32 node = of->order[i];
        if (node < of->n_calls)
            end_call(&replay, node);
        else
            ideal_ns[node] = hiera_replay_latest(of, node, ideal_ns, G_MININT64);
    }
}

void hiera_ideal_run_clear(HieraIdealRun *ideal)
{
    g_free(ideal->duration_ns);
    g_free(ideal->finalize_ns);
}

/* --- slack --- */

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
        gint64 end = 0; /* of a join it does not matter */
        if (processor != HIERA_NONE)
            end = node + 1 < of->first_call[processor + 1]
                      ? slack[node + 1]
                      : hiera_minus(last_ns, of->trace->processors[processor].finalize_ns);
        hiera_slack_step(of, node, end, slack);
    }
    return slack;
}
