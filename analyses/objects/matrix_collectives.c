/* matrix --by collective: data that the members of each communicator exchange in collectives. */
#include "calls/summed_visit.h"
#include "matrix.h"
#include "message_scope.h"
#include "message_time.h"
#include "object_names.h"
#include <string.h>

#define COLUMNS(doubt, detail)                                                                                         \
    {"communicator", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},                 \
        {"collectives", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"incomplete", HIERA_CELL_INTEGER, doubt},                \
        {"calls", HIERA_CELL_INTEGER, detail}, {"bytes_out", HIERA_CELL_BYTES, HIERA_ROLE_SUM},                        \
        {"bytes_in", HIERA_CELL_BYTES, HIERA_ROLE_SUM}, {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
static const HieraColumn columns[] = {COLUMNS(HIERA_ROLE_DOUBT, HIERA_ROLE_DETAIL)};
static const HieraColumn row_columns[] = {COLUMNS(HIERA_ROLE_SUM, HIERA_ROLE_SUM)};

/* Sums over the calls of one collective operation on one communicator. */
typedef struct {
    guint32 comm;
    const char *operation; /* name of the collective operation, interned */
    gint64 collectives, incomplete, calls, bytes_out, bytes_in, time_ns;
    GArray *summed;      /* by processor: gint64, number of its calls that the trace has as sums only; NULL: none */
    guint32 summed_comm; /* index of one communicator of the calls in `summed` */
} Sums;

static void free_sums(gpointer data)
{
    g_clear_pointer(&((Sums *)data)->summed, g_array_unref);
    g_free(data);
}

static guint hash_sums(gconstpointer data)
{
    const Sums *sums = data;
    return g_str_hash(sums->operation) ^ sums->comm;
}

static gboolean equal_sums(gconstpointer left, gconstpointer right)
{
    const Sums *a = left, *b = right;
    return a->comm == b->comm && strcmp(a->operation, b->operation) == 0;
}

static Sums *find_sums(GHashTable *all, guint32 comm, const char *operation)
{
    const Sums key = {.comm = comm, .operation = operation};
    Sums *sums = g_hash_table_lookup(all, &key);
    if (!sums)
        g_hash_table_add(all, sums = g_memdup2(&key, sizeof key));
    return sums;
}

/* Add the call of one member. The start of a persistent collective has no sizes, so they are taken from the call that
 * made the request. */
static void add_member(Sums *sums, const HieraTrace *trace, const HieraMessageTime *time, guint32 row, guint32 made_by)
{
    guint32 sized = hiera_trace_peek_site(trace, row)->kind == HIERA_KIND_START ? made_by : row;
    sums->calls++;
    sums->bytes_out = hiera_plus(sums->bytes_out, MAX(trace->bytes[sized], 0));
    sums->bytes_in = hiera_plus(sums->bytes_in, MAX(hiera_trace_peek_sparse(trace, sized)->rbytes, 0));
    sums->time_ns = hiera_plus(sums->time_ns, hiera_message_time_of_row(time, row));
}

/* Return the sums of all collectives in the scope; to be freed with g_hash_table_unref. If there are several processes,
 * that of the first member in the scope counts a collective, and each process adds the calls of its processors. */
static GHashTable *gather(const HieraMatch *match, const HieraScope *scope, const HieraObjectNames *names)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(HieraMessageScope) accepted = hiera_message_scope_new(trace, scope);
    g_autoptr(HieraMessageTime) time = hiera_message_time_new(match);
    GHashTable *all = g_hash_table_new_full(hash_sums, equal_sums, free_sums, NULL);
    guint n, n_members;
    const HieraCollective *collectives = hiera_match_peek_collectives(match, &n);
    for (guint i = 0; i < n; i++) {
        const guint32 *members = hiera_match_peek_members(match, i, &n_members);
        Sums *sums = NULL;
        for (guint member = 0; member < n_members; member++) {
            if (!hiera_message_scope_accepts_row(accepted, members[member]))
                continue;
            gboolean is_own = hiera_scope_is_own(scope, hiera_trace_find_processor(trace, members[member]));
            if (!sums) {
                const char *operation = hiera_trace_peek_site(trace, collectives[i].made_by)->operation;
                sums = find_sums(all, hiera_object_names_find(names, collectives[i].comm), operation);
                sums->collectives += is_own;
                sums->incomplete += is_own && !collectives[i].whole;
            }
            if (is_own)
                add_member(sums, trace, time, members[member], collectives[i].made_by);
        }
    }
    return all;
}

