/* Histograms of the durations of operations, of message sizes, and of the lengths of stretches of computation.
 *
 * All values are kept, 8 bytes each, because bins of equal width need the smallest and the greatest value first. */
#include "calls/activity.h"
#include "measures.h"
#include "objects/message_scope.h"
#include "threads/thread_forms.h"
#include "values/bins.h"
#include "values/samples.h"
#include "values/unrecorded.h"
#include <string.h>

static const HieraColumn duration_columns[] = {{"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                               {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                               HIERA_BIN_COLUMNS(HIERA_CELL_SECONDS)};
static const HieraColumn size_columns[] = {{"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           HIERA_BIN_COLUMNS(HIERA_CELL_BYTES)};
static const HieraColumn communicator_columns[] = {{"communicator", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                                   HIERA_BIN_COLUMNS(HIERA_CELL_BYTES)};
static const HieraColumn peer_columns[] = {{"peer", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           HIERA_BIN_COLUMNS(HIERA_CELL_BYTES)};
static const HieraColumn rank_columns[] = {{"processor", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           HIERA_BIN_COLUMNS(HIERA_CELL_SECONDS)};

/* --- durations and sizes of operations --- */

typedef struct {
    const HieraScope *scope;
    HieraSamples *samples;
    HieraTable *table;
} Histogram;

static gpointer open_all(const HieraScope *scope)
{
    Histogram *all = g_new0(Histogram, 1);
    *all = (Histogram){scope, hiera_samples_new(), NULL};
    return all;
}

static void merge(gpointer all, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    hiera_samples_merge(((Histogram *)all)->samples, state, processor, keep);
}

/* Add the bins of a site or operation. @param sums  NULL unless some values are known only by powers of two */
static void add_group(const Histogram *all, const HieraSite *site, const gint64 *values, gsize n,
                      const HieraValueSums *sums)
{
    const HieraCell keys[] = {{.text = site->level}, {.text = hiera_site_name(site, all->table)}};
    if (sums && all->scope->options.bins > 0)
        hiera_table_limit(all->table, HIERA_FINDING_SUMS,
                          "--bins needs single operations; profiles have bins between powers of two");
    if (sums)
        hiera_bins_add_sums(all->table, keys, G_N_ELEMENTS(keys), sums);
    else
        hiera_bins_add(all->table, keys, G_N_ELEMENTS(keys), values, n, all->scope->options.bins);
}

static void add_durations(const HieraSite *site, gint64 *const values[HIERA_N_SAMPLES], const gsize n[HIERA_N_SAMPLES],
                          const HieraValueSums *const sums[HIERA_N_SAMPLES], gpointer data)
{
    add_group(data, site, values[HIERA_SAMPLE_DURATION], n[HIERA_SAMPLE_DURATION], sums[HIERA_SAMPLE_DURATION]);
}

static void add_sizes(const HieraSite *site, gint64 *const values[HIERA_N_SAMPLES], const gsize n[HIERA_N_SAMPLES],
                      const HieraValueSums *const sums[HIERA_N_SAMPLES], gpointer data)
{
    add_group(data, site, values[HIERA_SAMPLE_BYTES], n[HIERA_SAMPLE_BYTES], sums[HIERA_SAMPLE_BYTES]);
}

static void close_with(Histogram *all, const HieraCatalog *catalog, HieraTable *table, HieraSampleVisit visit)
{
    all->table = table;
    if (table)
        hiera_samples_visit(all->samples, catalog, HIERA_GROUP_OPERATION, visit, all);
    hiera_samples_free(all->samples);
    g_free(all);
}

static void close_durations(gpointer all, const HieraCatalog *catalog, HieraTable *table)
{
    close_with(all, catalog, table, add_durations);
}

static void close_sizes(gpointer all, const HieraCatalog *catalog, HieraTable *table)
{
    close_with(all, catalog, table, add_sizes);
}

/* --- lengths of computation of each rank --- */

typedef struct {
    const HieraScope *scope;
    HieraActivities activities;
    GArray *stretches; /* gint64: length of each interval of computation, in ns */
    gboolean settled;  /* whether `stretches` has all intervals of the rank */
} Rank;

static void add_stretch(HieraDoing doing, gint64 start_ns, gint64 finish_ns, gpointer data)
{
    Rank *rank = data;
    gint64 time_ns = hiera_scope_clip(rank->scope, start_ns, finish_ns);
    if (doing == HIERA_DOES_COMPUTE && time_ns > 0)
        g_array_append_val(rank->stretches, time_ns);
}

static gpointer begin_rank(const HieraScope *scope, const HieraProcessor *processor)
{
    Rank *rank = g_new0(Rank, 1);
    rank->scope = scope;
    rank->stretches = g_array_new(FALSE, FALSE, sizeof(gint64));
    hiera_activities_begin(&rank->activities, scope, processor, add_stretch, rank);
    return rank;
}

static void operation_of_rank(gpointer data, const HieraOperation *operation)
{
    hiera_activities_add(&((Rank *)data)->activities, operation);
}

static void own_time_of_rank(gpointer data, const HieraOwnTime *own)
{
    hiera_activities_add_own(&((Rank *)data)->activities, own);
}

static void settle_rank(Rank *rank, const HieraProcessor *processor)
{
    if (!rank->settled)
        hiera_activities_end(&rank->activities, processor);
    rank->settled = TRUE;
}

static void pack_rank(gpointer data, const HieraProcessor *processor, HieraPacker *to)
{
    Rank *rank = data;
    settle_rank(rank, processor);
    hiera_pack_array(to, rank->stretches);
}

static gpointer unpack_rank(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)processor;
    Rank *rank = g_new0(Rank, 1);
    *rank = (Rank){.scope = scope, .stretches = g_array_new(FALSE, FALSE, sizeof(gint64)), .settled = TRUE};
    hiera_unpack_array(from, rank->stretches);
    return rank;
}

static void end_rank(gpointer data, const HieraProcessor *processor, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    Rank *rank = data;
    settle_rank(rank, processor);
    if (table && processor->threaded)
        hiera_table_limit(table, HIERA_FINDING_MAIN_THREADS,
                          processor->has_openmp
                              ? "histogram: only main threads count; --by thread has all threads of OpenMP"
                              : HIERA_ONLY_MAIN_THREADS("histogram"));
    if (table)
        hiera_bins_add(table, &(HieraCell){.number = processor->rank}, 1, (const gint64 *)(void *)rank->stretches->data,
                       rank->stretches->len, rank->scope->options.bins);
    g_array_unref(rank->stretches);
    g_free(rank);
}

/* --- sizes of messages --- */

/* Return the key under which a message is counted, for a hash table: an interned text, or a rank + 1. */
typedef gpointer (*KeyOf)(const HieraMatch *match, const HieraMessage *message, guint32 receiver);

/* Return a text as key that is compared by pointer. The catalog has each text once, except for "". */
static gpointer key_of_text(const char *text)
{
    static const char none[] = "";
    return (gpointer)(*text ? text : none);
}

static gpointer communicator_of(const HieraMatch *match, const HieraMessage *message, guint32 receiver)
{
    (void)receiver;
    return key_of_text(hiera_match_comm_id(match, message->comm));
}

static gpointer peer_of(const HieraMatch *match, const HieraMessage *message, guint32 receiver)
{
    (void)match, (void)message;
    return GSIZE_TO_POINTER((gsize)receiver + 1);
}

static void unref_values(gpointer values)
{
    g_array_unref(values);
}

/* Return the sizes of the messages with a key; make an empty entry if there is none. */
static GArray *sizes_of(GHashTable *sizes, gpointer key)
{
    GArray *values = g_hash_table_lookup(sizes, key);
    if (!values)
        g_hash_table_insert(sizes, key, values = g_array_new(FALSE, FALSE, sizeof(gint64)));
    return values;
}

/* Return the sizes of all messages in the scope by key; if there are several processes, the receiver's has the message.
 * To be freed with g_hash_table_unref. */
static GHashTable *gather(const HieraMatch *match, const HieraScope *scope, KeyOf key_of)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(HieraMessageScope) accepted = hiera_message_scope_new(trace, scope);
    GHashTable *sizes = g_hash_table_new_full(NULL, NULL, NULL, unref_values);
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(match, &n);
    for (guint i = 0; i < n; i++) {
        guint32 processor = hiera_trace_find_processor(trace, messages[i].to),
                receiver = trace->processors[processor].rank;
        gint64 bytes = hiera_match_message_bytes(match, i);
        if (bytes < 0 || !hiera_scope_is_own(scope, processor) ||
            !hiera_message_scope_accepts(accepted, messages[i].from, receiver))
            continue;
        g_array_append_val(sizes_of(sizes, key_of(match, &messages[i], receiver)), bytes);
    }
    return sizes;
}

/* Add the rows of all keys, in any order: the table is sorted afterwards. */
static void add_messages(HieraTable *table, GHashTable *sizes, gboolean ranks, guint bins)
{
    GHashTableIter iterator;
    gpointer key, values;
    g_hash_table_iter_init(&iterator, sizes);
    while (g_hash_table_iter_next(&iterator, &key, &values)) {
        const HieraCell cell =
            ranks ? (HieraCell){.number = (gint64)GPOINTER_TO_SIZE(key) - 1} : (HieraCell){.text = key};
        hiera_bins_add(table, &cell, 1, (const gint64 *)(void *)((GArray *)values)->data, ((GArray *)values)->len,
                       bins);
    }
}

/* --- several processes: process 0 gets the sizes of all --- */

typedef struct {
    GHashTable *sizes;
    gboolean ranks; /* TRUE if the keys are ranks + 1, not texts */
} Messages;

static gint compare_sizes(gconstpointer left, gconstpointer right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

/* Pack sizes as pairs: a number of messages, and their size. The number 0 ends the list. */
static void pack_values(HieraPacker *to, GArray *values)
{
    g_array_sort(values, compare_sizes);
    for (guint i = 0, next; i < values->len; i = next) {
        gint64 bytes = g_array_index(values, gint64, i);
        for (next = i + 1; next < values->len && g_array_index(values, gint64, next) == bytes;)
            next++;
        hiera_pack_number(to, next - i);
        hiera_pack_number(to, bytes);
    }
    hiera_pack_number(to, 0);
}

static void unpack_values(HieraUnpacker *from, GArray *values)
{
    for (gint64 n; (n = hiera_unpack_number(from)) > 0;) {
        gint64 bytes = hiera_unpack_number(from);
        for (; n > 0; n--)
            g_array_append_val(values, bytes);
    }
}

static void pack_messages(HieraPacker *to, gpointer user)
{
    const Messages *messages = user;
    GHashTableIter iterator;
    gpointer key, values;
    hiera_pack_number(to, g_hash_table_size(messages->sizes));
    g_hash_table_iter_init(&iterator, messages->sizes);
    while (g_hash_table_iter_next(&iterator, &key, &values)) {
        if (messages->ranks)
            hiera_pack_number(to, (gint64)GPOINTER_TO_SIZE(key));
        else
            hiera_pack_text(to, key);
        pack_values(to, values);
    }
}

static void unpack_messages(HieraUnpacker *from, gpointer user)
{
    const Messages *messages = user;
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        gpointer key =
            messages->ranks ? GSIZE_TO_POINTER((gsize)hiera_unpack_number(from)) : key_of_text(hiera_unpack_text(from));
        unpack_values(from, sizes_of(messages->sizes, key));
    }
}

static void find_messages(const HieraMatch *match, const HieraScope *scope, HieraTable *table, KeyOf key_of,
                          gboolean ranks)
{
    g_autoptr(GHashTable) sizes = gather(match, scope, key_of);
    Messages messages = {sizes, ranks};
    hiera_scope_gather_others(scope, hiera_match_peek_trace(match), pack_messages, unpack_messages, &messages);
    add_messages(table, sizes, ranks, scope->options.bins);
}

static gboolean find_communicators(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    find_messages(match, scope, table, communicator_of, FALSE);
    return TRUE;
}

static gboolean find_peers(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    find_messages(match, scope, table, peer_of, TRUE);
    return TRUE;
}

#define HEAD(of) .name = "histogram", .columns = of, .n_columns = G_N_ELEMENTS(of)
#define SAMPLED(of, add_rows)                                                                                          \
    {                                                                                                                  \
        HEAD(of), .flags = HIERA_MEASURE_BINS, .job = &(const HieraJobOps)                                             \
        {                                                                                                              \
            .read = HIERA_SAMPLES_READ, .open = open_all, .merge = merge, .close = add_rows                            \
        }                                                                                                              \
    }
static const HieraMeasure by_operation = SAMPLED(duration_columns, close_durations),
                          by_size = SAMPLED(size_columns, close_sizes);
#define MATCHED .flags = HIERA_MEASURE_BINS | HIERA_MEASURE_TOGETHER
static const HieraMeasure by_communicator = {HEAD(communicator_columns), MATCHED, .find = find_communicators},
                          by_peer = {HEAD(peer_columns), MATCHED, .find = find_peers};
static const HieraMeasure by_rank = {
    HEAD(rank_columns),
    .flags = HIERA_MEASURE_BINS | HIERA_MEASURE_WHOLE,
    .rank = &(const HieraRankOps){.read = {.begin = begin_rank,
                                           .operation = operation_of_rank,
                                           .records = {.own_time = own_time_of_rank},
                                           .pack = pack_rank,
                                           .unpack = unpack_rank},
                                  .end = end_rank},
};
static const HieraMeasure *const forms[] = {&by_operation, &by_size, &by_communicator,
                                            &by_peer,      &by_rank, &hiera_histogram_by_thread};

const HieraMeasure hiera_measure_histogram = {
    .name = "histogram",
    .help = "how many operations took how long; sizes; useful times",
    .by = "operation,size,communicator,peer,rank,thread",
    .forms = forms,
};
