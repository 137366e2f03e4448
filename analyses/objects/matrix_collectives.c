/* matrix --by collective: what the members of each communicator exchange in collectives. */
#include "matrix.h"
#include "message_scope.h"
#include "message_time.h"
#include "object_names.h"

static const HieraColumn columns[] = {
    {"communicator", HIERA_CELL_TEXT, HIERA_ROLE_KEY},   {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"collectives", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"incomplete", HIERA_CELL_INTEGER, HIERA_ROLE_DOUBT},
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},    {"bytes_out", HIERA_CELL_BYTES, HIERA_ROLE_SUM},
    {"bytes_in", HIERA_CELL_BYTES, HIERA_ROLE_SUM},      {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
};

/* Sums of an operation on a communicator. */
typedef struct {
    guint32 comm;
    const char *operation; /* interned */
    gint64 collectives, incomplete, calls, bytes_out, bytes_in, time_ns;
} Sums;

static guint hash_sums(gconstpointer data)
{
    const Sums *sums = data;
    return (guint)(((guintptr)sums->operation ^ sums->comm) * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> 32);
}

static gboolean equal_sums(gconstpointer left, gconstpointer right)
{
    const Sums *a = left, *b = right;
    return a->comm == b->comm && a->operation == b->operation;
}

static Sums *find_sums(GHashTable *all, guint32 comm, const char *operation)
{
    const Sums key = {.comm = comm, .operation = operation};
    Sums *sums = g_hash_table_lookup(all, &key);
    if (!sums)
        g_hash_table_add(all, sums = g_memdup2(&key, sizeof key));
    return sums;
}

/* Add the call of a member. The start of a persistent collective has no sizes: it moves what its first member's request
 * was made for. */
static void add_member(Sums *sums, const HieraTrace *trace, const HieraMessageTime *time, guint32 row, guint32 made_by)
{
    guint32 sized = hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_START ? made_by : row;
    sums->calls++;
    sums->bytes_out = hiera_plus(sums->bytes_out, MAX(trace->bytes[sized], 0));
    sums->bytes_in = hiera_plus(sums->bytes_in, MAX(hiera_trace_peek_sparse(trace, sized)->rbytes, 0));
    sums->time_ns = hiera_plus(sums->time_ns, hiera_message_time_of_row(time, row));
}

/* Return the sums of all collectives in the scope; to be freed with g_hash_table_unref. */
static GHashTable *gather(const HieraMatch *match, const HieraScope *scope, const HieraObjectNames *names)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(HieraMessageScope) accepted = hiera_message_scope_new(trace, scope);
    g_autoptr(HieraMessageTime) time = hiera_message_time_new(match);
    GHashTable *all = g_hash_table_new_full(hash_sums, equal_sums, g_free, NULL);
    guint n, n_members;
    const HieraCollective *collectives = hiera_match_peek_collectives(match, &n);
    for (guint i = 0; i < n; i++) {
        const guint32 *members = hiera_match_peek_members(match, i, &n_members);
        Sums *sums = NULL;
        for (guint member = 0; member < n_members; member++) {
            if (!hiera_message_scope_accepts_row(accepted, members[member]))
                continue;
            if (!sums) {
                const char *operation = hiera_trace_peek_site(trace, collectives[i].made_by)->operation;
                sums = find_sums(all, hiera_object_names_find(names, collectives[i].comm), operation);
                sums->collectives++;
                sums->incomplete += !collectives[i].whole;
            }
            add_member(sums, trace, time, members[member], collectives[i].made_by);
        }
    }
    return all;
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(HieraObjectNames) names = hiera_object_names_new(match);
    g_autoptr(GHashTable) all = gather(match, scope, names);
    GHashTableIter iterator;
    gpointer item;
    g_hash_table_iter_init(&iterator, all);
    while (g_hash_table_iter_next(&iterator, &item, NULL)) {
        const Sums *sums = item;
        hiera_table_add(table, (HieraCell[]){{.text = hiera_object_names_peek(names, sums->comm)},
                                             {.text = sums->operation},
                                             {.number = sums->collectives},
                                             {.number = sums->incomplete},
                                             {.number = sums->calls},
                                             {.number = sums->bytes_out},
                                             {.number = sums->bytes_in},
                                             {.number = sums->time_ns}});
    }
    return TRUE;
}

const HieraMeasure hiera_matrix_by_collective = {
    .name = "matrix",
    .nothing = "no collective operation",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .find = find,
};
