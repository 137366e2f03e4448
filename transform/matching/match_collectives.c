/* Collectives: the n-th call of each member on a communicator is one collective.
 *
 * MPI demands that all members call collectives on a communicator in the same order, so calls are counted, and those
 * with the same number put together. Calls among the members of a communicator that is only being made count on the new
 * one. */
#include "base/key_index.h"
#include "base/vocabulary.h"
#include "match_failed.h"
#include <string.h>

/* Counted apart from the calls on a communicator: those that make one among its members, those that make a persistent
 * collective. */
#define MAKES_CONTEXT    0x80000000u
#define MAKES_PERSISTENT 0x40000000u

/* What one processor calls on one object, apart by flags. */
typedef struct {
    guint32 object, flags;
} Place;

/* How many calls there were on it, and the processor's rank among the members. */
typedef struct {
    guint32 n;
    gint32 rank;
} Count;

/* The calls of one collective: those with the same number in one context. */
typedef struct {
    guint32 context, number; /* key */
} GroupKey;

typedef struct {
    GroupKey key;
    guint32 first, n; /* calls, as a list */
} Group;

/* Objects are the communicators and behind them the persistent collectives, one per rank. */
typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *calls;         /* HieraMemberCall */
    GArray *ready;         /* guint32: calls whose context is known, and that are not matched yet */
    guint32 *first, *next; /* by object, by call: lists, of the calls on one object, then of one collective */
    guint32 n_communicators;
    GArray *context; /* guint32 by object */
    guint32 next_context;
    GHashTable *persistent; /* row that made one → object */
    HieraKeyIndex *places;  /* of the processor whose calls are added */
    GArray *counts;         /* Count, by number of the place */
    guint32 processor;
} Collectives;

static guint32 context_of(const Collectives *collectives, guint32 object)
{
    return g_array_index(collectives->context, guint32, object);
}

/* What was counted so far on what a call is made on. */
static Count *find_count(Collectives *collectives, const HieraCommunicator *communicator, const HieraMemberCall *call)
{
    const Place place = {call->object, call->flags};
    guint32 number = hiera_key_index_add(collectives->places, &place);
    if (number == collectives->counts->len) {
        gint32 world_rank = (gint32)collectives->trace->processors[collectives->processor].rank;
        const Count count = {0, hiera_match_rank_in(communicator, world_rank)};
        g_array_append_val(collectives->counts, count);
    }
    return &g_array_index(collectives->counts, Count, number);
}

static void add_call(Collectives *collectives, HieraMemberCall call)
{
    const HieraCommunicator *communicator = hiera_match_communicator(collectives->trace, call.comm);
    if (!communicator) {
        hiera_match_set_reason(collectives->match, call.row, HIERA_REASON_UNDECLARED);
        return;
    }
    Count *count = find_count(collectives, communicator, &call);
    call.number = count->n++;
    call.rank = count->rank;
    call.processor = collectives->processor;
    if (call.rank == HIERA_ABSENT)
        hiera_match_set_reason(collectives->match, call.row, HIERA_REASON_BAD_RANK);
    else
        g_array_append_val(collectives->calls, call);
}

/* The object that a call makes and whose context only the matched call can tell. */
static guint32 find_made(const Collectives *collectives, guint32 row)
{
    guint32 other = hiera_trace_peek_sparse(collectives->trace, row)->other;
    return other != HIERA_NONE && context_of(collectives, other) == HIERA_NONE ? other : HIERA_NONE;
}

/* A new object: each rank's request of a persistent collective. */
static guint32 add_persistent(Collectives *collectives)
{
    guint32 unknown = HIERA_NONE;
    g_array_append_val(collectives->context, unknown);
    return collectives->context->len - 1;
}

