/* See groups.h. Collectives on one context may have different members if only some of them make a call, so each context
 * has a list of groups. */
#include "groups.h"
#include <string.h>

typedef struct {
    guint32 *ranks; /* indices of the ranks; NULL: not known, for a window without collectives so far */
    guint32 n;
} Members;

struct GroupNumbers {
    GArray *members;   /* Members: ranks of each group, by group number */
    GHashTable *comms; /* first communicator with a context → GArray of guint32: numbers of its groups */
};

struct Groups {
    const RecordedRun *run;
    GroupNumbers *numbers;
    guint32 *comms; /* by context number, which differs between parts of a run: first communicator with this context */
    CollectiveCall *calls;
};

/* --- numbers of communicators and windows in the simulator --- */

static gboolean has_ranks(const Members *members, const guint32 *ranks, guint32 n)
{
    return members->n == n && memcmp(members->ranks, ranks, n * sizeof *ranks) == 0;
}

/* Return the number of the group of a context that has these ranks; new groups get a number. @param ranks  NULL: any */
static guint32 find_group(const Groups *groups, guint32 context, const guint32 *ranks, guint32 n)
{
    GroupNumbers *all = groups->numbers;
    gpointer comm = GUINT_TO_POINTER(context == HIERA_NONE ? HIERA_NONE : groups->comms[context]);
    GArray *numbers = g_hash_table_lookup(all->comms, comm);
    if (!numbers) {
        numbers = g_array_new(FALSE, FALSE, sizeof(guint32));
        g_hash_table_insert(all->comms, comm, numbers);
    }
    for (guint i = 0; i < numbers->len; i++) {
        guint32 number = g_array_index(numbers, guint32, i);
        Members *members = &g_array_index(all->members, Members, number);
        if (ranks && !members->ranks)
            *members = (Members){g_memdup2(ranks, n * sizeof *ranks), n};
        if (!ranks || has_ranks(members, ranks, n))
            return number;
    }
    const Members added = {ranks ? g_memdup2(ranks, n * sizeof *ranks) : NULL, n};
    guint32 number = all->members->len;
    g_array_append_val(all->members, added);
    g_array_append_val(numbers, number);
    return number;
}

guint32 groups_find_window(const Groups *groups, guint32 comm)
{
    return find_group(groups, hiera_match_context(groups->run->match, comm), NULL, 0);
}

const guint32 *group_numbers_peek_ranks(const GroupNumbers *numbers, guint32 group, guint32 *n)
{
    if (group >= numbers->members->len)
        return NULL;
    *n = g_array_index(numbers->members, Members, group).n;
    return g_array_index(numbers->members, Members, group).ranks;
}

static void free_list(gpointer list)
{
    g_array_unref(list);
}

static void clear_members(gpointer members)
{
    g_free(((Members *)members)->ranks);
}

GroupNumbers *group_numbers_new(void)
{
    GroupNumbers *numbers = g_new0(GroupNumbers, 1);
    numbers->members = g_array_new(FALSE, FALSE, sizeof(Members));
    g_array_set_clear_func(numbers->members, clear_members);
    numbers->comms = g_hash_table_new_full(NULL, NULL, NULL, free_list);
    return numbers;
}

void group_numbers_free(GroupNumbers *numbers)
{
    g_array_unref(numbers->members);
    g_hash_table_unref(numbers->comms);
    g_free(numbers);
}

/* --- translating collectives into those of the simulator --- */

typedef enum { MOST_SENT, MOST_RECEIVED, SENT_TO_EACH } BytesOf;

typedef struct {
    const char *name; /* first letters of the operation's name, without the i of non-blocking ones */
    HieraSimCollective collective;
    BytesOf bytes;
} CollectiveName;

/* By name of the operation; the first row whose name fits is used. */
static const CollectiveName collective_names[] = {
    {"barrier", HIERA_SIM_BARRIER, MOST_SENT},     {"bcast", HIERA_SIM_BROADCAST, MOST_SENT},
    {"broadcast", HIERA_SIM_BROADCAST, MOST_SENT}, {"reduce_scatter", HIERA_SIM_REDUCE_SCATTER, SENT_TO_EACH},
    {"reduce", HIERA_SIM_REDUCE, MOST_SENT},       {"allreduce", HIERA_SIM_ALLREDUCE, MOST_SENT},
    {"scan", HIERA_SIM_SCAN, MOST_SENT},           {"exscan", HIERA_SIM_SCAN, MOST_SENT},
    {"gather", HIERA_SIM_GATHER, MOST_SENT},       {"scatter", HIERA_SIM_SCATTER, MOST_RECEIVED},
    {"allgather", HIERA_SIM_ALLGATHER, MOST_SENT}, {"alltoall", HIERA_SIM_ALLTOALL, SENT_TO_EACH},
};

/* Return what a call without a row in collective_names becomes, such as one that makes a communicator; NULL: nothing.
 */
