#include "shared_replay.h"
#include "replay_parts.h"
#include "shared_window.h"
#include "values/outermost.h"

const HieraDependences *hiera_dependences_of_scope(const HieraMatch *match, const HieraScope *scope)
{
    return scope->share.own ? hiera_dependences_find_part(match) : hiera_dependences_find(match);
}

/* State of a pass through the window of this process: of the ideal run, or of the slack. */
typedef struct {
    HieraSharedNodes nodes;
    HieraSharedWindow window;
    guint64 *last;       /* bit by call of the window: 1 if it is the last one of its processor */
    gint64 *value;       /* by node of the window: its time in the ideal run, or its slack */
    gint64 *duration_ns; /* by call of the window: its length in the ideal run; NULL in the pass of the slack */
    gint64 *by_call;     /* by call of this process: its length or slack; NULL if only ends of processors are wanted */
    gint64 *finalize_ns; /* by processor: its end in the ideal run; NULL in the pass of the slack */
} Pass;

static void pass_init(Pass *pass, const HieraDependences *of, const HieraScope *scope)
{
    *pass = (Pass){0};
    hiera_shared_nodes_init(&pass->nodes, of, scope);
    hiera_shared_window_init(&pass->window, &pass->nodes);
    const HieraDependences *all = &pass->window.all;
    gsize n = (gsize)all->n_calls + all->n_joins;
    pass->last = hiera_replay_find_last(all);
    pass->value = g_new(gint64, n + 1);
}

static void pass_clear(Pass *pass)
{
    hiera_shared_window_clear(&pass->window);
    hiera_shared_nodes_clear(&pass->nodes);
    g_free(pass->last);
    g_free(pass->value);
    g_free(pass->duration_ns);
}

static void take_turns(Pass *pass, gboolean backward, const HieraRelay *turn)
{
    hiera_scope_take_turns(pass->nodes.scope, pass->nodes.of->trace, backward, turn, pass);
}

/* --- values that one window sends to another --- */

static guint32 last_of(const Pass *pass, guint32 processor)
{
    return pass->window.all.first_call[processor + 1] - 1;
}

static void pack_common(HieraPacker *to, guint process, const Pass *pass)
{
    const HieraCommonNodes *common = pass->window.common[process];
    for (guint i = 0; i < common->len; i++) {
        guint32 node = g_array_index(common, guint32, i);
        hiera_pack_number(to, node != HIERA_NONE ? pass->value[node] : G_MININT64);
    }
}

/* --- the ideal run --- */

static void unpack_times(HieraUnpacker *from, guint process, gpointer user)
{
    const Pass *pass = user;
    const HieraSharedWindow *window = &pass->window;
    const HieraCommonNodes *common = window->common[process];
    for (guint i = 0; i < common->len; i++)
        pass->value[g_array_index(common, guint32, i)] = hiera_unpack_number(from);
    for (guint32 i = 0; process + 1 == window->window && i < window->all.trace->n_processors; i++)
        pass->value[window->all.first_call[i]] = hiera_unpack_number(from);
}

static void replay(gpointer user)
{
    const Pass *pass = user;
    HieraSimOrdered run = hiera_replay_order(&pass->window.all, pass->last);
    run.n_open = pass->window.first_outside;
    hiera_sim_run_ordered(&run, pass->value, pass->duration_ns);
}

static void pack_times(HieraPacker *to, guint process, gpointer user)
{
    const Pass *pass = user;
    const HieraSharedWindow *window = &pass->window;
    pack_common(to, process, pass);
    for (guint32 i = 0; process == window->window + 1 && i < window->all.trace->n_processors; i++)
        hiera_pack_number(to, pass->value[last_of(pass, i)]);
}

static void replay_all(Pass *pass)
{
    const HieraDependences *all = &pass->window.all;
    for (gsize node = 0; node < (gsize)all->n_calls + all->n_joins; node++)
        pass->value[node] = G_MININT64;
    for (guint32 i = 0; i < all->trace->n_processors; i++)
        pass->value[all->first_call[i]] = all->start_ns[all->first_call[i]];
    take_turns(pass, FALSE, &(const HieraRelay){unpack_times, replay, pack_times});
}

/* --- slack of calls --- */

static void unpack_slack(HieraUnpacker *from, guint process, gpointer user)
{
    const Pass *pass = user;
    const HieraSharedWindow *window = &pass->window;
    const HieraCommonNodes *common = window->common[process];
    for (guint i = 0; i < common->len; i++) {
        guint32 node = g_array_index(common, guint32, i);
        gint64 slack = hiera_unpack_number(from);
        if (node != HIERA_NONE)
            pass->value[node] = MIN(pass->value[node], slack);
    }
    for (guint32 i = 0; process == window->window + 1 && i < window->all.trace->n_processors; i++) {
        gint64 *next = &pass->value[last_of(pass, i)], slack = hiera_unpack_number(from);
        *next = MIN(*next, slack);
    }
}

