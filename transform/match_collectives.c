/* Collectives: the n-th call of each member on a communicator is one collective.
 *
 * MPI demands that all members call collectives on a communicator in the same order, so calls are counted, and those
 * with the same number put together. Calls among the members of a communicator that is only being made count on the new
 * one. */
#include "match.h"
#include "vocabulary.h"
#include <string.h>

#define MAKES_CONTEXT 0x80000000u /* tells calls that make a communicator from calls on it */

typedef struct {
    guint32 context, number; /* the n-th on it */
    gint32 rank;             /* orders the members */
    guint32 row, comm;
} Call;

typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *calls;
} Collectives;

#define MISSING_NAMED 8 /* ranks that a message names */

/* Rank in an intracommunicator; both groups of an intercommunicator are ordered by world rank. */
static gint32 rank_in(const HieraCommunicator *communicator, gint32 world_rank)
{
    if (!communicator->declared || communicator->remote)
        return world_rank;
    return hiera_ranks_find(communicator->ranks, world_rank);
}

static void add_call(Collectives *collectives, guint32 processor, guint32 row, gboolean makes, GHashTable *numbers)
{
    const HieraTrace *trace = collectives->trace;
    guint32 comm = makes ? trace->newcomm[row] : trace->comm[row];
    const HieraCommunicator *communicator = hiera_match_communicator(trace, comm);
    if (!communicator) {
        hiera_match_set_reason(collectives->match, row, HIERA_REASON_UNDECLARED);
        return;
    }
    guint32 context = communicator->context | (makes ? MAKES_CONTEXT : 0);
    guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, GUINT_TO_POINTER(context)));
    g_hash_table_insert(numbers, GUINT_TO_POINTER(context), GUINT_TO_POINTER(number + 1));
    Call call = {context, number, rank_in(communicator, (gint32)trace->processors[processor].rank), row, comm};
    if (call.rank == HIERA_ABSENT)
        hiera_match_set_reason(collectives->match, row, HIERA_REASON_BAD_RANK);
    else
        g_array_append_val(collectives->calls, call);
}

static void add_processor(Collectives *collectives, guint32 processor)
{
    g_autofree guint32 *rows = hiera_match_order(collectives->trace, processor);
    g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < collectives->trace->processors[processor].n_operations; i++) {
        HieraKind kind = hiera_trace_peek_site(collectives->trace, rows[i])->kind;
        if (hiera_kind_collective(kind) || kind == HIERA_KIND_GROUP)
            add_call(collectives, processor, rows[i], kind == HIERA_KIND_GROUP, numbers);
    }
}

