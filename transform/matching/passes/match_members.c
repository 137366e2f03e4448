/* Members of a collective: finds those that took part, and why others did not. */
#include "matching/match_before.h"
#include "matching/match_calls.h"
#include <stdlib.h>

#define MISSING_NAMED 8 /* greatest number of ranks that a message lists */

gint32 hiera_match_rank_in(const HieraCommunicator *communicator, gint32 world_rank)
{
    if (!communicator->declared || communicator->remote)
        return world_rank;
    return hiera_ranks_find(communicator->ranks, world_rank);
}

/* Return the world rank of the n-th member of a communicator; in an intercommunicator the remote group follows the
 * local one. HIERA_ABSENT if there are not so many. */
static gint32 member_at(const HieraTrace *trace, const HieraCommunicator *communicator, gint64 n)
{
    if (!communicator->declared)
        return n < trace->n_processors ? (gint32)trace->processors[n].rank : HIERA_ABSENT;
    gint64 local = hiera_ranks_count(communicator->ranks);
    if (n >= local && communicator->remote)
        return hiera_ranks_at(communicator->remote, n - local);
    return hiera_ranks_at(communicator->ranks, n);
}

gint32 hiera_match_member(const HieraMatch *match, guint32 comm, gint64 n)
{
    if (comm == HIERA_NONE)
        return HIERA_ABSENT;
    return member_at(match->trace, hiera_catalog_peek_communicator(match->trace->catalog, comm), n);
}

static gboolean has_strangers(const HieraCommunicator *communicator)
{
    return hiera_ranks_has_strangers(communicator->ranks) ||
           (communicator->remote && hiera_ranks_has_strangers(communicator->remote));
}

static gboolean is_member(const HieraCommunicator *communicator, gint64 rank)
{
    return !communicator->declared || hiera_ranks_contain(communicator->ranks, rank) ||
           (communicator->remote && hiera_ranks_contain(communicator->remote, rank));
}

static gint64 count_members(const HieraTrace *trace, const HieraCommunicator *communicator)
{
    if (!communicator->declared)
        return trace->n_processors;
    return hiera_ranks_count(communicator->ranks) +
           (communicator->remote ? hiera_ranks_count(communicator->remote) : 0);
}

static int compare_processors(const void *a, const void *b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

/* Return the processors that made the n calls, sorted; to be freed with g_free. */
static guint32 *find_callers(const HieraMemberCall *calls, guint32 n)
{
    guint32 *callers = g_new(guint32, n);
    for (guint32 i = 0; i < n; i++)
        callers[i] = calls[i].processor;
    qsort(callers, n, sizeof *callers, compare_processors);
    return callers;
}

/* Return whether the call of a member that took no part may lie before its trace begins. It also may if the objects are
 * windows or files, as two ranks have different numbers for them. */
static gboolean may_be_before(const HieraTrace *trace, const HieraMatch *match, guint32 processor,
                              const HieraMemberCall *call)
{
    gint64 went = hiera_match_before_calls(match->before, processor, HIERA_BEFORE_CALLS, call->comm);
    gboolean is_plain = call->flags == 0 && call->object == call->comm;
    return trace->processors[processor].before &&
           (!is_plain || went == HIERA_BEFORE_UNKNOWN || went > (gint64)call->number);
}

HieraReason hiera_match_find_missing(const HieraTrace *trace, const HieraMatch *match, const HieraMemberCall *calls,
                                     guint32 n)
{
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, calls[0].comm);
    gint64 expected = count_members(trace, communicator), explained = n;
    if (n >= expected)
        return HIERA_REASON_MATCHED;
    HieraReason reason = has_strangers(communicator) ? HIERA_REASON_ELSEWHERE : HIERA_REASON_MATCHED;
    g_autofree guint32 *callers = find_callers(calls, n);
    /* If not small, go through processors instead of members, because a trace may claim billions of members. */
    gboolean small = expected <= trace->n_processors;
    for (gint64 i = 0; i < MIN(expected, trace->n_processors); i++) {
        gint32 rank = small ? member_at(trace, communicator, i) : (gint32)trace->processors[i].rank;
        guint32 processor = small ? hiera_trace_find_rank(trace, rank) : (guint32)i;
        if (processor == HIERA_NONE || bsearch(&processor, callers, n, sizeof *callers, compare_processors))
            continue;
        if (!small && !is_member(communicator, rank))
            continue;
        explained++;
        HieraReason why =
            may_be_before(trace, match, processor, &calls[0])
                ? HIERA_REASON_BEFORE
                : hiera_match_blame(trace, match, calls[0].processor, rank, calls[0].comm, HIERA_LACKS_COLLECTIVES);
        reason = MAX(reason, why);
    }
    if (explained < expected && !has_strangers(communicator))
        reason = MAX(reason, HIERA_REASON_NOT_TRACED);
    return reason;
}

char *hiera_match_missing(const HieraTrace *trace, const HieraMatch *match, guint32 number)
{
    const HieraCollective *collective = &g_array_index(match->collectives, HieraCollective, number);
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, collective->comm);
    g_autoptr(GHashTable) present = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < collective->n; i++) {
        guint32 row = g_array_index(match->members, guint32, collective->first + i);
        g_hash_table_add(present, GUINT_TO_POINTER(trace->processors[hiera_trace_find_processor(trace, row)].rank));
    }
    GString *text = g_string_new(NULL);
    gint32 rank;
    guint named = 0;
    for (gint64 n = 0; (rank = member_at(trace, communicator, n)) != HIERA_ABSENT && named <= MISSING_NAMED; n++) {
        if (rank == HIERA_STRANGER || g_hash_table_contains(present, GINT_TO_POINTER(rank)))
            continue;
        if (named++ < MISSING_NAMED)
            g_string_append_printf(text, "%s%d", text->len ? " " : "", rank);
        else
            g_string_append(text, " …");
    }
    return g_string_free(text, FALSE);
}
