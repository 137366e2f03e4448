/* See shared_replay.h. A node is a call that goes to the process that leads; the first call of a processor always is
 * one. */
#include "shared_replay.h"
#include "replay_parts.h"
#include "shared_graph.h"
#include "values/outermost.h"

const HieraDependences *hiera_dependences_of_scope(const HieraMatch *match, const HieraScope *scope)
{
    return scope->own ? hiera_dependences_find_part(match) : hiera_dependences_find(match);
}

/* --- what is told --- */

typedef struct {
    const HieraDependences *of;
    const HieraScope *scope;
    HieraSharedGraph graph;
    HieraIdealRun *ideal; /* of the own processors; NULL: slack is asked for */
    gboolean calls;
    gint64 *by_node;   /* of the process that leads: what each call gets */
    gint64 *by_call;   /* of the own ones */
} Telling;

static void tell(HieraPacker *to, gpointer user)
{
    const Telling *telling = user;
    const HieraSharedGraph *graph = &telling->graph;
    for (guint32 i = 0; i < telling->of->trace->n_processors; i++) {
        guint32 first = graph->all.first_call[i], behind = telling->calls ? graph->all.first_call[i + 1] : first;
        if (telling->ideal)
            hiera_pack_number(to, telling->ideal->finalize_ns[i]);
        hiera_pack_number(to, behind - first);
        for (guint32 node = first; node < behind; node++)
            hiera_pack_number(to, telling->by_node[node]);
    }
    hiera_pack_array(to, graph->circles);
}

/* Return the first call from `call` on that is a node. */
static guint32 next_node(const Telling *telling, guint32 call, guint32 behind)
{
    while (call < behind && !hiera_shared_graph_is_node(&telling->graph, call))
        call++;
    return call;
}

static void hear(HieraUnpacker *from, gpointer user)
{
    Telling *telling = user;
    const HieraDependences *of = telling->of;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        guint32 call = of->first_call[i], behind = of->first_call[i + 1];
        gboolean own = hiera_scope_is_own(telling->scope, i);
        if (telling->ideal)
            telling->ideal->finalize_ns[i] = hiera_unpack_number(from);
        for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
            gint64 value = hiera_unpack_number(from);
            call = own ? next_node(telling, call, behind) : call;
            if (own)
                telling->by_call[call++] = value;
        }
    }
    hiera_unpack_array(from, telling->graph.circles);
}

/* The process that leads: what the others hear. */
static void take_own(const Telling *telling)
{
    const HieraDependences *of = telling->of;
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        guint32 node = telling->graph.all.first_call[i], call = of->first_call[i];
        if (!hiera_scope_is_own(telling->scope, i) || !telling->calls)
            continue;
        for (; (call = next_node(telling, call, of->first_call[i + 1])) < of->first_call[i + 1]; call++)
            telling->by_call[call] = telling->by_node[node++];
    }
}

static void tell_all(Telling *telling)
{
    hiera_scope_tell(telling->scope, telling->of->trace, tell, hear, telling);
    if (hiera_scope_leads(telling->scope))
        take_own(telling);
    hiera_shared_graph_cut_circles(&telling->graph, telling->of, telling->scope);
}

/* --- the ideal run --- */

/* Nodes have their time of waiting; what takes as long as recorded is known here. */
static void add_kept(const Telling *telling)
{
    const HieraDependences *of = telling->of;
    g_autofree guint8 *keeps = hiera_replay_find_keeping(of->trace);
    for (guint32 i = 0; keeps && i < of->trace->n_processors; i++) {
        if (!hiera_scope_is_own(telling->scope, i))
            continue;
        for (guint32 call = of->first_call[i]; call < of->first_call[i + 1]; call++)
            telling->by_call[call] = hiera_plus(telling->by_call[call], hiera_replay_kept(of, keeps, call));
    }
}

void hiera_ideal_run_find(HieraIdealRun *ideal, const HieraDependences *of, const HieraScope *scope, gboolean calls)
{
    if (!scope->own) {
        hiera_ideal_run_init(ideal, of);
        return;
    }
    *ideal =
        (HieraIdealRun){g_new0(gint64, (gsize)of->n_calls + 1), g_new0(gint64, (gsize)of->trace->n_processors + 1)};
    Telling telling = {.of = of, .scope = scope, .ideal = ideal, .calls = calls, .by_call = ideal->duration_ns};
    hiera_shared_graph_gather(&telling.graph, of, scope);
    if (hiera_scope_leads(scope)) {
        telling.by_node = calls ? g_new(gint64, (gsize)telling.graph.all.n_calls + 1) : NULL;
        HieraIdealRun all = {telling.by_node, ideal->finalize_ns};
        hiera_ideal_run_replay(&all, &telling.graph.all);
    }
    tell_all(&telling);
    add_kept(&telling);
    g_free(telling.by_node);
    hiera_shared_graph_clear(&telling.graph);
}

/* --- slack --- */

/* A call that is no node can begin as much later as the next one. */
static void fill_slack(const Telling *telling)
{
    const HieraDependences *of = telling->of;
    gint64 last_ns = hiera_last_finalize(of->trace);
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        gint64 end = hiera_minus(last_ns, of->trace->processors[i].finalize_ns);
        for (guint32 call = of->first_call[i + 1];
             hiera_scope_is_own(telling->scope, i) && call-- > of->first_call[i];) {
            if (!hiera_shared_graph_is_node(&telling->graph, call))
                telling->by_call[call] = MIN(end, HIERA_TOO_LARGE);
            end = telling->by_call[call];
        }
    }
}

gint64 *hiera_slack_find_shared(const HieraDependences *of, const HieraScope *scope)
{
    if (!scope->own)
        return hiera_slack_find(of);
    Telling telling = {.of = of, .scope = scope, .calls = TRUE, .by_call = g_new0(gint64, (gsize)of->n_calls + 1)};
    hiera_shared_graph_gather(&telling.graph, of, scope);
    if (hiera_scope_leads(scope))
        telling.by_node = hiera_slack_find(&telling.graph.all);
    tell_all(&telling);
    fill_slack(&telling);
    g_free(telling.by_node);
    hiera_shared_graph_clear(&telling.graph);
    return telling.by_call;
}