/* --- sums of calls in profiles --- */

typedef struct {
    const HieraMatch *match;
    const HieraTrace *trace;
    const HieraScope *scope;
    const HieraObjectNames *names;
    GHashTable *all;
} Profiles;

static void add_part(const Profiles *profiles, guint32 processor, const char *operation, const HieraPart *part)
{
    Sums *sums = find_sums(profiles->all, hiera_object_names_find(profiles->names, part->comm), operation);
    if (!sums->summed) {
        sums->summed = g_array_new(FALSE, TRUE, sizeof(gint64));
        g_array_set_size(sums->summed, profiles->trace->n_processors);
        sums->summed_comm = part->comm;
    }
    gint64 *calls = &g_array_index(sums->summed, gint64, processor);
    *calls = hiera_plus(*calls, part->calls);
    sums->calls = hiera_plus(sums->calls, part->calls);
    sums->bytes_out = hiera_plus(sums->bytes_out, MAX(part->bytes, 0));
    sums->bytes_in = hiera_plus(sums->bytes_in, MAX(part->rbytes, 0));
    sums->time_ns = hiera_plus(sums->time_ns, MAX(part->time_ns, 0));
}

static void add_parts(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user)
{
    const Profiles *profiles = user;
    gboolean wanted = hiera_kind_collective(summed->site->kind) && place->unit && !place->in_mpi &&
                      hiera_scope_accepts_rank(profiles->scope, profiles->trace->processors[place->processor].rank);
    for (guint i = 0; wanted && i < summed->parts->len; i++) {
        const HieraPart *part = &g_array_index(summed->parts, HieraPart, i);
        if (!part->rest && part->comm != HIERA_NONE)
            add_part(profiles, place->processor, summed->site->operation, part);
    }
}

/* Count collectives of profiles. Each member calls each collective once, so the member with most calls gives their
 * number. */
static void count_collectives(const Profiles *profiles, Sums *sums)
{
    gint64 least = G_MAXINT64, most = 0;
    gint32 rank;
    for (guint i = 0; i < sums->summed->len; i++)
        most = MAX(most, g_array_index(sums->summed, gint64, i));
    for (gint64 i = 0; (rank = hiera_match_member(profiles->match, sums->summed_comm, i)) >= 0; i++) {
        guint32 processor = hiera_trace_find_rank(profiles->trace, (guint32)rank);
        if (processor != HIERA_NONE && hiera_scope_accepts_rank(profiles->scope, rank))
            least = MIN(least, g_array_index(sums->summed, gint64, processor));
    }
    sums->collectives = hiera_plus(sums->collectives, most);
    sums->incomplete = hiera_plus(sums->incomplete, MAX(most - least, 0));
}

static void count_all(const Profiles *profiles)
{
    GHashTableIter iterator;
    gpointer sums;
    g_hash_table_iter_init(&iterator, profiles->all);
    while (g_hash_table_iter_next(&iterator, &sums, NULL))
        if (((Sums *)sums)->summed)
            count_collectives(profiles, sums);
}

/* --- several processes: process 0 gets the sums of all --- */

static void pack_one(HieraPacker *to, const Sums *sums)
{
    const gint64 numbers[] = {sums->comm,      sums->collectives, sums->incomplete, sums->calls,
                              sums->bytes_out, sums->bytes_in,    sums->time_ns,    sums->summed_comm};
    hiera_pack_text(to, sums->operation);
    hiera_pack_bytes(to, numbers, sizeof numbers);
    hiera_pack_number(to, sums->summed != NULL);
    if (sums->summed)
        hiera_pack_array(to, sums->summed);
}