static int compare_calls(const void *a, const void *b)
{
    const Call *left = a, *right = b;
    if (left->context != right->context)
        return left->context < right->context ? -1 : 1;
    if (left->number != right->number)
        return left->number < right->number ? -1 : 1;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

static gboolean is_rooted(HieraKind kind)
{
    return kind == HIERA_KIND_ONE_TO_ALL || kind == HIERA_KIND_ALL_TO_ONE;
}

/* bcast and bcast_c may meet in one collective. */
static gboolean same_operation(const char *left, const char *right)
{
    gsize left_length = strlen(left), right_length = strlen(right);
    left_length -= g_str_has_suffix(left, "_c") ? 2 : 0;
    right_length -= g_str_has_suffix(right, "_c") ? 2 : 0;
    return left == right || (left_length == right_length && memcmp(left, right, left_length) == 0);
}

/* Same call, same root. The roots of an intercommunicator are named differently on both sides. */
static gboolean calls_agree(const HieraTrace *trace, const Call *calls, guint32 n)
{
    const HieraSite *first = hiera_trace_peek_site(trace, calls[0].row);
    gboolean inter = hiera_catalog_peek_communicator(trace->catalog, calls[0].comm)->remote != NULL;
    for (guint32 i = 1; i < n; i++) {
        const HieraSite *site = hiera_trace_peek_site(trace, calls[i].row);
        if (!same_operation(first->operation, site->operation) ||
            (is_rooted(site->kind) && !inter && trace->peer[calls[i].row] != trace->peer[calls[0].row]))
            return FALSE;
    }
    return TRUE;
}

/* In an intercommunicator the root calls itself MPI_ROOT; elsewhere all name its rank. */
static guint32 find_root(const HieraTrace *trace, const Call *calls, guint32 n)
{
    if (!is_rooted(hiera_trace_peek_site(trace, calls[0].row)->kind))
        return HIERA_NONE;
    gboolean inter = hiera_catalog_peek_communicator(trace->catalog, calls[0].comm)->remote != NULL;
    for (guint32 i = 0; i < n; i++) {
        gint32 root = trace->peer[calls[i].row];
        if (inter ? root == HIERA_ROOT : root == calls[i].rank)
            return calls[i].row;
    }
    return HIERA_NONE;
}

static gboolean is_member(const HieraCommunicator *communicator, gint64 rank)
{
    return !communicator->declared || hiera_ranks_contain(communicator->ranks, rank) ||
           (communicator->remote && hiera_ranks_contain(communicator->remote, rank));
}

/* By processor: whether it is among the callers. */
static guint8 *find_callers(const HieraTrace *trace, const Call *calls, guint32 n)
{
    guint8 *called = g_new0(guint8, trace->n_processors);
    for (guint32 i = 0; i < n; i++)
        called[hiera_trace_find_processor(trace, calls[i].row)] = TRUE;
    return called;
}

/* Why members are missing; MATCHED if none is. */
static HieraReason find_missing(const HieraTrace *trace, const Call *calls, guint32 n)
{
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, calls[0].comm);
    gint64 expected = trace->n_processors;
    if (communicator->declared)
        expected = hiera_ranks_count(communicator->ranks) +
                   (communicator->remote ? hiera_ranks_count(communicator->remote) : 0);
    if (n >= expected)
        return HIERA_REASON_MATCHED;
    HieraReason reason = HIERA_REASON_NOT_TRACED;
    guint32 own = hiera_trace_find_processor(trace, calls[0].row);
    g_autofree guint8 *called = find_callers(trace, calls, n);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gint32 rank = (gint32)trace->processors[i].rank;
        if (is_member(communicator, rank) && !called[i])
            reason = MAX(reason, hiera_match_blame(trace, own, rank, HIERA_REASON_NO_PARTNER));
    }
    return reason;
}

static void put_together(Collectives *collectives, const Call *calls, guint32 n)
{
    const HieraTrace *trace = collectives->trace;
    HieraMatch *match = collectives->match;
    gboolean agree = calls_agree(trace, calls, n);
    HieraReason reason = agree ? find_missing(trace, calls, n) : HIERA_REASON_MISMATCH;
    for (guint32 i = 0; i < n; i++)
        hiera_match_set_reason(match, calls[i].row, reason);
    if (!agree)
        return;
    HieraCollective collective = {match->members->len, n, find_root(trace, calls, n), calls[0].comm,
                                  hiera_trace_peek_site(trace, calls[0].row)->kind};
    for (guint32 i = 0; i < n; i++) {
        g_array_append_val(match->members, calls[i].row);
        match->collective[calls[i].row] = match->collectives->len;
    }
    g_array_append_val(match->collectives, collective);
}

/* The n-th member of a communicator, both groups of an intercommunicator behind one another; HIERA_ABSENT behind the
 * last. */
static gint32 member_at(const HieraTrace *trace, const HieraCommunicator *communicator, gint64 n)
{
    if (!communicator->declared)
        return n < trace->n_processors ? (gint32)trace->processors[n].rank : HIERA_ABSENT;
    gint64 local = hiera_ranks_count(communicator->ranks);
    if (n >= local && communicator->remote)
        return hiera_ranks_at(communicator->remote, n - local);
    return hiera_ranks_at(communicator->ranks, n);
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
        if (g_hash_table_contains(present, GINT_TO_POINTER(rank)))
            continue;
        if (named++ < MISSING_NAMED)
            g_string_append_printf(text, "%s%d", text->len ? " " : "", rank);
        else
            g_string_append(text, " …");
    }
    return g_string_free(text, FALSE);
}

void hiera_match_collectives(const HieraTrace *trace, HieraMatch *match)
{
    Collectives collectives = {trace, match, g_array_new(FALSE, FALSE, sizeof(Call))};
    for (guint32 processor = 0; processor < trace->n_processors; processor++)
        add_processor(&collectives, processor);
    g_array_sort(collectives.calls, compare_calls);
    const Call *calls = (const Call *)(void *)collectives.calls->data;
    for (guint first = 0, end; first < collectives.calls->len; first = end) {
        for (end = first + 1; end < collectives.calls->len && calls[end].context == calls[first].context &&
                              calls[end].number == calls[first].number;)
            end++;
        put_together(&collectives, calls + first, end - first);
    }
    g_array_unref(collectives.calls);
}
