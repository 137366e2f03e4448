/* One screen that says what is wrong with a run: sizes, efficiencies, the worst waits, where the time goes, what is
 * unusual, and which measure shows more. */
#include "summary.h"
#include "hang/hanging.h"
#include "measures.h"
#include "paths/efficiency_sums.h"
#include <string.h>

static const HieraColumn columns[] = {HIERA_PROSE_COLUMNS};

enum {
    HANG_CAUSES_MAX = 2,
    PLACES_MAX = 3,   /* of the paths with most time */
    LEAST_SHARE = 100 /* hundredths of a percent of the run from which a path is worth a sentence */
};

void hiera_summary_say(const HieraSummary *summary, const char *topic, gint64 bar, const char *more, const char *format,
                       ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *sentence = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    hiera_table_add(summary->table, (HieraCell[]){{.text = topic},
                                                  {.text = hiera_table_keep(summary->table, sentence)},
                                                  {.number = bar},
                                                  {.text = more}});
}

/* --- the run --- */

typedef struct {
    guint32 ranks;
    guint hosts;
    gint64 first_ns, last_ns;
    guint64 operations;
    gint64 mpi_calls, bytes;
} Sizes;

static void count_rows(const HieraSummary *summary, const HieraProcessor *processor, Sizes *sizes)
{
    const HieraTrace *trace = summary->trace;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        if (!hiera_trace_peek_site(trace, (guint32)row)->mpi)
            continue;
        sizes->mpi_calls++;
        sizes->bytes = hiera_plus(sizes->bytes, MAX(trace->bytes[row], 0));
    }
}

static Sizes find_sizes(const HieraSummary *summary)
{
    Sizes sizes = {.first_ns = G_MAXINT64, .last_ns = G_MININT64};
    g_autoptr(GHashTable) hosts = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = 0; i < summary->trace->n_processors; i++) {
        const HieraProcessor *processor = &summary->trace->processors[i];
        if (!hiera_scope_accepts_rank(summary->scope, processor->rank))
            continue;
        sizes.ranks++;
        sizes.operations += processor->n_operations;
        sizes.first_ns = MIN(sizes.first_ns, processor->init_ns);
        sizes.last_ns = MAX(sizes.last_ns, processor->finalize_ns);
        g_hash_table_add(hosts, (gpointer)processor->host);
        count_rows(summary, processor, &sizes);
    }
    sizes.hosts = g_hash_table_size(hosts);
    return sizes;
}

/* Return a number with its noun, "1 rank", "1,400 MPI calls"; to be freed with g_free. */
static char *count_of(guint64 n, const char *noun)
{
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%" G_GUINT64_FORMAT, n);
    for (gsize at = text->len; at > 3;)
        g_string_insert_c(text, (gssize)(at -= 3), ',');
    g_string_append_printf(text, " %s%s", noun, n == 1 ? "" : "s");
    return g_string_free(text, FALSE);
}

static void add_run(const HieraSummary *summary)
{
    char time[HIERA_NUMBER_BYTES], bytes[HIERA_NUMBER_BYTES];
    Sizes sizes = find_sizes(summary);
    const HieraProcessor *first = &summary->trace->processors[0];
    hiera_time_format(time, hiera_scope_clip(summary->scope, sizes.first_ns, sizes.last_ns));
    hiera_bytes_format(bytes, sizes.bytes);
    g_autofree char *ranks = count_of(sizes.ranks, "rank"), *hosts = count_of(sizes.hosts, "host"),
                    *operations = count_of(sizes.operations, "operation"),
                    *calls = count_of((guint64)sizes.mpi_calls, "MPI call");
    hiera_summary_say(summary, "Run", -1, "--measure counts", "%s%s%s on %s, %s; %s, of them %s with %s to send",
                      first->application, *first->application ? ": " : "", ranks, hosts, time, operations, calls,
                      sizes.bytes == 0 ? "nothing" : bytes);
}

/* --- a run that did not end --- */

/* Say first of all why the run did not end by itself. */
static void add_hang(const HieraSummary *summary)
{
    HieraHangVerdict verdict;
    g_autoptr(HieraHang) hang = hiera_hang_find(summary->match);
    g_autoptr(GPtrArray) causes = hiera_hang_causes(hang, &verdict);
    static const char *const topics[] = {
#define X(identifier, name) [HIERA_HANG_RUN_##identifier] = name,
        HIERA_HANG_VERDICTS(X)
#undef X
    };
    g_autofree char *topic = g_strdup(topics[verdict]);
    topic[0] = g_ascii_toupper(topic[0]);
    for (guint i = 0; verdict != HIERA_HANG_RUN_ENDED && i < MIN(causes->len, HANG_CAUSES_MAX); i++)
        hiera_summary_say(summary, hiera_table_keep(summary->table, topic), -1, "--measure hang", "%s",
                          (const char *)g_ptr_array_index(causes, i));
}