static void pack_sums(HieraPacker *to, gpointer user)
{
    GHashTableIter iterator;
    gpointer sums;
    hiera_pack_number(to, g_hash_table_size(user));
    g_hash_table_iter_init(&iterator, user);
    while (g_hash_table_iter_next(&iterator, &sums, NULL))
        pack_one(to, sums);
}

/* Unpack another process's `summed` and add it; a number is 0 for processors whose trace that process did not read. */
static void unpack_summed(HieraUnpacker *from, Sums *sums, guint32 comm)
{
    g_autoptr(GArray) summed = g_array_new(FALSE, FALSE, sizeof(gint64));
    hiera_unpack_array(from, summed);
    if (!sums->summed) {
        sums->summed = g_steal_pointer(&summed);
        sums->summed_comm = comm;
        return;
    }
    for (guint i = 0; i < summed->len; i++) {
        gint64 *calls = &g_array_index(sums->summed, gint64, i);
        *calls = hiera_plus(*calls, g_array_index(summed, gint64, i));
    }
}

static void unpack_one(HieraUnpacker *from, GHashTable *all)
{
    const char *operation = hiera_unpack_text(from);
    gint64 numbers[8];
    hiera_unpack_bytes(from, numbers, sizeof numbers);
    Sums *sums = find_sums(all, (guint32)numbers[0], operation);
    sums->collectives += numbers[1];
    sums->incomplete += numbers[2];
    sums->calls = hiera_plus(sums->calls, numbers[3]);
    sums->bytes_out = hiera_plus(sums->bytes_out, numbers[4]);
    sums->bytes_in = hiera_plus(sums->bytes_in, numbers[5]);
    sums->time_ns = hiera_plus(sums->time_ns, numbers[6]);
    if (hiera_unpack_number(from))
        unpack_summed(from, sums, (guint32)numbers[7]);
}

static void unpack_sums(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        unpack_one(from, user);
}

/* --- rows of the table --- */

/* Add a row for each Sums; rows with equal names, such as MPI_COMM_SELF of each rank, are merged. */
static void add_rows(const Profiles *profiles, HieraTable *table)
{
    g_autoptr(HieraTable) rows = hiera_table_new("matrix", row_columns, G_N_ELEMENTS(row_columns));
    GHashTableIter iterator;
    gpointer item;
    g_hash_table_iter_init(&iterator, profiles->all);
    while (g_hash_table_iter_next(&iterator, &item, NULL)) {
        const Sums *sums = item;
        hiera_table_add(rows, (HieraCell[]){{.text = hiera_object_names_peek(profiles->names, sums->comm)},
                                            {.text = sums->operation},
                                            {.number = sums->collectives},
                                            {.number = sums->incomplete},
                                            {.number = sums->calls},
                                            {.number = sums->bytes_out},
                                            {.number = sums->bytes_in},
                                            {.number = sums->time_ns}});
    }
    hiera_table_settle(rows);
    for (guint row = 0; row < hiera_table_count(rows); row++)
        hiera_table_add(table, hiera_table_peek_row(rows, row));
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    g_autoptr(HieraObjectNames) names = hiera_object_names_new(match);
    Profiles profiles = {match, hiera_match_peek_trace(match), scope, names, gather(match, scope, names)};
    hiera_summed_visit(profiles.trace, scope, add_parts, &profiles);
    hiera_scope_gather_others(scope, profiles.trace, pack_sums, unpack_sums, profiles.all);
    if (hiera_scope_leads(scope)) {
        count_all(&profiles);
        add_rows(&profiles, table);
    }
    g_hash_table_unref(profiles.all);
    if (hiera_trace_has_sums(profiles.trace))
        hiera_table_limit(table, HIERA_FINDING_SUMS,
                          "profiles have sums: `incomplete` counts calls that other members made more often, and times "
                          "are those of the calls, not of those that complete them");
    return TRUE;
}

const HieraMeasure hiera_matrix_by_collective = {
    .name = "matrix",
    .nothing = "no collective operation",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_SUMS | HIERA_MEASURE_TOGETHER,
    .find = find,
};
