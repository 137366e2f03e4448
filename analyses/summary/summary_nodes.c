/* The cost of each node of the call paths, and the number and bytes of its calls; see summary.h. Each process sums up
 * its own ranks, and process 0 adds all sums. */
#include "causes/shared_causes.h"
#include "summary.h"
#include "values/outermost.h"

static gboolean is_own(const HieraSummary *summary, guint32 row)
{
    return hiera_scope_is_own(summary->scope, hiera_trace_find_processor(summary->trace, row));
}

/* Whether a row belongs to a rank that is in the scope, and of this process. */
static gboolean counts(const HieraSummary *summary, guint32 row)
{
    return is_own(summary, row) && hiera_summary_selects(summary, row);
}

/* --- times in nodes --- */

/* Pack the time of each of this process's ranks in each node. */
static void pack_times(HieraPacker *to, gpointer user)
{
    const HieraSummary *summary = user;
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        const HieraRankTimes *times = &summary->delays->times[i];
        gboolean own = hiera_scope_is_own(summary->scope, i);
        hiera_pack_number(to, own ? times->n_nodes : 0);
        for (guint32 k = 0; own && k < times->n_nodes; k++) {
            hiera_pack_number(to, times->nodes[k]);
            hiera_pack_number(to, hiera_rank_times_of(times, times->nodes[k]));
        }
    }
}

static void unpack_rank(HieraRankTimes *times, guint32 n, HieraUnpacker *from)
{
    *times = (HieraRankTimes){.n_nodes = n, .nodes = g_new(guint32, n), .sums = g_new(gint64, n)};
    for (guint32 k = 0; k < n; k++) {
        times->nodes[k] = (guint32)hiera_unpack_number(from);
        times->sums[k] = hiera_unpack_number(from);
    }
}

static void unpack_times(HieraUnpacker *from, gpointer user)
{
    const HieraSummary *summary = user;
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        guint32 n = (guint32)hiera_unpack_number(from);
        if (n > 0)
            unpack_rank(&summary->delays->times[i], n, from);
    }
}

static void find_times(HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    summary->own_ns = g_new0(gint64, summary->paths.tree->nodes->len);
    hiera_scope_gather_others(summary->scope, trace, pack_times, unpack_times, summary);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraRankTimes *times = &summary->delays->times[i];
        if (!hiera_scope_accepts_rank(summary->scope, trace->processors[i].rank))
            continue;
        for (guint32 k = 0; k < times->n_nodes; k++) {
            gint64 *own_ns = &summary->own_ns[times->nodes[k]];
            *own_ns = hiera_plus(*own_ns, hiera_rank_times_of(times, times->nodes[k]));
        }
    }
}

/* --- numbers of calls in nodes --- */

static void count_collectives(HieraSummary *summary)
{
    guint n, n_members;
    const HieraCollective *collectives = hiera_match_peek_collectives(summary->match, &n);
    for (guint i = 0; i < n; i++) {
        const guint32 *members = hiera_match_peek_members(summary->match, i, &n_members);
        for (guint k = 0; k < n_members; k++) {
            guint32 node = summary->paths.node[members[k]];
            gboolean persistent = hiera_trace_peek_site(summary->trace, members[k])->kind == HIERA_KIND_START;
            if (!counts(summary, members[k]))
                continue;
            gint64 bytes = summary->trace->bytes[persistent ? collectives[i].made_by : members[k]];
            summary->nodes.calls[node]++;
            summary->nodes.bytes[node] = hiera_plus(summary->nodes.bytes[node], MAX(bytes, 0));
        }
    }
}

static void count_operations(HieraSummary *summary)
{
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        const HieraProcessor *of = &summary->trace->processors[i];
        for (guint64 row = of->first; hiera_scope_is_own(summary->scope, i) && row < of->first + of->n_operations;
             row++)
            summary->nodes.operations[summary->paths.node[row]]++;
    }
}

static void add_waits(HieraSummary *summary)
{
    for (guint i = 0; i < summary->waits->len; i++) {
        const HieraWait *wait = &g_array_index(summary->waits, HieraWait, i);
        gint64 *time_ns = &summary->nodes.waiting_ns[summary->paths.node[wait->row]];
        if (summary->trace->thread[wait->row] == 0 && counts(summary, wait->row))
            *time_ns = hiera_plus(*time_ns, hiera_minus(wait->end_ns, wait->begin_ns));
    }
}

/* Count the messages whose sender is in the scope. The process of the sender counts; each call that takes part is
 * marked by the process of its rank. */
static void count_messages(HieraSummary *summary)
{
    guint n;
    HieraSummaryNodes *nodes = &summary->nodes;
    const HieraMessage *messages = hiera_match_peek_messages(summary->match, &n);
    for (guint i = 0; i < n; i++) {
        const HieraMessage *message = &messages[i];
        const guint32 rows[] = {message->from, message->to, message->ended_by};
        if (!hiera_summary_selects(summary, message->from))
            continue;
        for (guint k = 0; k < G_N_ELEMENTS(rows); k++) {
            if (rows[k] != HIERA_NONE && is_own(summary, rows[k]))
                nodes->messages[summary->paths.node[rows[k]]] = 1;
        }
        if (!is_own(summary, message->from))
            continue;
        nodes->n_messages++;
        nodes->message_bytes = hiera_plus(nodes->message_bytes, MAX(hiera_match_message_bytes(summary->match, i), 0));
        nodes->sent[summary->paths.node[message->from]]++;
    }
}

/* --- all sums of nodes --- */

enum { N_COLUMNS = 7 };

/* Allocate all arrays of `nodes` in one block, so that they are summed and freed at once; `calls` is its begin. */
static void init_nodes(HieraSummaryNodes *nodes, gsize n)
{
    gint64 *block = g_new0(gint64, N_COLUMNS * n);
    *nodes = (HieraSummaryNodes){.calls = block,
                                 .bytes = block + n,
                                 .operations = block + 2 * n,
                                 .waiting_ns = block + 3 * n,
                                 .sent = block + 4 * n,
                                 .outside_ns = block + 5 * n,
                                 .messages = block + 6 * n};
}

static void gather_nodes(HieraSummary *summary)
{
    HieraSummaryNodes *nodes = &summary->nodes;
    gint64 *sums[] = {&nodes->n_messages, &nodes->message_bytes, &nodes->outside_sum_ns};
    hiera_scope_add_up(summary->scope, summary->trace, nodes->calls,
                       (gsize)N_COLUMNS * summary->paths.tree->nodes->len);
    for (guint i = 0; i < G_N_ELEMENTS(sums); i++)
        hiera_scope_add_up(summary->scope, summary->trace, sums[i], 1);
}

void hiera_summary_find_nodes(HieraSummary *summary)
{
    summary->delays = hiera_delays_find_together(summary->match, &summary->paths, summary->waits, summary->scope);
    find_times(summary);
    init_nodes(&summary->nodes, summary->paths.tree->nodes->len);
    count_collectives(summary);
    count_operations(summary);
    add_waits(summary);
    count_messages(summary);
    hiera_summary_find_outside(summary);
    gather_nodes(summary);
}

void hiera_summary_clear_nodes(HieraSummary *summary)
{
    g_free(summary->nodes.calls);
    g_free(summary->own_ns);
    hiera_delays_free(summary->delays);
    hiera_call_paths_clear(&summary->paths);
}