/* --- efficiencies --- */

static void add_factor(const HieraSummary *summary, const char *name, gint64 percent)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_percent_format(number, percent);
    hiera_summary_say(summary, "Efficiency", percent, "--measure efficiency", "%-20s%7s", name, number);
}

static void add_efficiency(const HieraSummary *summary)
{
    HieraIdealRun ideal;
    HieraScope whole = *summary->scope;
    whole.by = NULL;
    g_autoptr(HieraDependences) of = hiera_dependences_new(summary->match);
    hiera_ideal_run_init(&ideal, of);
    g_autoptr(GArray) all = hiera_efficiency_sums_find(of, &ideal, &whole, summary->table);
    const HieraEfficiencySums *sums = all->len > 0 ? &g_array_index(all, HieraEfficiencySums, 0) : NULL;
    if (sums && sums->processes > 0 && sums->most_useful_ns > 0) {
        gint64 mean_ns = sums->useful_ns / sums->processes, ideal_ns = MIN(sums->ideal_ns, sums->time_ns);
        add_factor(summary, "parallel efficiency", hiera_percent(mean_ns, sums->time_ns));
        add_factor(summary, "= load balance", hiera_percent(mean_ns, sums->most_useful_ns));
        add_factor(summary, "x serialisation", hiera_percent(sums->most_useful_ns, ideal_ns));
        add_factor(summary, "x transfer", hiera_percent(ideal_ns, sums->time_ns));
    }
    hiera_ideal_run_clear(&ideal);
}

/* --- where the time goes --- */

/* The time of a node on all ranks. */
typedef struct {
    guint32 node;
    gint64 time_ns;
} NodeTime;

static gint compare_times(gconstpointer left, gconstpointer right)
{
    const NodeTime *a = left, *b = right;
    if (a->time_ns != b->time_ns)
        return a->time_ns < b->time_ns ? 1 : -1;
    return (a->node > b->node) - (a->node < b->node);
}

static void add_places(const HieraSummary *summary)
{
    guint32 n = summary->paths.tree->nodes->len;
    g_autofree NodeTime *times = g_new(NodeTime, n);
    for (guint32 node = 0; node < n; node++) {
        times[node] = (NodeTime){node, 0};
        for (guint32 i = 0; i < summary->trace->n_processors; i++) {
            if (hiera_scope_accepts_rank(summary->scope, summary->trace->processors[i].rank))
                times[node].time_ns =
                    hiera_plus(times[node].time_ns, hiera_rank_times_of(&summary->delays->times[i], node));
        }
    }
    qsort(times, n, sizeof *times, compare_times);
    for (guint i = 0; i < MIN(n, PLACES_MAX) && times[i].time_ns > 0; i++) {
        char time[HIERA_NUMBER_BYTES], share[HIERA_NUMBER_BYTES];
        gint64 percent = hiera_percent(times[i].time_ns, summary->run_ns);
        if (percent < LEAST_SHARE)
            return;
        hiera_time_format(time, times[i].time_ns);
        hiera_percent_format(share, percent);
        const char *place = hiera_cause_place(&summary->paths, times[i].node, summary->table);
        const char *name = hiera_cause_name(&summary->paths, times[i].node, summary->table), *at = strchr(place, ' ');
        hiera_summary_say(summary, "Time", -1, "--measure profile, --measure critical-path",
                          "%s of all time: %s%s%s, %s on all ranks", share,
                          g_str_has_prefix(name, "before ") ? "computation " : "", name, at ? at : "", time);
    }
}

/* --- all --- */

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    HieraSummary summary = {match, hiera_match_peek_trace(match), scope, .table = table};
    HieraScope all_ranks = *scope;
    all_ranks.ranks = NULL;
    hiera_call_paths_init(&summary.paths, summary.trace, &all_ranks);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    g_autoptr(HieraDelays) delays = hiera_delays_find(match, &summary.paths, waits, scope);
    summary.waits = waits;
    summary.delays = delays;
    summary.run_ns = hiera_run_sum(summary.trace, scope);
    add_hang(&summary);
    add_run(&summary);
    add_efficiency(&summary);
    hiera_summary_add_waits(&summary);
    add_places(&summary);
    hiera_summary_add_unusual(&summary);
    hiera_call_paths_clear(&summary.paths);
    return TRUE;
}

const HieraMeasure hiera_measure_summary = {
    .name = "summary",
    .help = "one screen: what is slow, where, on which rank, because of whom",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .ordered = TRUE,
    .find = find,
};
