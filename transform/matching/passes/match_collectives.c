/* Collectives: the n-th calls of all members on a communicator are one collective.
 *
 * MPI requires that all members call the collectives of a communicator in the same order. So calls with the same number
 * (match_call_numbers.c) belong together. */
#include "base/key_index.h"
#include "matching/match_failed.h"
#include <string.h>

/* Key of a collective: its calls have the same number in the same context. */
typedef struct {
    guint32 context, number; /* context: combined by | with the calls' flags */
} GroupKey;

typedef struct {
    GroupKey key;
    guint32 first, n; /* index of the first call, to which others are linked by Collectives.next; number of calls */
} Group;

/* State. Numbers of objects: first communicators (windows, files), then each rank's persistent collectives. */
typedef struct {
    const HieraTrace *trace;
    HieraMatch *match;
    GArray *calls;  /* HieraMemberCall */
    GArray *ready;  /* guint32, indices of calls that are not matched yet and whose context is known */
    guint32 *first; /* by object: index of the first call that waits for the object's context */
    guint32 *next;  /* by call: index of the next one that waits for the same object; later, of the next one of the same
                       collective */
    guint32 n_communicators;
    GArray *context; /* guint32: context of each object; HIERA_NONE: not known yet */
    guint32 next_context;
} Collectives;

static guint32 context_of(const Collectives *collectives, guint32 object)
{
    return g_array_index(collectives->context, guint32, object);
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

/* Whether one of the callers did not record all of its collectives. */
static gboolean any_filtered(const HieraTrace *trace, const HieraMatch *match, const HieraMemberCall *calls, guint32 n)
{
    for (guint32 i = 0; i < n; i++) {
        if (hiera_match_lacks(trace, match, calls[i].processor, calls[i].comm, HIERA_LACKS_COLLECTIVES))
            return TRUE;
    }
    return FALSE;
}

/* Move the calls on an object whose context is now known to `ready`. */
static void release(Collectives *collectives, guint32 object)
{
    for (guint32 i = collectives->first[object]; i != HIERA_NONE; i = collectives->next[i])
        g_array_append_val(collectives->ready, i);
    collectives->first[object] = HIERA_NONE;
}

/* Give one context to the objects that the members of a collective created: they are the same window, file or
 * persistent collective. Communicators are the same only if their members are (MPI_Comm_split creates several). */
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

/* Make a collective of calls that have the same number, if they agree; else store why each call has no partners. */
static void match_group(Collectives *collectives, const HieraMemberCall *calls, guint32 n)
{
    const HieraTrace *trace = collectives->trace;
    HieraMatch *match = collectives->match;
    gboolean agree = hiera_match_calls_agree(trace, match, calls, n);
    gboolean filtered = any_filtered(trace, match, calls, n);
    HieraReason disagreement = filtered ? HIERA_REASON_FILTERED : HIERA_REASON_MISMATCH;
    HieraReason reason = agree ? hiera_match_find_missing(trace, match, calls, n) : disagreement;
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

/* Put all calls into the lists of their objects, and move those whose context is known to `ready`. */
static void sort_by_object(Collectives *collectives)
{
    guint n_objects = collectives->context->len;
    collectives->first = g_new(guint32, n_objects + 1);
    collectives->next = g_new(guint32, collectives->calls->len + 1);
    memset(collectives->first, 0xff, n_objects * sizeof *collectives->first); /* HIERA_NONE: empty lists */
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

/* Return the groups (Group) of calls that are ready, sorted; to be freed with g_array_unref. Goes through `ready`
 * backwards, because adding a call to the front of a group's list reverses the order again. */
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

/* Replace the contents of `calls` by the calls of one collective, sorted by rank. */
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

/* Match all calls in `ready`. If they created objects, the calls on these objects become ready. */
static void match_ready(Collectives *collectives)
{
    g_autoptr(GArray) ready = g_steal_pointer(&collectives->ready),
                      calls = g_array_new(FALSE, FALSE, sizeof(HieraMemberCall));
    collectives->ready = g_array_new(FALSE, FALSE, sizeof(guint32));
    g_autoptr(GArray) groups = find_groups(collectives, ready);
    for (guint i = 0; i < groups->len; i++) {
        take_group(collectives, &g_array_index(groups, Group, i), calls);
        match_group(collectives, (const HieraMemberCall *)(void *)calls->data, calls->len);
    }
}

/* Give contexts to communicators with processes of another job if the trace has no call that created them, for
 * example the communicator of MPI_Comm_get_parent. All ranks of this job use the same id for such a communicator. */
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

/* Store why calls on objects without context have no partners: the trace has no call that created the object. */
static void blame_undeclared(const Collectives *collectives)
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
    g_autofree guint32 *numbers = hiera_match_number_contexts(trace);
    for (guint32 i = 0; i < collectives->n_communicators; i++) {
        const HieraCommunicator *communicator = hiera_catalog_peek_communicator(trace->catalog, i);
        guint32 context = communicator->open ? HIERA_NONE : numbers[communicator->context];
        g_array_append_val(collectives->context, context);
    }
}

/* Works in rounds: calls on a window are matched in the round after the call that created the window. */
void hiera_match_collectives(const HieraTrace *trace, HieraMatch *match, const GArray *starts)
{
    Collectives collectives;
    collectives_init(&collectives, trace, match);
    hiera_match_number_calls(trace, match, starts, collectives.context, collectives.calls);
    hiera_failed_take_out(trace, match, collectives.calls, collectives.context);
    sort_by_object(&collectives);
    do {
        while (collectives.ready->len > 0)
            match_ready(&collectives);
        settle_strangers(&collectives);
    } while (collectives.ready->len > 0);
    blame_undeclared(&collectives);
    match->context = (guint32 *)(void *)g_array_free(collectives.context, FALSE);
    g_array_unref(collectives.calls);
    g_array_unref(collectives.ready);
    g_free(collectives.first);
    g_free(collectives.next);
}
