/* Collectives: the n-th call of each member on a communicator is one collective.
 *
 * MPI demands that all members call collectives on a communicator in the same order, so calls are counted, and those
 * with the same number put together. Calls among the members of a communicator that is only being made count on the new
 * one. */
#include "match.h"
#include "vocabulary.h"
#include <string.h>

/* Counted apart from the calls on a communicator: those that make one among its members, those that make a persistent
 * collective. */
#define MAKES_CONTEXT    0x80000000u
#define MAKES_PERSISTENT 0x40000000u

typedef struct {
    guint32 context, number; /* the n-th on it */
    gint32 rank;             /* orders the members */
    guint32 row, comm;
    guint32 made_by; /* row with the arguments: of a start the one that made the request, else `row` */
    guint32 object;  /* what it is counted on: a communicator, or a persistent collective */
    guint32 makes;   /* object whose context the call makes, or HIERA_NONE */
    guint32 flags;
} Call;

/* Objects are the communicators and behind them the persistent collectives, one per rank. */
typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *calls;
    GArray *ready; /* those whose context is known, and that are not matched yet */
    guint32 *first,
        *next; /* by object, by call: the other calls, as lists of those on one object; HIERA_NONE ends them */
    guint32 n_communicators;
    GArray *context; /* guint32 by object */
    guint32 next_context;
    GHashTable *persistent; /* row that made one → object */
} Collectives;

#define MISSING_NAMED 8 /* ranks that a message names */

/* Rank in an intracommunicator; both groups of an intercommunicator are ordered by world rank. */
static gint32 rank_in(const HieraCommunicator *communicator, gint32 world_rank)
{
    if (!communicator->declared || communicator->remote)
        return world_rank;
    return hiera_ranks_find(communicator->ranks, world_rank);
}

static guint32 context_of(const Collectives *collectives, guint32 object)
{
    return g_array_index(collectives->context, guint32, object);
}

static void add_call(Collectives *collectives, guint32 processor, Call call, GHashTable *numbers)
{
    const HieraCommunicator *communicator = hiera_match_communicator(collectives->trace, call.comm);
    if (!communicator) {
        hiera_match_set_reason(collectives->match, call.row, HIERA_REASON_UNDECLARED);
        return;
    }
    guint64 key = (guint64)call.flags << 32 | call.object;
    guint32 number = GPOINTER_TO_UINT(g_hash_table_lookup(numbers, GSIZE_TO_POINTER((gsize)key)));
    g_hash_table_insert(numbers, GSIZE_TO_POINTER((gsize)key), GUINT_TO_POINTER(number + 1));
    call.number = number;
    call.rank = rank_in(communicator, (gint32)collectives->trace->processors[processor].rank);
    if (call.rank == HIERA_ABSENT)
        hiera_match_set_reason(collectives->match, call.row, HIERA_REASON_BAD_RANK);
    else
        g_array_append_val(collectives->calls, call);
}

/* The object that a call makes and whose context only the matched call can tell. */
static guint32 find_made(const Collectives *collectives, guint32 row)
{
    guint32 other = collectives->trace->other[row];
    return other != HIERA_NONE && context_of(collectives, other) == HIERA_NONE ? other : HIERA_NONE;
}

static void add_row(Collectives *collectives, guint32 processor, guint32 row, GHashTable *numbers)
{
    const HieraTrace *trace = collectives->trace;
    const HieraSite *site = hiera_trace_peek_site(trace, row);
    Call call = {.row = row, .made_by = row, .comm = trace->comm[row], .makes = HIERA_NONE};
    if (site->kind == HIERA_KIND_GROUP) {
        call.comm = trace->other[row];
        call.flags = MAKES_CONTEXT;
    } else if (hiera_kind_collective(site->kind)) {
        call.makes = find_made(collectives, row);
    } else if (hiera_kind_collective(site->starts)) {
        guint32 unknown = HIERA_NONE;
        call.flags = MAKES_PERSISTENT;
        call.makes = collectives->context->len;
        g_array_append_val(collectives->context, unknown);
        g_hash_table_insert(collectives->persistent, GUINT_TO_POINTER(row), GUINT_TO_POINTER(call.makes));
    } else {
        return;
    }
    call.object = call.comm;
    add_call(collectives, processor, call, numbers);
}