static void add_row(Collectives *collectives, guint32 row, const HieraSite *site)
{
    const HieraTrace *trace = collectives->trace;
    HieraMemberCall call = {.row = row, .made_by = row, .comm = trace->comm[row], .makes = HIERA_NONE};
    if (site->kind == HIERA_KIND_GROUP) {
        call.comm = hiera_trace_peek_sparse(trace, row)->other;
        call.flags = MAKES_CONTEXT;
    } else if (hiera_kind_collective(site->kind)) {
        call.makes = find_made(collectives, row);
    } else {
        call.flags = MAKES_PERSISTENT;
        call.makes = add_persistent(collectives);
        g_hash_table_insert(collectives->persistent, GUINT_TO_POINTER(row), GUINT_TO_POINTER(call.makes));
    }
    call.object = call.comm;
    add_call(collectives, call);
}

static void add_start(Collectives *collectives, const HieraStart *start)
{
    gpointer object;
    if (!g_hash_table_lookup_extended(collectives->persistent, GUINT_TO_POINTER(start->made_by), NULL, &object))
        return;
    HieraMemberCall call = {.row = start->row,
                            .made_by = start->made_by,
                            .comm = collectives->trace->comm[start->made_by],
                            .object = GPOINTER_TO_UINT(object),
                            .makes = HIERA_NONE};
    add_call(collectives, call);
}

static gboolean takes_part(const HieraSite *site)
{
    return site->kind == HIERA_KIND_GROUP || hiera_kind_collective(site->kind) || hiera_kind_collective(site->starts);
}

/* Starts lie in the order of processors and time, as rows do here. */
static void add_processor(Collectives *collectives, const GArray *starts, guint *next)
{
    const HieraTrace *trace = collectives->trace;
    const HieraProcessor *of = &trace->processors[collectives->processor];
    g_autofree guint32 *order = hiera_match_order(trace, collectives->processor, FALSE);
    for (guint64 i = 0; i < of->n_operations; i++) {
        guint32 row = hiera_match_row(order, of, i);
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        if (takes_part(site))
            add_row(collectives, row, site);
        for (; *next < starts->len && g_array_index(starts, HieraStart, *next).row == row; (*next)++)
            add_start(collectives, &g_array_index(starts, HieraStart, *next));
    }
}

static void add_all(Collectives *collectives, const GArray *starts)
{
    guint next = 0;
    collectives->counts = g_array_new(FALSE, FALSE, sizeof(Count));
    for (guint32 i = 0; i < collectives->trace->n_processors; i++) {
        collectives->processor = i;
        collectives->places = hiera_key_index_new(sizeof(Place) / sizeof(guint32));
        g_array_set_size(collectives->counts, 0);
        add_processor(collectives, starts, &next);
        g_clear_pointer(&collectives->places, hiera_key_index_free);
    }
    g_clear_pointer(&collectives->counts, g_array_unref);
}

static gint compare_groups(gconstpointer a, gconstpointer b)
{
    const Group *left = a, *right = b;
    if (left->key.context != right->key.context)
        return left->key.context < right->key.context ? -1 : 1;
    return (left->key.number > right->key.number) - (left->key.number < right->key.number);
}

static int compare_ranks(const void *a, const void *b)
{
    const HieraMemberCall *left = a, *right = b;
    return (left->rank > right->rank) - (left->rank < right->rank);
}

/* Did a member not record all of its collectives? */
static gboolean any_filtered(const HieraTrace *trace, const HieraMatch *match, const HieraMemberCall *calls, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        if (hiera_match_lacks(trace, match, calls[i].processor, calls[i].comm, HIERA_LACKS_COLLECTIVES))
            return TRUE;
    }
    return FALSE;
}

/* Calls on an object whose context is known now can be matched. */
static void release(Collectives *collectives, guint32 object)
{
    for (guint32 i = collectives->first[object]; i != HIERA_NONE; i = collectives->next[i])
        g_array_append_val(collectives->ready, i);
    collectives->first[object] = HIERA_NONE;
}

/* What the members of a collective made is one thing: a window, a file, a persistent collective; a communicator if its
 * members are the same. */