static const CollectiveName *find_by_kind(HieraKind kind)
{
    static const CollectiveName all_to_all = {"", HIERA_SIM_BARRIER, MOST_SENT},
                                one_to_all = {"", HIERA_SIM_BROADCAST, MOST_SENT},
                                all_to_one = {"", HIERA_SIM_REDUCE, MOST_SENT},
                                prefix = {"", HIERA_SIM_SCAN, MOST_SENT};
    switch (kind) {
    case HIERA_KIND_ALL_TO_ALL:
    case HIERA_KIND_GROUP:
        return &all_to_all;
    case HIERA_KIND_ONE_TO_ALL:
        return &one_to_all;
    case HIERA_KIND_ALL_TO_ONE:
        return &all_to_one;
    case HIERA_KIND_PREFIX:
        return &prefix;
    default: /* others, such as collectives of neighbours or on files, are not simulated as collectives */
        return NULL;
    }
}

static const CollectiveName *find_name(const HieraCollective *collective, const HieraTrace *trace)
{
    const char *operation = hiera_trace_peek_site(trace, collective->made_by)->operation;
    for (guint i = 0; i < G_N_ELEMENTS(collective_names); i++) {
        const char *name = collective_names[i].name;
        if (g_str_has_prefix(operation, name) || (operation[0] == 'i' && g_str_has_prefix(operation + 1, name)))
            return &collective_names[i];
    }
    return find_by_kind(collective->kind);
}

static gint64 find_bytes(BytesOf of, const HieraTrace *trace, const guint32 *rows, guint n)
{
    gint64 sent = 0, received = 0;
    for (guint i = 0; i < n; i++) {
        sent = MAX(sent, trace->bytes[rows[i]]);
        received = MAX(received, hiera_trace_peek_sparse(trace, rows[i])->rbytes);
    }
    if (of == MOST_RECEIVED)
        return received;
    return of == MOST_SENT ? sent : sent / MAX(n, 1);
}

static gboolean needs_root(HieraSimCollective collective)
{
    return collective == HIERA_SIM_BROADCAST || collective == HIERA_SIM_REDUCE || collective == HIERA_SIM_GATHER ||
           collective == HIERA_SIM_SCATTER;
}

static CollectiveCall make_call(Groups *groups, guint32 index, const HieraCollective *collective, GArray *ranks)
{
    const HieraTrace *trace = hiera_match_peek_trace(groups->run->match);
    guint n;
    const guint32 *rows = hiera_match_peek_members(groups->run->match, index, &n);
    const CollectiveName *name = find_name(collective, trace);
    gboolean rootless = name && needs_root(name->collective) && collective->root == HIERA_NONE;
    gboolean known =
        collective->whole && name && !rootless && n > 0 && !hiera_match_is_inter(groups->run->match, collective->comm);
    for (guint i = 0; i < n; i++)
        known &= groups->run->is_call[rows[i]];
    if (!known)
        return (CollectiveCall){.known = FALSE};
    g_array_set_size(ranks, 0);
    for (guint i = 0; i < n; i++) {
        guint32 rank = hiera_trace_find_processor(trace, rows[i]);
        g_array_append_val(ranks, rank);
    }
    guint32 context = hiera_match_context(groups->run->match, collective->comm);
    return (CollectiveCall){
        .collective = name->collective,
        .known = TRUE,
        .fence = strcmp(hiera_trace_peek_site(trace, collective->made_by)->operation, "win_fence") == 0,
        .group = find_group(groups, context, (const guint32 *)(const void *)ranks->data, n),
        .root = collective->root == HIERA_NONE ? 0 : hiera_trace_find_processor(trace, collective->root),
        .bytes = sizes_of(groups->run->sizes, find_bytes(name->bytes, trace, rows, n), rows, n)};
}

static guint32 *find_comms(const HieraMatch *match)
{
    guint32 n = hiera_match_count_communicators(match), n_contexts = 0;
    for (guint32 comm = 0; comm < n; comm++) {
        guint32 context = hiera_match_context(match, comm);
        n_contexts = context == HIERA_NONE ? n_contexts : MAX(n_contexts, context + 1);
    }
    guint32 *comms = g_new(guint32, (gsize)n_contexts + 1);
    for (guint32 comm = n; comm-- > 0;) {
        guint32 context = hiera_match_context(match, comm);
        if (context != HIERA_NONE)
            comms[context] = comm;
    }
    return comms;
}

Groups *groups_new(const RecordedRun *run, GroupNumbers *numbers)
{
    guint n;
    const HieraCollective *collectives = hiera_match_peek_collectives(run->match, &n);
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(guint32));
    Groups *groups = g_new0(Groups, 1);
    groups->run = run;
    groups->numbers = numbers;
    groups->comms = find_comms(run->match);
    groups->calls = g_new(CollectiveCall, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++)
        groups->calls[i] = make_call(groups, i, &collectives[i], ranks);
    return groups;
}

void groups_free(Groups *groups)
{
    if (!groups)
        return;
    g_free(groups->comms);
    g_free(groups->calls);
    g_free(groups);
}

const CollectiveCall *groups_peek_call(const Groups *groups, guint32 collective)
{
    return &groups->calls[collective];
}

gboolean groups_are_known(const Groups *groups)
{
    guint n;
    gboolean known = TRUE;
    hiera_match_peek_collectives(groups->run->match, &n);
    for (guint i = 0; i < n; i++)
        known &= groups->calls[i].known;
    return known;
}