static void add_start(Collectives *collectives, guint32 processor, const HieraStart *start, GHashTable *numbers)
{
    gpointer object;
    if (!g_hash_table_lookup_extended(collectives->persistent, GUINT_TO_POINTER(start->made_by), NULL, &object))
        return;
    Call call = {.row = start->row,
                 .made_by = start->made_by,
                 .comm = collectives->trace->comm[start->made_by],
                 .object = GPOINTER_TO_UINT(object),
                 .makes = HIERA_NONE};
    add_call(collectives, processor, call, numbers);
}

/* Starts lie in the order of processors and time. */
static void add_all(Collectives *collectives, const GArray *starts)
{
    const HieraTrace *trace = collectives->trace;
    guint next = 0;
    for (guint32 processor = 0; processor < trace->n_processors; processor++) {
        g_autofree guint32 *rows = hiera_match_order(trace, processor, FALSE);
        g_autoptr(GHashTable) numbers = g_hash_table_new(NULL, NULL);
        for (guint32 i = 0; i < trace->processors[processor].n_operations; i++) {
            add_row(collectives, processor, rows[i], numbers);
            for (; next < starts->len && g_array_index(starts, HieraStart, next).row == rows[i]; next++)
                add_start(collectives, processor, &g_array_index(starts, HieraStart, next), numbers);
        }
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

/* What the members do: of a start what it starts. */
static HieraKind kind_of(const HieraTrace *trace, const Call *call)
{
    const HieraSite *site = hiera_trace_peek_site(trace, call->made_by);
    return call->row == call->made_by ? site->kind : site->starts;
}

static gboolean is_inter(const HieraTrace *trace, const Call *call)
{
    return hiera_catalog_peek_communicator(trace->catalog, call->comm)->remote != NULL;
}

/* Do two members do the same? */
static gboolean two_agree(const HieraTrace *trace, const Call *left, const Call *right)
{
    const HieraSite *a = hiera_trace_peek_site(trace, left->made_by), *b = hiera_trace_peek_site(trace, right->made_by);
    HieraKind kind = kind_of(trace, left);
    gboolean rooted = is_rooted(kind) && !is_inter(trace, left);
    return same_operation(a->operation, b->operation) &&
           (!rooted || trace->peer[left->made_by] == trace->peer[right->made_by]) &&
           (!hiera_kind_collective(kind) || trace->rtag[left->made_by] == trace->rtag[right->made_by]);
}

/* Same call, same root, same operator; the roots of an intercommunicator are named differently on both sides. Of those
 * that differ it is noted with whom. */
static gboolean calls_agree(Collectives *collectives, const Call *calls, guint32 n)
{
    guint32 first = 1;
    while (first < n && two_agree(collectives->trace, &calls[0], &calls[first]))
        first++;
    for (guint32 i = 0; first < n && i < n; i++) {
        guint32 other = two_agree(collectives->trace, &calls[0], &calls[i]) ? first : 0;
        g_hash_table_insert(collectives->match->differs, GUINT_TO_POINTER(calls[i].row),
                            GUINT_TO_POINTER(calls[other].row + 1));
    }
    return first >= n;
}

/* In an intercommunicator the root calls itself MPI_ROOT; elsewhere all name its rank. */
static guint32 find_root(const HieraTrace *trace, const Call *calls, guint32 n)
{
    if (!is_rooted(kind_of(trace, &calls[0])))
        return HIERA_NONE;
    gboolean inter = is_inter(trace, &calls[0]);
    for (guint32 i = 0; i < n; i++) {
        gint32 root = trace->peer[calls[i].made_by];
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

static gboolean has_strangers(const HieraCommunicator *communicator)
{
    return hiera_ranks_has_strangers(communicator->ranks) ||
           (communicator->remote && hiera_ranks_has_strangers(communicator->remote));
}

/* Why members are missing; MATCHED if none is. */
static HieraReason find_missing(const HieraTrace *trace, const HieraMatch *match, const Call *calls, guint32 n)
{
    const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, calls[0].comm);
    gint64 expected = trace->n_processors;
    if (communicator->declared)
        expected = hiera_ranks_count(communicator->ranks) +
                   (communicator->remote ? hiera_ranks_count(communicator->remote) : 0);
    if (n >= expected)
        return HIERA_REASON_MATCHED;
    HieraReason reason = has_strangers(communicator) ? HIERA_REASON_ELSEWHERE : HIERA_REASON_MATCHED;
    gint64 explained = n;
    guint32 own = hiera_trace_find_processor(trace, calls[0].row);
    g_autofree guint8 *called = find_callers(trace, calls, n);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        gint32 rank = (gint32)trace->processors[i].rank;
        if (!is_member(communicator, rank) || called[i])
            continue;
        explained++;
        reason = MAX(reason, hiera_match_blame(trace, match, own, rank, calls[0].comm, HIERA_LACKS_COLLECTIVES));
    }
    if (explained < expected && !has_strangers(communicator))
        reason = MAX(reason, HIERA_REASON_NOT_TRACED);
    return reason;
}

/* Did a member not record all of its collectives? */
static gboolean any_filtered(const HieraTrace *trace, const HieraMatch *match, const Call *calls, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        guint32 processor = hiera_trace_find_processor(trace, calls[i].row);
        if (hiera_match_lacks(trace, match, processor, calls[i].comm, HIERA_LACKS_COLLECTIVES))
            return TRUE;
    }
    return FALSE;
}

/* Calls on an object whose context is known now can be matched. */
static void release(Collectives *collectives, guint32 object)
{
    for (guint32 i = collectives->first[object]; i != HIERA_NONE; i = collectives->next[i]) {
        Call call = g_array_index(collectives->calls, Call, i);
        call.context = context_of(collectives, object) | call.flags;
        g_array_append_val(collectives->ready, call);
    }
    collectives->first[object] = HIERA_NONE;
}

/* What the members of a collective made is one thing: a window, a file, a persistent collective; a communicator if its
 * members are the same. */
static void give_contexts(Collectives *collectives, const Call *calls, guint32 n)
{
    g_autoptr(GHashTable) given = NULL;
    for (guint32 i = 0; i < n; i++) {
        if (calls[i].makes == HIERA_NONE)
            continue;
        const char *members = "";
        if (calls[i].makes < collectives->n_communicators)
            members = hiera_catalog_peek_communicator(collectives->trace->catalog, calls[i].makes)->ranks_text;
        given = given ? given : g_hash_table_new(g_str_hash, g_str_equal);
        guint32 context = GPOINTER_TO_UINT(g_hash_table_lookup(given, members));
        if (context == 0) {
            context = ++collectives->next_context;
            g_hash_table_insert(given, (gpointer)members, GUINT_TO_POINTER(context));
        }
        g_array_index(collectives->context, guint32, calls[i].makes) = context;
        release(collectives, calls[i].makes);
    }
}

static void put_together(Collectives *collectives, const Call *calls, guint32 n)
{
    const HieraTrace *trace = collectives->trace;
    HieraMatch *match = collectives->match;
    gboolean agree = calls_agree(collectives, calls, n);
    gboolean filtered = any_filtered(trace, match, calls, n);
    HieraReason otherwise = filtered ? HIERA_REASON_FILTERED : HIERA_REASON_MISMATCH;
    HieraReason reason = agree ? find_missing(trace, match, calls, n) : otherwise;
    for (guint32 i = 0; i < n; i++)
        hiera_match_set_reason(match, calls[i].row, reason);
    for (guint32 i = 0; i < n && reason != HIERA_REASON_MATCHED; i++)
        g_hash_table_insert(match->position, GUINT_TO_POINTER(calls[i].row), GUINT_TO_POINTER(calls[i].number + 1));
    if (!agree)
        return;
    HieraCollective collective = {
        match->members->len,        n,
        find_root(trace, calls, n), calls[0].comm,
        calls[0].made_by,           reason == HIERA_REASON_MATCHED && !filtered && !is_inter(trace, &calls[0]),
        kind_of(trace, &calls[0])};
    for (guint32 i = 0; i < n; i++) {
        g_array_append_val(match->members, calls[i].row);
        match->collective[calls[i].row] = match->collectives->len;
    }
    g_array_append_val(match->collectives, collective);
    give_contexts(collectives, calls, n);
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

/* Put all calls into the lists of their objects, and release those that wait for nothing. */
static void sort_by_object(Collectives *collectives)
{
    guint n_objects = collectives->context->len;
    collectives->first = g_new(guint32, n_objects + 1);
    collectives->next = g_new(guint32, collectives->calls->len + 1);
    memset(collectives->first, 0xff, n_objects * sizeof *collectives->first); /* HIERA_NONE */
    for (guint i = collectives->calls->len; i-- > 0;) {
        guint32 object = g_array_index(collectives->calls, Call, i).object;
        collectives->next[i] = collectives->first[object];
        collectives->first[object] = i;
    }
    for (guint32 object = 0; object < n_objects; object++) {
        if (context_of(collectives, object) != HIERA_NONE)
            release(collectives, object);
    }
}

/* Match what is ready; that makes the calls ready that are made on what these made. */
static void match_ready(Collectives *collectives)
{
    g_autoptr(GArray) ready = g_steal_pointer(&collectives->ready);
    collectives->ready = g_array_new(FALSE, FALSE, sizeof(Call));
    g_array_sort(ready, compare_calls);
    const Call *calls = (const Call *)(void *)ready->data;
    for (guint first = 0, end; first < ready->len; first = end) {
        for (end = first + 1; end < ready->len && calls[end].context == calls[first].context &&
                              calls[end].number == calls[first].number;)
            end++;
        put_together(collectives, calls + first, end - first);
    }
}

/* What is left is called on something whose making is not there. */
static void leave_rest(const Collectives *collectives)
{
    for (guint i = 0; i < collectives->calls->len; i++) {
        const Call *call = &g_array_index(collectives->calls, Call, i);
        if (context_of(collectives, call->object) == HIERA_NONE)
            hiera_match_set_reason(collectives->match, call->row, HIERA_REASON_UNDECLARED);
    }
}

static void collectives_init(Collectives *collectives, const HieraTrace *trace, HieraMatch *match)
{
    *collectives = (Collectives){.trace = trace, .match = match};
    collectives->n_communicators = collectives->next_context = hiera_catalog_count_communicators(trace->catalog);
    collectives->calls = g_array_new(FALSE, FALSE, sizeof(Call));
    collectives->ready = g_array_new(FALSE, FALSE, sizeof(Call));
    collectives->context = g_array_new(FALSE, FALSE, sizeof(guint32));
    collectives->persistent = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < collectives->n_communicators; i++) {
        const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, i);
        guint32 context = communicator->open ? HIERA_NONE : communicator->context;
        g_array_append_val(collectives->context, context);
    }
}

/* Level by level: what is called on a window is matched once the call that made it is. */
void hiera_match_collectives(const HieraTrace *trace, HieraMatch *match, const GArray *starts)
{
    Collectives collectives;
    collectives_init(&collectives, trace, match);
    add_all(&collectives, starts);
    sort_by_object(&collectives);
    while (collectives.ready->len > 0)
        match_ready(&collectives);
    leave_rest(&collectives);
    match->context = (guint32 *)(void *)g_array_free(collectives.context, FALSE);
    g_array_unref(collectives.calls);
    g_array_unref(collectives.ready);
    g_free(collectives.first);
    g_free(collectives.next);
    g_hash_table_unref(collectives.persistent);
}
