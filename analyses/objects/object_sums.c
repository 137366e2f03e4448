#include "object_sums.h"
#include "calls/summed_visit.h"
#include "message_scope.h"
#include "message_time.h"
#include "object_names.h"
#include "values/outermost.h"

/* A sum while rows are added, and the part of its time from the current processor: rows come processor by processor. */
typedef struct {
    HieraObjectSum sum;
    guint32 processor;
    gint64 processor_ns;
} Sum;

static guint hash_sum(gconstpointer data)
{
    const HieraObjectSum *sum = &((const Sum *)data)->sum;
    guint64 mixed = (guintptr)sum->object * 3 ^ (guintptr)sum->word ^ (guint64)sum->rank << 40;
    return (guint)(mixed * G_GUINT64_CONSTANT(0x9E3779B97F4A7C15) >> 32);
}

static gboolean equal_sums(gconstpointer left, gconstpointer right)
{
    const HieraObjectSum *a = &((const Sum *)left)->sum, *b = &((const Sum *)right)->sum;
    return a->object == b->object && a->word == b->word && a->rank == b->rank;
}

static void end_processor(Sum *sum)
{
    sum->sum.max_ns = MAX(sum->sum.max_ns, sum->processor_ns);
    sum->processor_ns = 0;
}

static Sum *take(GHashTable *sums, const Sum *key)
{
    Sum *sum = g_hash_table_lookup(sums, key);
    if (!sum)
        g_hash_table_add(sums, sum = g_memdup2(key, sizeof *key));
    if (sum->processor != key->processor)
        end_processor(sum);
    sum->processor = key->processor;
    return sum;
}

static void add(GHashTable *sums, const Sum *key, gint64 bytes, gint64 time_ns, gint64 waiting_ns)
{
    Sum *sum = take(sums, key);
    sum->processor_ns = hiera_plus(sum->processor_ns, time_ns);
    sum->sum.calls++;
    sum->sum.sized += bytes > 0;
    sum->sum.bytes = hiera_plus(sum->sum.bytes, bytes);
    sum->sum.time_ns = hiera_plus(sum->sum.time_ns, time_ns);
    sum->sum.waiting_ns = hiera_plus(sum->sum.waiting_ns, waiting_ns);
}

/* Return one pointer for equal names, since names are compared as pointers: the catalog has each name once, except the
 * empty one. */
static const char *one_of(const char *name)
{
    static const char none[] = "";
    return *name ? name : none;
}

/* Return the path of the file, or the name of the window on the lowest rank that has it, of an operation. */
static const char *name_object(const HieraMatch *match, const HieraObjectNames *names, guint32 row)
{
    guint32 object = hiera_object_names_of_row(names, row);
    const char *path = hiera_match_comm_name(match, object);
    return *path ? path : hiera_object_names_peek(names, object);
}

static GHashTable *gather(const HieraMatch *match, const HieraScope *scope, const HieraObjectGrouping *grouping)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    g_autoptr(HieraMessageScope) accepted = hiera_message_scope_new(trace, scope);
    g_autoptr(HieraMessageTime) time = NULL, waiting = NULL;
    g_autoptr(HieraObjectNames) names = hiera_object_names_new(match);
    GHashTable *sums = g_hash_table_new_full(hash_sum, equal_sums, g_free, NULL);
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const char *word = grouping->word(hiera_trace_peek_site(trace, row));
        if (!word || !hiera_message_scope_accepts_row(accepted, row))
            continue;
        guint32 processor = hiera_trace_find_processor(trace, row);
        if (!hiera_scope_is_own(scope, processor))
            continue;
        if (!time) { /* `time` is made here: most traces have no operation on windows or files */
            time = hiera_message_time_new(match);
            waiting = hiera_message_time_new_waiting(match);
        }
        Sum key = {.sum = {.object = one_of(grouping->by_object ? name_object(match, names, row) : ""),
                           .word = word,
                           .site = hiera_trace_peek_site(trace, row),
                           .rank = grouping->by_rank ? trace->processors[processor].rank : 0},
                   .processor = processor};
        gint64 back = MAX(hiera_trace_peek_sparse(trace, row)->rbytes, 0);
        add(sums, &key, hiera_plus(MAX(trace->bytes[row], 0), back), hiera_message_time_of_row(time, row),
            hiera_message_time_of_row(waiting, row));
    }
    return sums;
}

typedef struct {
    const HieraTrace *trace;
    const HieraScope *scope;
    const HieraObjectGrouping *grouping;
    GHashTable *sums;
} Summing;

/* Return the number of calls that moved bytes. In sums, these are the calls with a known number of binary digits of
 * their size. */
static gint64 count_sized(const HieraSummed *summed)
{
    gint64 sized = 0;
    for (guint i = 0; i < summed->sizes->len; i++) {
        const HieraBin *bin = &g_array_index(summed->sizes, HieraBin, i);
        sized = hiera_plus(sized, bin->bits > 0 ? bin->calls : 0);
    }
    return sized;
}

