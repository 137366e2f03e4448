/* Functions of hiera_match.h that read a match. */
#include "match_common.h"
#include <stdlib.h>

const HieraTrace *hiera_match_peek_trace(const HieraMatch *match)
{
    return match->trace;
}

const HieraMessage *hiera_match_peek_messages(const HieraMatch *match, guint *n)
{
    *n = match->messages->len;
    return (const HieraMessage *)(void *)match->messages->data;
}

static int compare_arguments(const void *left, const void *right)
{
    guint32 a = ((const HieraMessageArguments *)left)->message, b = ((const HieraMessageArguments *)right)->message;
    return (a > b) - (a < b);
}

static HieraMessageArguments arguments_of(const HieraMatch *match, guint32 message)
{
    const HieraMessageArguments key = {.message = message}, *found = NULL;
    guint32 from = g_array_index(match->messages, HieraMessage, message).from;
    if (match->arguments->len > 0)
        found = bsearch(&key, match->arguments->data, match->arguments->len, sizeof key, compare_arguments);
    return found ? *found : (HieraMessageArguments){message, match->trace->tag[from], match->trace->bytes[from]};
}

gint64 hiera_match_message_bytes(const HieraMatch *match, guint32 message)
{
    return arguments_of(match, message).bytes;
}

gint32 hiera_match_message_tag(const HieraMatch *match, guint32 message)
{
    return arguments_of(match, message).tag;
}

const HieraProbe *hiera_match_peek_probes(const HieraMatch *match, guint *n)
{
    *n = match->probes->len;
    return (const HieraProbe *)(void *)match->probes->data;
}

const HieraPair *hiera_match_peek_pairs(const HieraMatch *match, HieraPairs kind, guint *n)
{
    const GArray *const lists[] = {
#define X(identifier, field) match->field,
        HIERA_PAIRS(X)
#undef X
    };
    *n = lists[kind]->len;
    return (const HieraPair *)(void *)lists[kind]->data;
}

const HieraCollective *hiera_match_peek_collectives(const HieraMatch *match, guint *n)
{
    *n = match->collectives->len;
    return (const HieraCollective *)(void *)match->collectives->data;
}

const guint32 *hiera_match_peek_members(const HieraMatch *match, guint32 collective, guint *n)
{
    const HieraCollective *of = &g_array_index(match->collectives, HieraCollective, collective);
    *n = of->n;
    return &g_array_index(match->members, guint32, of->first);
}

/* Visit the neighbours to which a member sends.
 * @param out   ranks of the neighbours. A trace may list billions of them, so a list that is longer than the
 *              communicator is not gone through; instead each member is looked up in it.
 * @param from  rank of the member */
static void visit_neighbors_of(const HieraRanks *out, guint32 n, guint32 from, HieraNeighborVisit visit, gpointer user)
{
    gboolean few = hiera_ranks_count(out) <= n;
    for (gint64 i = 0, last = few ? hiera_ranks_count(out) : n; i < last; i++) {
        gint64 to = few ? hiera_ranks_at(out, i) : i;
        if (to >= 0 && to < n && to != from && (few || hiera_ranks_contain(out, to)))
            visit(from, (guint32)to, user);
    }
}

/* Visit nothing unless all members took part, because only then the n-th member is the one with rank n. */
void hiera_match_visit_neighbors(const HieraMatch *match, guint32 number, HieraNeighborVisit visit, gpointer user)
{
    const HieraTrace *trace = match->trace;
    const HieraCollective *of = &g_array_index(match->collectives, HieraCollective, number);
    const HieraCommunicator *comm = hiera_catalog_peek_communicator(trace->catalog, of->comm);
    if (!comm->declared || hiera_ranks_count(comm->ranks) != of->n)
        return;
    for (guint32 i = 0; i < of->n; i++) {
        guint32 row = g_array_index(match->members, guint32, of->first + i);
        guint32 rank = trace->processors[hiera_trace_find_processor(trace, row)].rank;
        const HieraNeighbors *neighbors = hiera_catalog_peek_neighbors(trace->catalog, comm->index, rank);
        if (neighbors)
            visit_neighbors_of(neighbors->out, of->n, i, visit, user);
    }
}

gboolean hiera_match_is_inter(const HieraMatch *match, guint32 comm)
{
    return comm != HIERA_NONE && hiera_catalog_peek_communicator(match->trace->catalog, comm)->remote;
}

guint hiera_match_group(const HieraMatch *match, guint32 comm, guint32 rank)
{
    return hiera_match_is_inter(match, comm) &&
           !hiera_ranks_contain(hiera_catalog_peek_communicator(match->trace->catalog, comm)->ranks, rank);
}

guint32 hiera_match_context(const HieraMatch *match, guint32 comm)
{
    return comm == HIERA_NONE ? HIERA_NONE : match->context[comm];
}

guint32 hiera_match_count_communicators(const HieraMatch *match)
{
    return hiera_catalog_count_communicators(match->trace->catalog);
}

const char *hiera_match_comm_id(const HieraMatch *match, guint32 comm)
{
    return comm == HIERA_NONE ? "" : hiera_catalog_peek_communicator(match->trace->catalog, comm)->id;
}

const char *hiera_match_comm_name(const HieraMatch *match, guint32 comm)
{
    return comm == HIERA_NONE ? "" : hiera_catalog_peek_communicator(match->trace->catalog, comm)->name;
}

gint64 hiera_match_dimension(const HieraMatch *match, guint32 comm, guint n)
{
    const HieraRanks *dims =
        comm == HIERA_NONE ? NULL : hiera_catalog_peek_communicator(match->trace->catalog, comm)->dims;
    return dims && n < hiera_ranks_count(dims) ? MAX(hiera_ranks_at(dims, n), 0) : 0;
}

gint32 hiera_match_world_rank(const HieraMatch *match, guint32 comm, gint32 rank)
{
    const HieraCommunicator *communicator = hiera_match_communicator(match->trace, comm);
    return communicator && rank >= 0 ? hiera_match_translate(communicator, rank) : HIERA_ABSENT;
}

gint32 hiera_match_peer(const HieraMatch *match, guint32 row)
{
    const HieraTrace *trace = match->trace;
    return hiera_match_world_rank(match, trace->comm[row], trace->peer[row]);
}

guint32 hiera_match_collective(const HieraMatch *match, guint32 row)
{
    return match->collective_behind[row] - 1;
}

HieraReason hiera_match_reason(const HieraMatch *match, guint32 row)
{
    return (HieraReason)match->reason[row];
}

guint32 hiera_match_differing(const HieraMatch *match, guint32 row)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(match->differs, GUINT_TO_POINTER(row))) - 1;
}

guint32 hiera_match_position(const HieraMatch *match, guint32 row)
{
    return GPOINTER_TO_UINT(g_hash_table_lookup(match->position, GUINT_TO_POINTER(row)));
}

guint32 hiera_match_maker(const HieraMatch *match, guint32 row, guint n)
{
    guint low = 0;
    for (guint high = match->starts->len; low < high;) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(match->starts, HieraStart, middle).row < row)
            low = middle + 1;
        else
            high = middle;
    }
    if (n >= match->starts->len - low || g_array_index(match->starts, HieraStart, low + n).row != row)
        return HIERA_NONE;
    return g_array_index(match->starts, HieraStart, low + n).made_by;
}
