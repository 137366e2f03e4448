/* Which calls depend on which, from the partners; see dependences.h. */
#include "dependence_parts.h"
#include "waiting/waiting_parts.h"

typedef struct {
    HieraDependences *of;
    const HieraMatch *match;
    const guint32 *call_of;
    GArray *edges;
    guint32 *pair_of, *next_pair; /* pairs of a request by the row that started it: index + 1; then from pair to pair */
    const HieraPair *pairs;
} Gather;

static void add_edge(const Gather *gather, guint32 from, guint32 to)
{
    HieraDependenceEdge edge = {from, to};
    g_array_append_val(gather->edges, edge);
}

/* The end of the call `to` depends on a node. What happens in one call, or outside of all, has no edge. */
static void add_end(const Gather *gather, guint32 from, guint32 to)
{
    guint32 call = gather->call_of[to];
    if (from != HIERA_NONE && call != HIERA_NONE && call != from)
        add_edge(gather, from, call);
}

/* Visit the calls that wait for an operation: those that complete its requests, or itself. */
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

/* What completes an operation depends on a node. */
static void depend_on(const Gather *gather, guint32 from, guint32 row)
{
    FOR_WAITERS(gather, row, waiter)
    add_end(gather, from, waiter);
}

/* --- messages --- */

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
            gather->of->start_ns[to] < gather->of->finish_ns[gather->call_of[waiter]])
            add_end(gather, to, waiter);
    }
}

/* A probe that found a message depends on its sender. A test or a probe in vain returns in any case. */
static void add_probes(const Gather *gather, const HieraMessage *messages)
{
    guint n;
    const HieraProbe *probes = hiera_match_peek_probes(gather->match, &n);
    for (guint i = 0; i < n; i++)
        add_end(gather, gather->call_of[messages[probes[i].message].from], probes[i].row);
}

/* --- collectives --- */

typedef struct {
    const Gather *gather;
    const HieraCollective *of;
    const guint32 *members;
    gboolean inter;
} Collective;

static guint group_of(const Collective *collective, guint32 row)
{
    const HieraTrace *trace = collective->gather->of->trace;
    if (!collective->inter)
        return 0;
    return hiera_match_group(collective->gather->match, collective->of->comm,
                             trace->processors[hiera_trace_find_processor(trace, row)].rank);
}

static guint32 new_join(const Gather *gather)
{
    return gather->of->n_calls + gather->of->n_joins++;
}

/* A join depends on the start of a member. */
static void add_start(const Gather *gather, guint32 row, guint32 join)
{
    if (gather->call_of[row] != HIERA_NONE)
        add_edge(gather, gather->call_of[row], join);
}

static void add_all_to_all(const Collective *collective)
{
    const Gather *gather = collective->gather;
    guint32 joins[2] = {new_join(gather), collective->inter ? new_join(gather) : HIERA_NONE};
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        guint group = group_of(collective, row);
        add_start(gather, row, joins[group]);
        depend_on(gather, joins[collective->inter ? !group : 0], row);
    }
}

static void add_rooted(const Collective *collective)
{
    const Gather *gather = collective->gather;
    guint32 root = collective->of->root;
    for (guint32 i = 0; root != HIERA_NONE && i < collective->of->n; i++) {
        guint32 row = collective->members[i];
        if (row == root || (collective->inter && group_of(collective, row) == group_of(collective, root)))
            continue;
        if (collective->of->kind == HIERA_KIND_ONE_TO_ALL)
            depend_on(gather, gather->call_of[root], row);
        else
            depend_on(gather, gather->call_of[row], root);
    }
}

/* Each member depends on the join of those below it. */
static void add_prefix(const Collective *collective)
{
    const Gather *gather = collective->gather;
    guint32 lower = HIERA_NONE;
    for (guint32 i = 0; i < collective->of->n; i++) {
        guint32 row = collective->members[i], join = new_join(gather);
        depend_on(gather, lower, row);
        if (lower != HIERA_NONE)
            add_edge(gather, lower, join);
        add_start(gather, row, join);
        lower = join;
    }
}

static void add_neighbor(guint32 from, guint32 to, gpointer data)
{
    const Collective *collective = data;
    depend_on(collective->gather, collective->gather->call_of[collective->members[from]], collective->members[to]);
}