static void give_contexts(Collectives *collectives, const HieraMemberCall *calls, guint32 n)
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

static void put_together(Collectives *collectives, const HieraMemberCall *calls, guint32 n)
{
    const HieraTrace *trace = collectives->trace;
    HieraMatch *match = collectives->match;
    gboolean agree = hiera_match_calls_agree(trace, match, calls, n);
    gboolean filtered = any_filtered(trace, match, calls, n);
    HieraReason otherwise = filtered ? HIERA_REASON_FILTERED : HIERA_REASON_MISMATCH;
    HieraReason reason = agree ? hiera_match_find_missing(trace, match, calls, n) : otherwise;
    for (guint32 i = 0; i < n; i++)
        hiera_match_set_reason(match, calls[i].row, reason);
    for (guint32 i = 0; i < n && reason != HIERA_REASON_MATCHED; i++)
        g_hash_table_insert(match->position, GUINT_TO_POINTER(calls[i].row), GUINT_TO_POINTER(calls[i].number + 1));
    if (!agree)
        return;
    HieraCollective collective = {
        .first = match->members->len,
        .n = n,
        .root = hiera_match_find_root(trace, calls, n),
        .comm = calls[0].comm,
        .made_by = calls[0].made_by,
        .whole = reason == HIERA_REASON_MATCHED && !filtered,
        .kind = hiera_match_call_kind(trace, &calls[0]),
    };
    g_array_append_val(match->collectives, collective);
    for (guint32 i = 0; i < n; i++) {
        g_array_append_val(match->members, calls[i].row);
        match->collective_behind[calls[i].row] = match->collectives->len;
    }
    give_contexts(collectives, calls, n);
}

/* Put all calls into the lists of their objects, and release those that wait for nothing. */
static void sort_by_object(Collectives *collectives)
{
    guint n_objects = collectives->context->len;
    collectives->first = g_new(guint32, n_objects + 1);
    collectives->next = g_new(guint32, collectives->calls->len + 1);
    memset(collectives->first, 0xff, n_objects * sizeof *collectives->first); /* HIERA_NONE */
    for (guint i = collectives->calls->len; i-- > 0;) {
        guint32 object = g_array_index(collectives->calls, HieraMemberCall, i).object;
        collectives->next[i] = collectives->first[object];
        collectives->first[object] = i;
    }
    for (guint32 object = 0; object < n_objects; object++) {
        if (context_of(collectives, object) != HIERA_NONE)
            release(collectives, object);
    }
}

/* Sort the calls that are ready into groups; the last call of a list comes first in `ready`. */
static GArray *find_groups(Collectives *collectives, const GArray *ready)
{
    GArray *groups = g_array_new(FALSE, FALSE, sizeof(Group));
    g_autoptr(HieraKeyIndex) keys = hiera_key_index_new(sizeof(GroupKey) / sizeof(guint32));
    for (guint i = ready->len; i-- > 0;) {
        guint32 place = g_array_index(ready, guint32, i);
        const HieraMemberCall *call = &g_array_index(collectives->calls, HieraMemberCall, place);
        const Group empty = {{context_of(collectives, call->object) | call->flags, call->number}, HIERA_NONE, 0};
        guint32 number = hiera_key_index_add(keys, &empty.key);
        if (number == groups->len)
            g_array_append_val(groups, empty);
        Group *group = &g_array_index(groups, Group, number);
        collectives->next[place] = group->first;
        group->first = place;
        group->n++;
    }
    g_array_sort(groups, compare_groups);
    return groups;
}