static void find_slack(gpointer user)
{
    const Pass *pass = user;
    const HieraDependences *all = &pass->window.all;
    for (gsize i = (gsize)all->n_calls + all->n_joins; i-- > 0;) {
        guint32 node = all->order[i];
        gboolean call = node < all->n_calls;
        if (!call || !hiera_sim_is_last(pass->last, node))
            hiera_slack_step(all, node, call ? pass->value[node + 1] : 0, pass->value);
    }
}

static void pack_slack(HieraPacker *to, guint process, gpointer user)
{
    const Pass *pass = user;
    const HieraSharedWindow *window = &pass->window;
    pack_common(to, process, pass);
    for (guint32 i = 0; process + 1 == window->window && i < window->all.trace->n_processors; i++)
        hiera_pack_number(to, pass->value[window->all.first_call[i]]);
}

static void find_slack_of_all(Pass *pass)
{
    const HieraDependences *all = &pass->window.all;
    gint64 last_ns = hiera_last_finalize(all->trace);
    for (gsize node = 0; node < (gsize)all->n_calls + all->n_joins; node++)
        pass->value[node] = HIERA_TOO_LARGE;
    for (guint32 i = 0; pass->window.window + 1 == pass->nodes.n_windows && i < all->trace->n_processors; i++)
        pass->value[last_of(pass, i)] = hiera_minus(last_ns, all->trace->processors[i].finalize_ns);
    take_turns(pass, TRUE, &(const HieraRelay){unpack_slack, find_slack, pack_slack});
}

/* --- the results of each process's calls --- */

/* An edge that closes a circle: its index among the edges of a node, and the index of the node among those of its
 * processor in the window. */
typedef struct {
    guint32 processor, node, edge;
} Circle;

static void add_circles(const HieraDependences *all, guint32 processor, GArray *circles)
{
    guint32 first = all->first_call[processor];
    for (guint32 node = first; node < all->first_call[processor + 1]; node++) {
        for (guint32 edge = all->first_edge[node]; edge < all->first_edge[node + 1]; edge++) {
            Circle circle = {processor, node - first, edge - all->first_edge[node]};
            if (all->from[edge] == HIERA_NONE)
                g_array_append_val(circles, circle);
        }
    }
}

/* Whether a value belongs to a window. Waiting is known where a node ends, slack where it starts: the start combines
 * all nodes that depend on it. */
static gboolean is_in(const Pass *pass, guint window, gint64 start_ns, gint64 finish_ns)
{
    gint64 time_ns = pass->duration_ns ? finish_ns : start_ns;
    const gint64 *limits = pass->nodes.limits;
    return time_ns <= limits[window] && (window == 0 || time_ns > limits[window - 1]);
}

/* Pack the results of a processor's nodes for its process. @param values  gint64: scratch buffer */
static void pack_processor(HieraPacker *to, const HieraSentProcessor *of, const Pass *pass, GArray *values)
{
    const HieraSharedWindow *window = &pass->window;
    const gint64 *start_ns = window->all.start_ns;
    guint32 first = window->all.first_call[of->processor], behind = first + of->n_nodes, n = 0;
    if (!pass->duration_ns)
        behind += of->next_number != HIERA_NONE;
    g_array_set_size(values, behind - first);
    gint64 *sent = (gint64 *)(void *)values->data;
    for (guint32 node = first; node < behind; node++) {
        if (pass->duration_ns)
            sent[n++] = pass->duration_ns[node];
        else if (is_in(pass, window->window, start_ns[node], 0))
            sent[n++] = pass->value[node];
    }
    g_array_set_size(values, n);
    hiera_pack_array(to, values);
}

static void pack_calls(HieraPacker *to, guint process, gpointer user)
{
    const Pass *pass = user;
    const HieraSharedWindow *window = &pass->window;
    g_autoptr(GArray) circles = g_array_new(FALSE, FALSE, sizeof(Circle)),
                      values = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < window->processors->len; i++) {
        const HieraSentProcessor *of = &g_array_index(window->processors, HieraSentProcessor, i);
        if (of->process != process)
            continue;
        if (pass->by_call)
            pack_processor(to, of, pass, values);
        if (window->circles)
            add_circles(&window->all, of->processor, circles);
    }
    hiera_pack_array(to, circles);
    for (guint32 i = 0;
         pass->finalize_ns && window->window + 1 == pass->nodes.n_windows && i < window->all.trace->n_processors; i++)
        hiera_pack_number(to, pass->value[last_of(pass, i)]);
}

/* Leave out an edge of a call. @param which  its index among the edges that are not left out yet */
static void cut(const HieraDependences *of, guint32 call, guint32 which)
{
    for (guint32 edge = of->first_edge[call]; edge < of->first_edge[call + 1]; edge++) {
        if (of->from[edge] != HIERA_NONE && which-- == 0) {
            of->from[edge] = HIERA_NONE;
            return;
        }
    }
}

/* Leave out the edges (Circle) that the process of a window left out; of each node the last one first. */
static void cut_circles(const HieraSharedNodes *nodes, guint window, const GArray *circles)
{
    for (guint i = circles->len; i-- > 0;) {
        const Circle *circle = &g_array_index(circles, Circle, i);
        guint32 behind = nodes->of->first_call[circle->processor + 1];
        guint32 call =
            hiera_shared_nodes_next(nodes, hiera_shared_nodes_first(nodes, circle->processor, window), behind);
        for (guint32 k = 0; k < circle->node; k++)
            call = hiera_shared_nodes_next(nodes, call + 1, behind);
        cut(nodes->of, call, circle->edge);
    }
}

