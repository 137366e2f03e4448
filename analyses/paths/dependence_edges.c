/* The dependences between calls, found from the partners of operations; see dependences.h. */
#include "dependence_parts.h"
#include "waiting/collective_needs.h"
#include "waiting/waiting_parts.h"

typedef struct {
    HieraDependences *of;
    const HieraMatch *match;
    const guint32 *call_of;
    GArray *edges;
    GArray *join_rows;            /* guint32 by join: row of its collective's first member */
    guint32 first_member;         /* row of the first member of the current collective */
    guint32 *pair_of, *next_pair; /* row of a request's start → a pair of it + 1; pair → its next pair + 1 */
    const HieraPair *pairs;
} Gather;

static void add_edge(const Gather *gather, guint32 from, guint32 to)
{
    HieraDependenceEdge edge = {from, to};
    g_array_append_val(gather->edges, edge);
}

/* Let the end of the call around row `to` depend on a node; not if both are one call, or there is no call. */
static void add_end(const Gather *gather, guint32 from, guint32 to)
{
    guint32 call = gather->call_of[to];
    if (from != HIERA_NONE && call != HIERA_NONE && call != from)
        add_edge(gather, from, call);
}

/* Loop over the rows that wait for the operation of a row: those that complete its requests, or the row itself. */
#define FOR_WAITERS(gather, of, waiter)                                                                                \
    for (guint32 waiter, at_ = first_waiter(gather, of, &waiter); at_ != 0; at_ = next_waiter(gather, at_, &waiter))

static guint32 next_waiter(const Gather *gather, guint32 at, guint32 *waiter)
{
    at = at == HIERA_NONE ? 0 : gather->next_pair[at - 1];
    if (at != 0)
        *waiter = gather->pairs[at - 1].completion;
    return at;
}

static guint32 first_waiter(const Gather *gather, guint32 row, guint32 *waiter)
{
    guint32 at = HIERA_NONE;
    *waiter = row;
    if (hiera_waiting_is_start(gather->of->trace, row)) {
        at = gather->pair_of[row];
        *waiter = at != 0 ? gather->pairs[at - 1].completion : row;
    }
    return at;
}

/* Let each call that waits for the operation of a row depend on a node. */
static void depend_on(const Gather *gather, guint32 from, guint32 row)
{
    FOR_WAITERS(gather, row, waiter)
    add_end(gather, from, waiter);
}

/* --- dependences by messages --- */

static void add_message(const Gather *gather, const HieraMessage *message)
{
    const HieraTrace *trace = gather->of->trace;
    guint32 from = gather->call_of[message->from], to = gather->call_of[message->to];
    if (message->ended_by != HIERA_NONE)
        add_end(gather, from, message->ended_by);
    else if (!hiera_waiting_is_start(trace, message->to))
        add_end(gather, from, message->to);
    FOR_WAITERS(gather, message->from, waiter)
    {
        if (to != HIERA_NONE && gather->call_of[waiter] != HIERA_NONE &&
            gather->of->start_ns[to] > gather->of->start_ns[gather->call_of[waiter]] &&
            gather->of->start_ns[to] <= gather->of->finish_ns[gather->call_of[waiter]])
            add_end(gather, to, waiter);
    }
}

/* Let successful probes depend on the sender of their message. Failed tests and probes depend on nobody. */
static void add_probes(const Gather *gather, const HieraMessage *messages)
{
    guint n;
    const HieraProbe *probes = hiera_match_peek_probes(gather->match, &n);
    for (guint i = 0; i < n; i++)
        add_end(gather, gather->call_of[messages[probes[i].message].from], probes[i].row);
}

/* --- dependences by collectives --- */

static void need_one(guint32 row, guint32 on, gpointer user)
{
    const Gather *gather = user;
    depend_on(gather, gather->call_of[on], row);
}

static guint32 new_join(guint32 after, gpointer user)
{
    const Gather *gather = user;
    guint32 join = gather->of->n_calls + gather->of->n_joins++;
    g_array_append_val(gather->join_rows, gather->first_member);
    if (after != HIERA_NONE)
        add_edge(gather, after, join);
    return join;
}

static void add_to_join(guint32 join, guint32 row, gpointer user)
{
    const Gather *gather = user;
    if (gather->call_of[row] != HIERA_NONE)
        add_edge(gather, gather->call_of[row], join);
}

static void need_join(guint32 row, guint32 join, gpointer user)
{
    depend_on(user, join, row);
}

/* --- dependences by windows --- */

static void add_end_of_epoch(guint32 start, guint32 end, gpointer ends)
{
    g_hash_table_insert(ends, GUINT_TO_POINTER(start), GUINT_TO_POINTER(end));
}

static void add_epochs(const Gather *gather)
{
    guint n;
    const HieraTrace *trace = gather->of->trace;
    const HieraPair *pairs = hiera_match_peek_pairs(gather->match, HIERA_PAIRS_EPOCH, &n);
    g_autoptr(GHashTable) ends = g_hash_table_new(NULL, NULL); /* row of a win_start → its win_complete */
    if (n > 0)
        hiera_waiting_visit_epochs(trace, add_end_of_epoch, ends);
    for (guint i = 0; i < n; i++) {
        guint32 from = pairs[i].start, to = pairs[i].completion, call = gather->call_of[from];
        gpointer end;
        gboolean post = hiera_trace_peek_site(trace, to)->kind == HIERA_KIND_ACCESS;
        if (!post || trace->start_ns[from] <= trace->finish_ns[to])
            add_end(gather, call, to);
        if (post && g_hash_table_lookup_extended(ends, GUINT_TO_POINTER(to), NULL, &end))
            add_end(gather, call, GPOINTER_TO_UINT(end));
    }
}

GArray *hiera_dependences_gather(HieraDependences *of, const HieraMatch *match, const guint32 *call_of)
{
    guint n, n_messages, n_collectives;
    (void)hiera_match_peek_collectives(match, &n_collectives);
    const HieraPair *pairs = hiera_match_peek_pairs(match, HIERA_PAIRS_REQUEST, &n);
    const HieraMessage *messages = hiera_match_peek_messages(match, &n_messages);
    g_autofree guint32 *pair_of = g_new0(guint32, (gsize)of->trace->n_operations + 1),
                       *next_pair = g_new0(guint32, (gsize)n + 1);
    GArray *edges = g_array_sized_new(FALSE, FALSE, sizeof(HieraDependenceEdge), n_messages + n); /* length estimated */
    Gather gather = {of,         match,   call_of,   edges, g_array_new(FALSE, FALSE, sizeof(guint32)),
                     HIERA_NONE, pair_of, next_pair, pairs};
    HieraCollectiveNeeds needs = {need_one, new_join, add_to_join, need_join, &gather};
    for (guint i = 0; i < n; i++) {
        next_pair[i] = pair_of[pairs[i].start];
        pair_of[pairs[i].start] = i + 1;
    }
    for (guint i = 0; i < n_messages; i++)
        add_message(&gather, &messages[i]);
    add_probes(&gather, messages);
    for (guint i = 0; i < n_collectives; i++) {
        const guint32 *members = hiera_match_peek_members(match, i, &n);
        gather.first_member = n > 0 ? members[0] : HIERA_NONE;
        hiera_collective_needs_visit(match, i, &needs);
    }
    add_epochs(&gather);
    of->join_row = (guint32 *)(void *)g_array_free(gather.join_rows, FALSE);
    return edges;
}
