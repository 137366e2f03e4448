/* Passes over the dependences; see replay.h. */
#include "replay.h"
#include "calls/span_cutter.h"

/* --- the ideal run --- */

/* Return how long a call takes on an ideal network when it does not wait any more. */
static gint64 kept(const HieraDependences *of, guint32 call)
{
    const HieraSite *site = hiera_trace_peek_site(of->trace, of->row[call]);
    if (site->kind != HIERA_KIND_RMA && hiera_site_does(site) != HIERA_DOES_IO)
        return 0;
    return hiera_minus(of->finish_ns[call], hiera_dependences_release(of, call));
}

/* Times in the ideal run: of a call its start, of a join its own. */
static gint64 latest_of(const HieraDependences *of, guint32 node, const gint64 *ideal_ns, gint64 last_ns)
{
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE)
            last_ns = MAX(last_ns, ideal_ns[of->from[edge]]);
    }
    return last_ns;
}

static void end_call(HieraIdealRun *ideal, const HieraDependences *of, guint32 call, gint64 *ideal_ns)
{
    guint32 processor = hiera_dependences_processor(of, call);
    gint64 end_ns = hiera_plus(latest_of(of, call, ideal_ns, ideal_ns[call]), kept(of, call));
    ideal->duration_ns[call] = hiera_minus(end_ns, ideal_ns[call]);
    if (call + 1 < of->first_call[processor + 1])
        ideal_ns[call + 1] = hiera_plus(end_ns, hiera_minus(of->start_ns[call + 1], of->finish_ns[call]));
    else
        ideal->finalize_ns[processor] =
            hiera_plus(end_ns, hiera_minus(of->trace->processors[processor].finalize_ns, of->finish_ns[call]));
}

void hiera_ideal_run_init(HieraIdealRun *ideal, const HieraDependences *of)
{
    gsize n = (gsize)of->n_calls + of->n_joins;
    g_autofree gint64 *ideal_ns = g_new(gint64, n + 1);
    *ideal = (HieraIdealRun){g_new(gint64, (gsize)of->n_calls + 1), g_new(gint64, (gsize)of->trace->n_processors + 1)};
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        ideal->finalize_ns[i] = of->trace->processors[i].finalize_ns;
        if (of->first_call[i] < of->first_call[i + 1])
            ideal_ns[of->first_call[i]] = of->start_ns[of->first_call[i]];
    }
    for (gsize i = 0; i < n; i++) {
        guint32 node = of->order[i];
        if (node < of->n_calls)
            end_call(ideal, of, node, ideal_ns);
        else
            ideal_ns[node] = latest_of(of, node, ideal_ns, G_MININT64);
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

/* A node could be later by `later_ns` from `at_ns` on; so what it depends on can begin until then. */
static void bound(const HieraDependences *of, guint32 node, gint64 at_ns, gint64 later_ns, gint64 *slack)
{
    for (guint32 edge = of->first_edge[node]; edge < of->first_edge[node + 1]; edge++) {
        guint32 from = of->from[edge];
        if (from != HIERA_NONE)
            slack[from] = MIN(slack[from], hiera_plus(later_ns, hiera_minus(at_ns, hiera_dependences_time(of, from))));
    }
}

gint64 *hiera_slack_find(const HieraDependences *of)
{
    gsize n = (gsize)of->n_calls + of->n_joins;
    gint64 *slack = g_new(gint64, n + 1);
    gint64 last_ns = hiera_last_finalize(of->trace);
    for (gsize i = 0; i < n; i++)
        slack[i] = HIERA_TOO_LARGE;
    for (gsize i = n; i-- > 0;) {
        guint32 node = of->order[i];
        if (node >= of->n_calls) {
            bound(of, node, hiera_dependences_time(of, node), slack[node], slack);
            continue;
        }
        guint32 processor = hiera_dependences_processor(of, node);
        gint64 release_ns = hiera_dependences_release(of, node);
        gint64 end = node + 1 < of->first_call[processor + 1]
                         ? slack[node + 1]
                         : hiera_minus(last_ns, of->trace->processors[processor].finalize_ns);
        slack[node] = MIN(slack[node], hiera_plus(end, hiera_minus(release_ns, of->start_ns[node])));
        bound(of, node, release_ns, end, slack);
    }
    return slack;
}