/* The calls of a group, by rank. */
static void take_group(const Collectives *collectives, const Group *group, GArray *calls)
{
    gboolean sorted = TRUE;
    g_array_set_size(calls, 0);
    for (guint32 i = group->first; i != HIERA_NONE; i = collectives->next[i]) {
        HieraMemberCall call = g_array_index(collectives->calls, HieraMemberCall, i);
        sorted = sorted && (calls->len == 0 || g_array_index(calls, HieraMemberCall, calls->len - 1).rank < call.rank);
        g_array_append_val(calls, call);
    }
    if (!sorted)
        qsort(calls->data, calls->len, sizeof(HieraMemberCall), compare_ranks);
}

/* Match what is ready; that makes the calls ready that are made on what these made. */
static void match_ready(Collectives *collectives)
{
    g_autoptr(GArray) ready = g_steal_pointer(&collectives->ready),
                      calls = g_array_new(FALSE, FALSE, sizeof(HieraMemberCall));
    collectives->ready = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GArray) groups = find_groups(collectives, ready);
    for (guint i = 0; i < groups->len; i++) {
        take_group(collectives, &g_array_index(groups, Group, i), calls);
        put_together(collectives, (const HieraMemberCall *)(void *)calls->data, calls->len);
    }
}

/* A communicator with processes of another job whose making the trace does not hold, as that of MPI_Comm_get_parent:
 * its members in this job have one id for it. */
static void settle_strangers(Collectives *collectives)
{
    g_autofree guint32 *numbers = NULL;
    for (guint32 i = 0; i < collectives->n_communicators; i++) {
        const HieraCommunicator *communicator = hiera_catalog_peek_communicator(collectives->trace->catalog, i);
        if (context_of(collectives, i) != HIERA_NONE || communicator->object || !communicator->declared)
            continue;
        if (!numbers)
            numbers = hiera_match_number_contexts(collectives->trace);
        g_array_index(collectives->context, guint32, i) = numbers[communicator->context];
        release(collectives, i);
    }
}

/* What is left is called on something whose making is not there. */
static void leave_rest(const Collectives *collectives)
{
    for (guint i = 0; i < collectives->calls->len; i++) {
        const HieraMemberCall *call = &g_array_index(collectives->calls, HieraMemberCall, i);
        if (context_of(collectives, call->object) == HIERA_NONE)
            hiera_match_set_reason(collectives->match, call->row, HIERA_REASON_UNDECLARED);
    }
}

static void collectives_init(Collectives *collectives, const HieraTrace *trace, HieraMatch *match)
{
    *collectives = (Collectives){.trace = trace, .match = match};
    collectives->n_communicators = collectives->next_context = hiera_catalog_count_communicators(trace->catalog);
    collectives->calls = g_array_new(FALSE, FALSE, sizeof(HieraMemberCall));
    collectives->ready = g_array_new(FALSE, FALSE, sizeof(guint32));
    collectives->context = g_array_new(FALSE, FALSE, sizeof(guint32));
    collectives->persistent = g_hash_table_new(NULL, NULL);
    g_autofree guint32 *numbers = hiera_match_number_contexts(trace);
    for (guint32 i = 0; i < collectives->n_communicators; i++) {
        const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, i);
        guint32 context = communicator->open ? HIERA_NONE : numbers[communicator->context];
        g_array_append_val(collectives->context, context);
    }
}

/* Level by level: what is called on a window is matched once the call that made it is. */
void hiera_match_collectives(const HieraTrace *trace, HieraMatch *match, const GArray *starts)
{
    Collectives collectives;
    collectives_init(&collectives, trace, match);
    add_all(&collectives, starts);
    hiera_failed_take_out(trace, match, collectives.calls, collectives.context);
    sort_by_object(&collectives);
    do {
        while (collectives.ready->len > 0)
            match_ready(&collectives);
        settle_strangers(&collectives);
    } while (collectives.ready->len > 0);
    leave_rest(&collectives);
    match->context = (guint32 *)(void *)g_array_free(collectives.context, FALSE);
    g_array_unref(collectives.calls);
    g_array_unref(collectives.ready);
    g_free(collectives.first);
    g_free(collectives.next);
    g_hash_table_unref(collectives.persistent);
}