/* Unpack the results of a processor's nodes in a window. @param values  gint64: scratch buffer */
static void unpack_processor(HieraUnpacker *from, guint window, guint32 processor, const Pass *pass, GArray *values)
{
    const HieraSharedNodes *nodes = &pass->nodes;
    const HieraDependences *of = nodes->of;
    guint32 behind = of->first_call[processor + 1];
    guint32 call = hiera_shared_nodes_next(nodes, hiera_shared_nodes_first(nodes, processor, window), behind);
    g_array_set_size(values, 0);
    hiera_unpack_array(from, values);
    const gint64 *sent = (const gint64 *)(const void *)values->data;
    for (; call < behind && of->start_ns[call] <= nodes->limits[window];
         call = hiera_shared_nodes_next(nodes, call + 1, behind)) {
        if (is_in(pass, window, of->start_ns[call], of->finish_ns[call]))
            pass->by_call[call] = *sent++;
    }
}

static void unpack_calls(HieraUnpacker *from, guint process, gpointer user)
{
    const Pass *pass = user;
    const HieraTrace *trace = pass->nodes.of->trace;
    g_autoptr(GArray) circles = g_array_new(FALSE, FALSE, sizeof(Circle)),
                      values = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint32 i = 0; pass->by_call && i < trace->n_processors; i++) {
        if (hiera_scope_is_own(pass->nodes.scope, i))
            unpack_processor(from, process, i, pass, values);
    }
    hiera_unpack_array(from, circles);
    cut_circles(&pass->nodes, process, circles);
    for (guint32 i = 0; pass->finalize_ns && process + 1 == pass->nodes.n_windows && i < trace->n_processors; i++)
        pass->finalize_ns[i] = hiera_unpack_number(from);
}

static void hand_out(Pass *pass)
{
    hiera_scope_exchange(pass->nodes.scope, pass->nodes.of->trace, pack_calls, unpack_calls, pass);
}

/* --- the calls of this process --- */

/* Add to the length of each call what it takes after its waiting, which is in no result of another process. */
static void add_busy(const Pass *pass)
{
    const HieraDependences *of = pass->nodes.of;
    for (guint32 i = 0; pass->nodes.busy && i < of->trace->n_processors; i++) {
        if (!hiera_scope_is_own(pass->nodes.scope, i))
            continue;
        for (guint32 call = of->first_call[i]; call < of->first_call[i + 1]; call++)
            pass->by_call[call] = hiera_plus(pass->by_call[call], hiera_ideal_busy_ns(of, pass->nodes.busy, call));
    }
}

/* A single process passes over its calls directly. Building a window of them would take 8 % more time for the whole of
 * --measure slack or efficiency, and 23 % more memory (10^6 calls of 16 ranks). */
void hiera_ideal_run_find(HieraIdealRun *ideal, const HieraDependences *of, const HieraScope *scope, gboolean calls)
{
    Pass pass;
    if (!scope->share.own) {
        hiera_ideal_run_init(ideal, of, NULL);
        return;
    }
    *ideal =
        (HieraIdealRun){g_new0(gint64, (gsize)of->n_calls + 1), g_new0(gint64, (gsize)of->trace->n_processors + 1)};
    pass_init(&pass, of, scope);
    pass.duration_ns = g_new(gint64, (gsize)pass.window.all.n_calls + 1);
    pass.by_call = calls ? ideal->duration_ns : NULL;
    pass.finalize_ns = ideal->finalize_ns;
    replay_all(&pass);
    hand_out(&pass);
    if (calls)
        add_busy(&pass);
    pass_clear(&pass);
}

/* Set the slack of the calls that are no nodes: that of the next call. */
static void fill_slack(const Pass *pass)
{
    const HieraDependences *of = pass->nodes.of;
    gint64 last_ns = hiera_last_finalize(of->trace);
    for (guint32 i = 0; i < of->trace->n_processors; i++) {
        gint64 end = hiera_minus(last_ns, of->trace->processors[i].finalize_ns);
        for (guint32 call = of->first_call[i + 1];
             hiera_scope_is_own(pass->nodes.scope, i) && call-- > of->first_call[i];) {
            if (!hiera_shared_nodes_has(&pass->nodes, call))
                pass->by_call[call] = MIN(end, HIERA_TOO_LARGE);
            end = pass->by_call[call];
        }
    }
}

gint64 *hiera_slack_find_shared(const HieraDependences *of, const HieraScope *scope)
{
    Pass pass;
    if (!scope->share.own)
        return hiera_slack_find(of);
    pass_init(&pass, of, scope);
    pass.by_call = g_new0(gint64, (gsize)of->n_calls + 1);
    find_slack_of_all(&pass);
    hand_out(&pass);
    fill_slack(&pass);
    pass_clear(&pass);
    return pass.by_call;
}