static void add_summed(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user)
{
    const Summing *summing = user;
    const HieraProcessor *processor = &summing->trace->processors[place->processor];
    const char *word = summing->grouping->word(summed->site);
    if (!word || !place->unit || !hiera_scope_accepts_rank(summing->scope, processor->rank))
        return;
    Sum key = {.sum = {.object = one_of(""),
                       .word = word,
                       .site = summed->site,
                       .rank = summing->grouping->by_rank ? processor->rank : 0},
               .processor = place->processor};
    Sum *sum = take(summing->sums, &key);
    gint64 time_ns = hiera_summed_time(summed, processor->finalize_ns);
    sum->processor_ns = hiera_plus(sum->processor_ns, time_ns);
    sum->sum.calls = hiera_plus(sum->sum.calls, summed->calls);
    sum->sum.sized = hiera_plus(sum->sum.sized, count_sized(summed));
    sum->sum.bytes = hiera_plus(sum->sum.bytes, hiera_plus(MAX(summed->bytes, 0), MAX(summed->rbytes, 0)));
    sum->sum.time_ns = hiera_plus(sum->sum.time_ns, time_ns);
}

/* --- several processes: process 0 gets the sums of all --- */

static void pack_sums(HieraPacker *to, gpointer user)
{
    GHashTableIter iterator;
    gpointer item;
    hiera_pack_number(to, g_hash_table_size(((const Summing *)user)->sums));
    g_hash_table_iter_init(&iterator, ((const Summing *)user)->sums);
    while (g_hash_table_iter_next(&iterator, &item, NULL)) {
        const HieraObjectSum *sum = &((const Sum *)item)->sum;
        const gint64 numbers[] = {sum->site->id, sum->rank,    sum->calls,      sum->bytes,
                                  sum->sized,    sum->time_ns, sum->waiting_ns, sum->max_ns};
        hiera_pack_text(to, sum->object);
        hiera_pack_bytes(to, numbers, sizeof numbers);
    }
}

static void unpack_sum(HieraUnpacker *from, const Summing *summing)
{
    const char *object = one_of(hiera_unpack_text(from));
    gint64 numbers[8];
    hiera_unpack_bytes(from, numbers, sizeof numbers);
    const HieraSite *site = hiera_catalog_peek_site(summing->trace->catalog, (guint32)numbers[0]);
    Sum key = {
        .sum = {.object = object, .word = summing->grouping->word(site), .site = site, .rank = (guint32)numbers[1]}};
    Sum *sum = take(summing->sums, &key);
    sum->sum.calls = hiera_plus(sum->sum.calls, numbers[2]);
    sum->sum.bytes = hiera_plus(sum->sum.bytes, numbers[3]);
    sum->sum.sized = hiera_plus(sum->sum.sized, numbers[4]);
    sum->sum.time_ns = hiera_plus(sum->sum.time_ns, numbers[5]);
    sum->sum.waiting_ns = hiera_plus(sum->sum.waiting_ns, numbers[6]);
    sum->sum.max_ns = MAX(sum->sum.max_ns, numbers[7]);
}

static void unpack_sums(HieraUnpacker *from, gpointer user)
{
    for (gint64 n = hiera_unpack_number(from); n > 0; n--)
        unpack_sum(from, user);
}

static void end_processors(GHashTable *sums)
{
    GHashTableIter iterator;
    gpointer item;
    g_hash_table_iter_init(&iterator, sums);
    while (g_hash_table_iter_next(&iterator, &item, NULL))
        end_processor(item);
}

GArray *hiera_object_sums(const HieraMatch *match, const HieraScope *scope, const HieraObjectGrouping *grouping)
{
    GHashTable *sums = gather(match, scope, grouping);
    Summing summing = {hiera_match_peek_trace(match), scope, grouping, sums};
    hiera_summed_visit(summing.trace, scope, add_summed, &summing);
    end_processors(sums);
    hiera_scope_gather_others(scope, summing.trace, pack_sums, unpack_sums, &summing);
    GArray *list = g_array_new(FALSE, FALSE, sizeof(HieraObjectSum));
    GHashTableIter iterator;
    gpointer item;
    g_hash_table_iter_init(&iterator, sums);
    while (g_hash_table_iter_next(&iterator, &item, NULL))
        g_array_append_val(list, ((Sum *)item)->sum);
    g_hash_table_unref(sums);
    return list;
}

gint64 hiera_object_sum_rate(const HieraObjectSum *sum)
{
    if (sum->time_ns <= 0 || sum->time_ns == HIERA_TOO_LARGE || sum->bytes == HIERA_TOO_LARGE)
        return HIERA_UNKNOWN;
    __int128 rate = (__int128)sum->bytes * 1000000000 / sum->time_ns;
    return rate > HIERA_TOO_LARGE ? HIERA_TOO_LARGE : (gint64)rate;
}

gint64 hiera_object_sum_imbalance(const HieraObjectSum *sum, const HieraMatch *match, const HieraScope *scope)
{
    const HieraTrace *trace = hiera_match_peek_trace(match);
    guint n = 0;
    for (guint32 i = 0; i < trace->n_processors; i++)
        n += hiera_scope_accepts_rank(scope, trace->processors[i].rank);
    return hiera_imbalance(sum->time_ns, MAX(n, 1), sum->max_ns);
}