static void add_collective(const Gather *gather, guint32 number, const HieraCollective *of)
{
    guint n;
    Collective collective = {gather, of, hiera_match_peek_members(gather->match, number, &n),
                             hiera_match_is_inter(gather->match, of->comm)};
    switch (of->kind) {
    case HIERA_KIND_ONE_TO_ALL:
    case HIERA_KIND_ALL_TO_ONE:
        add_rooted(&collective);
        break;
    case HIERA_KIND_PREFIX:
        add_prefix(&collective);
        break;
    case HIERA_KIND_NEIGHBOR:
        hiera_match_visit_neighbors(gather->match, number, add_neighbor, &collective);
        break;
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        add_all_to_all(&collective);
        break;
    default: /* no member depends on another */
        break;
    }
}

/* --- windows --- */

/* Add to a table, by the row + 1 of each win_start, the row of the win_complete that ends its epoch. */
static void find_ends(const Gather *gather, const HieraProcessor *processor, GHashTable *ends)
{
    const HieraTrace *trace = gather->of->trace;
    g_autoptr(GHashTable) starts = g_hash_table_new(NULL, NULL); /* window → row + 1 of its last win_start */
    for (guint64 i = processor->first; i < processor->first + processor->n_operations; i++) {
        HieraKind kind = hiera_trace_peek_site(trace, (guint32)i)->kind;
        gpointer window = GUINT_TO_POINTER(trace->comm[i]), start;
        if (kind == HIERA_KIND_ACCESS)
            g_hash_table_insert(starts, window, GUINT_TO_POINTER((guint32)i + 1));
        else if (kind == HIERA_KIND_ACCESS_END && (start = g_hash_table_lookup(starts, window)))
            g_hash_table_insert(ends, start, GUINT_TO_POINTER((guint32)i));
    }
}

/* An MPI may let win_start return before the post; then win_complete waits for it. */
static void add_epochs(const Gather *gather)
{
    guint n;
    const HieraTrace *trace = gather->of->trace;
    const HieraPair *pairs = hiera_match_peek_pairs(gather->match, HIERA_PAIRS_EPOCH, &n);
    g_autoptr(GHashTable) ends = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; n > 0 && i < trace->n_processors; i++)
        find_ends(gather, &trace->processors[i], ends);
    for (guint i = 0; i < n; i++) {
        guint32 from = pairs[i].start, to = pairs[i].completion, call = gather->call_of[from];
        gpointer end;
        gboolean post = hiera_trace_peek_site(trace, to)->kind == HIERA_KIND_ACCESS;
        if (!post || trace->start_ns[from] <= trace->finish_ns[to])
            add_end(gather, call, to);
        if (post && g_hash_table_lookup_extended(ends, GUINT_TO_POINTER(to + 1), NULL, &end))
            add_end(gather, call, GPOINTER_TO_UINT(end));
    }
}

GArray *hiera_dependences_gather(HieraDependences *of, const HieraMatch *match, const guint32 *call_of)
{
    guint n, n_messages, n_collectives;
    const HieraPair *pairs = hiera_match_peek_pairs(match, HIERA_PAIRS_REQUEST, &n);
    const HieraMessage *messages = hiera_match_peek_messages(match, &n_messages);
    const HieraCollective *collectives = hiera_match_peek_collectives(match, &n_collectives);
    g_autofree guint32 *pair_of = g_new0(guint32, (gsize)of->trace->n_operations + 1),
                       *next_pair = g_new0(guint32, (gsize)n + 1);
    GArray *edges = g_array_new(FALSE, FALSE, sizeof(HieraDependenceEdge));
    Gather gather = {of, match, call_of, edges, pair_of, next_pair, pairs};
    for (guint i = 0; i < n; i++) {
        next_pair[i] = pair_of[pairs[i].start];
        pair_of[pairs[i].start] = i + 1;
    }
    for (guint i = 0; i < n_messages; i++)
        add_message(&gather, &messages[i]);
    add_probes(&gather, messages);
    for (guint i = 0; i < n_collectives; i++)
        add_collective(&gather, i, &collectives[i]);
    add_epochs(&gather);
    return edges;
}
