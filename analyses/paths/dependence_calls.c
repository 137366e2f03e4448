/* Numbers the calls of main threads, and stores their dependences by call; see dependences.h. */
#include "calls/timeline.h"
#include "dependence_parts.h"
#include "thread_stops.h"
#include <string.h>

/* --- calls of main threads --- */

typedef struct {
    HieraDependences *of;
    guint32 *call_of;
} Calls;

static void add_call(const HieraTimeSpan *span, gpointer data)
{
    Calls *calls = data;
    HieraDependences *of = calls->of;
    if (!hiera_span_is_call(span))
        return;
    calls->call_of[span->row] = of->n_calls;
    of->row[of->n_calls] = span->row;
    of->start_ns[of->n_calls] = span->begin_ns;
    of->finish_ns[of->n_calls++] = span->end_ns;
}

/* Number the calls. @return by row: the call that the row is or is inside, HIERA_NONE if none; to be freed with g_free
 */
static guint32 *find_calls(HieraDependences *of)
{
    const HieraTrace *trace = of->trace;
    gsize n = (gsize)trace->n_operations + 1;
    of->row = g_new(guint32, n);
    of->start_ns = g_new(gint64, n);
    of->finish_ns = g_new(gint64, n);
    of->first_call = g_new0(guint32, (gsize)trace->n_processors + 1);
    Calls calls = {of, g_new(guint32, n)};
    memset(calls.call_of, 0xff, n * sizeof *calls.call_of);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        hiera_timeline_visit(trace, i, add_call, &calls);
        of->first_call[i + 1] = of->n_calls;
    }
    for (guint32 row = 0; row < trace->n_operations; row++) {
        if (calls.call_of[row] == HIERA_NONE && trace->parent[row] != HIERA_NONE)
            calls.call_of[row] = calls.call_of[trace->parent[row]];
    }
    of->row = g_renew(guint32, of->row, (gsize)of->n_calls + 1);
    of->start_ns = g_renew(gint64, of->start_ns, (gsize)of->n_calls + 1);
    of->finish_ns = g_renew(gint64, of->finish_ns, (gsize)of->n_calls + 1);
    return calls.call_of;
}

/* --- dependences as edges, by the node that depends --- */

/* Store the edges in first_edge and from: sorted by the node that depends. @param edges  HieraDependenceEdge */
static void sort_edges(HieraDependences *of, const GArray *edges)
{
    gsize n = (gsize)of->n_calls + of->n_joins;
    of->first_edge = g_new0(guint32, n + 3);
    of->from = g_new(guint32, (gsize)edges->len + 1);
    for (guint i = 0; i < edges->len; i++)
        of->first_edge[g_array_index(edges, HieraDependenceEdge, i).to + 2]++;
    for (gsize i = 0; i < n; i++)
        of->first_edge[i + 2] += of->first_edge[i + 1];
    for (guint i = 0; i < edges->len; i++) {
        const HieraDependenceEdge *edge = &g_array_index(edges, HieraDependenceEdge, i);
        of->from[of->first_edge[edge->to + 1]++] = edge->from;
    }
}

HieraDependences *hiera_dependences_make(const HieraMatch *match, const HieraThreadStops *stops)
{
    HieraDependences *of = g_new0(HieraDependences, 1);
    of->trace = hiera_match_peek_trace(match);
    g_autofree guint32 *call_of = find_calls(of);
    if (stops)
        hiera_thread_stops_insert(stops, of, call_of);
    g_autoptr(GArray) edges = hiera_dependences_gather(of, match, call_of);
    if (stops)
        hiera_thread_stops_depend(stops, of, edges);
    sort_edges(of, edges);
    hiera_dependences_check_times(of, stops ? stops->times : NULL);
    return of;
}

static gpointer find_part(const HieraMatch *match)
{
    return hiera_dependences_make(match, NULL);
}

static gpointer find_dependences(const HieraMatch *match)
{
    HieraDependences *of = find_part(match);
    hiera_dependences_order(of);
    return of;
}

void hiera_dependences_clear(HieraDependences *of)
{
    g_free(of->row);
    g_free(of->start_ns);
    g_free(of->finish_ns);
    g_free(of->first_call);
    g_free(of->first_edge);
    g_free(of->from);
    g_free(of->join_ns);
    g_free(of->join_row);
    g_free(of->stops);
    g_free(of->order);
}

void hiera_dependences_free(HieraDependences *of)
{
    hiera_dependences_clear(of);
    g_free(of);
}

static void free_found(gpointer of)
{
    hiera_dependences_free(of);
}

const HieraDependences *hiera_dependences_find(const HieraMatch *match)
{
    return hiera_match_find_once(match, find_dependences, free_found);
}

const HieraDependences *hiera_dependences_find_part(const HieraMatch *match)
{
    return hiera_match_find_once(match, find_part, free_found);
}

gboolean hiera_dependences_is_unsure(const HieraDependences *of, guint32 call)
{
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] == HIERA_NONE)
            return TRUE;
    }
    return FALSE;
}

gint64 hiera_dependences_release(const HieraDependences *of, guint32 call)
{
    gint64 last_ns = of->start_ns[call];
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE)
            last_ns = MAX(last_ns, hiera_dependences_time(of, of->from[edge]));
    }
    return last_ns;
}
