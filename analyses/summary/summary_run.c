/* The sentences on sizes of the run, why it did not end, how efficient it was, and where its time went; see summary.h.
 */
#include "calls/sent_bytes.h"
#include "calls/span_cutter.h"
#include "efficiency/efficiency_factors.h"
#include "hang/hanging.h"
#include "paths/shared_replay.h"
#include "summary.h"
#include "values/outermost.h"

enum {
    HANG_CAUSES_MAX = 2,
    PLACES_MAX = 3,   /* greatest number of call paths with most time that get a sentence */
    LEAST_SHARE = 100 /* least share of the run that a call path takes for a sentence, in 0.01 % */
};

/* --- how large the run is --- */

typedef struct {
    guint32 ranks;
    guint hosts;
    gint64 operations, mpi_calls, bytes;
} Sizes;

/* Return, by HieraSite.id, 1 for MPI calls, else 0; to be freed with g_free. */
static guint8 *find_mpi_sites(const HieraCatalog *catalog)
{
    guint32 n = hiera_catalog_count_sites(catalog);
    guint8 *is_mpi = g_new(guint8, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++)
        is_mpi[i] = hiera_catalog_peek_site(catalog, i)->mpi;
    return is_mpi;
}

/* Whether a call is on a file, so that its bytes are no bytes of messages. */
static gboolean is_file(const HieraSite *site)
{
    return hiera_site_does(site) == HIERA_DOES_IO;
}

static void add_summed(const HieraSummary *summary, const HieraSummedOf *of, Sizes *sizes)
{
    if (!hiera_scope_accepts_rank(summary->scope, summary->trace->processors[of->processor].rank))
        return;
    sizes->operations = hiera_plus(sizes->operations, of->summed->calls);
    if (!of->summed->site->mpi)
        return;
    sizes->mpi_calls = hiera_plus(sizes->mpi_calls, of->summed->calls);
    sizes->bytes = hiera_plus(sizes->bytes, is_file(of->summed->site) ? 0 : hiera_sent_bytes_of_summed(of->summed));
}

static void add_calls(const HieraTrace *trace, const HieraProcessor *processor, const guint8 *is_mpi, Sizes *sizes)
{
    HieraSentBytes *sent = NULL;
    for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++) {
        if (!is_mpi[trace->site[row]])
            continue;
        gint64 bytes = hiera_sent_bytes_of_row(&sent, trace, (guint32)row);
        sizes->mpi_calls++;
        sizes->bytes = hiera_plus(sizes->bytes, is_file(hiera_trace_peek_site(trace, (guint32)row)) ? 0 : bytes);
    }
    hiera_sent_bytes_clear(&sent);
}

static Sizes find_sizes(const HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    Sizes sizes = {0};
    g_autofree guint8 *is_mpi = find_mpi_sites(trace->catalog);
    g_autoptr(GHashTable) hosts = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        if (!hiera_scope_accepts_rank(summary->scope, processor->rank))
            continue;
        sizes.ranks++;
        g_hash_table_add(hosts, (gpointer)processor->host);
        if (!hiera_scope_is_own(summary->scope, i))
            continue;
        sizes.operations += (gint64)processor->n_operations;
        add_calls(trace, processor, is_mpi, &sizes);
    }
    for (guint i = 0; i < trace->summed->len; i++)
        add_summed(summary, &g_array_index(trace->summed, HieraSummedOf, i), &sizes);
    sizes.hosts = g_hash_table_size(hosts);
    return sizes;
}

static Sizes gather_sizes(const HieraSummary *summary)
{
    Sizes sizes = find_sizes(summary);
    gint64 numbers[] = {sizes.operations, sizes.mpi_calls, sizes.bytes};
    hiera_scope_add_up(summary->scope, summary->trace, numbers, G_N_ELEMENTS(numbers));
    sizes.operations = numbers[0];
    sizes.mpi_calls = numbers[1];
    sizes.bytes = numbers[2];
    return sizes;
}

/* Return "250 operations, of them 100 MPI calls with 3 kB to send", without parts that say nothing new. */
static char *describe_calls(HieraSummary *summary, const Sizes *sizes)
{
    char bytes[HIERA_NUMBER_BYTES];
    hiera_bytes_format(bytes, sizes->bytes);
    const char *operations = hiera_summary_count(summary, sizes->operations, "operation");
    const char *calls = hiera_summary_count(summary, sizes->mpi_calls, "MPI call");
    if (sizes->mpi_calls == 0)
        return g_strdup_printf("%s, %s", operations,
                               hiera_trace_peek_past(summary->trace) ? "MPI calls not recorded"
                                                                     : "no MPI calls recorded");
    return g_strdup_printf("%s%s%s with %s to send", sizes->operations == sizes->mpi_calls ? "" : operations,
                           sizes->operations == sizes->mpi_calls ? "" : ", of them ", calls,
                           sizes->bytes == 0 ? "nothing" : bytes);
}

void hiera_summary_add_run(HieraSummary *summary)
{
    Sizes sizes = gather_sizes(summary);
    const char *application = summary->trace->processors[0].application;
    g_autofree char *calls = describe_calls(summary, &sizes);
    hiera_summary_say(summary, HIERA_SUMMARY_RUN, HIERA_SAY_ALWAYS, "--measure counts", "%s%s%s on %s, %s; %s",
                      application, *application ? ": " : "", hiera_summary_count(summary, sizes.ranks, "rank"),
                      hiera_summary_count(summary, sizes.hosts, "host"),
                      hiera_summary_time(summary, hiera_scope_clip(summary->scope, summary->begin_ns, summary->end_ns)),
                      calls);
    if (*summary->trace->processors[0].predicted)
        hiera_summary_say(summary, HIERA_SUMMARY_RUN, HIERA_SAY_ALWAYS, "", "its times are predicted: %s",
                          summary->trace->processors[0].predicted);
}

/* --- a run that did not end --- */

void hiera_summary_add_ending(HieraSummary *summary)
{
    HieraHangVerdict verdict;
    const HieraMatch *match = summary->scope->share.own ? summary->scope->share.left : summary->match;
    if (!match) /* the run has ended normally, or another process says why it did not */
        return;
    g_autoptr(HieraHang) hang = hiera_hang_find(match);
    g_autoptr(GPtrArray) causes = hiera_hang_causes(hang, &verdict);
    static const char *const topics[] = {
#define X(identifier, name) [HIERA_HANG_RUN_##identifier] = name,
        HIERA_HANG_VERDICTS(X)
#undef X
    };
    summary->hung = verdict != HIERA_HANG_RUN_ENDED;
    g_autofree char *topic = g_strdup(topics[verdict]);
    topic[0] = g_ascii_toupper(topic[0]);
    summary->ending = hiera_table_keep(summary->table, topic);
    for (guint i = 0; summary->hung && i < MIN(causes->len, HANG_CAUSES_MAX); i++)
        hiera_summary_say(summary, HIERA_SUMMARY_ENDING, HIERA_SAY_ALWAYS, "--measure hang", "%s",
                          (const char *)g_ptr_array_index(causes, i));
}

/* --- efficiencies of the run --- */

void hiera_summary_add_factor(HieraSummary *summary, const char *name, gint64 percent, const char *remark)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_percent_format(number, percent);
    hiera_summary_say(summary, HIERA_SUMMARY_EFFICIENCY, HIERA_SAY_ALWAYS, "--measure efficiency", "%-20s%7s%s%s", name,
                      number, *remark ? "  " : "", remark);
    if (!*remark)
        hiera_summary_draw_bar(summary, percent);
}

gboolean hiera_summary_add_product(HieraSummary *summary, const HieraEfficiencySums *sums)
{
    if (sums->processes == 0 || sums->time_ns <= 0)
        return FALSE;
    if (sums->past) {
        hiera_summary_say(summary, HIERA_SUMMARY_EFFICIENCY, HIERA_SAY_ALWAYS, "--measure efficiency", "unknown: %s",
                          sums->past);
        return FALSE;
    }
    hiera_summary_add_factor(summary, "parallel efficiency", hiera_efficiency_factors(sums).efficiency,
                             sums->of_threads ? sums->of_threads : "");
    if (sums->useful_ns == 0)
        hiera_summary_say(summary, HIERA_SUMMARY_EFFICIENCY, HIERA_SAY_ALWAYS, "--measure efficiency",
                          "no rank computes, so it has no factors");
    return sums->useful_ns > 0;
}

/* Add the factors of OpenMP. */
static void add_openmp(HieraSummary *summary, const HieraEfficiencyFactors *factors)
{
    if (factors->openmp == HIERA_UNKNOWN)
        return;
    hiera_summary_add_factor(summary, "= OpenMP serialis.", factors->openmp_serialisation, "");
    hiera_summary_add_factor(summary, "x OpenMP balance", factors->openmp_load_balance, "");
    hiera_summary_add_factor(summary, "x OpenMP scheduling", factors->openmp_scheduling, "");
}

void hiera_summary_add_efficiency(HieraSummary *summary)
{
    HieraIdealRun ideal;
    HieraScope whole = hiera_efficiency_scope(summary->scope, summary->trace);
    whole.options.by = NULL;
    const HieraDependences *of = hiera_dependences_of_scope(summary->match, summary->scope);
    hiera_ideal_run_find(&ideal, of, &whole, !hiera_efficiency_is_whole(&whole));
    g_autoptr(GArray) all = hiera_efficiency_sums_find(summary->match, of, &ideal, &whole, summary->table);
    const HieraEfficiencySums *sums = all->len > 0 ? &g_array_index(all, HieraEfficiencySums, 0) : NULL;
    if (sums && sums->teams) {
        summary->n_teams = sums->teams->len;
        summary->n_others = sums->n_others;
    }
    if (sums && hiera_summary_add_product(summary, sums)) {
        const HieraEfficiencyFactors factors = hiera_efficiency_factors(sums);
        add_openmp(summary, &factors);
        hiera_summary_add_factor(summary, factors.openmp == HIERA_UNKNOWN ? "= load balance" : "x load balance",
                                 factors.load_balance, "");
        hiera_summary_add_factor(summary, "x serialisation", factors.serialisation, "");
        hiera_summary_add_factor(summary, "x transfer", factors.transfer, "");
    }
    hiera_ideal_run_clear(&ideal);
}

/* --- where the time goes --- */

static gint compare_times(gconstpointer left, gconstpointer right, gpointer times)
{
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    gint64 time_a = ((const gint64 *)times)[a], time_b = ((const gint64 *)times)[b];
    return time_a != time_b ? (time_a < time_b) - (time_a > time_b) : (a > b) - (a < b);
}

static const char *except(const HieraSummary *summary, guint32 node)
{
    return summary->hung || summary->nodes.waiting_ns[node] == 0 ? "" : " without waits";
}

/* If the scope selects operations, add computation before the outermost ones to that outside of all (node 0). */
static void join_outside(HieraSummary *summary)
{
    for (guint32 node = 1; node < summary->paths.tree->nodes->len; node++) {
        const HieraCallNode *of = hiera_call_tree_peek(summary->paths.tree, node);
        if (of->parent != 0 || !(hiera_call_is_before(of->site) || of->site == HIERA_CALL_OWN))
            continue;
        summary->own_ns[0] = hiera_plus(summary->own_ns[0], summary->own_ns[node]);
        summary->nodes.waiting_ns[0] = hiera_plus(summary->nodes.waiting_ns[0], summary->nodes.waiting_ns[node]);
        summary->own_ns[node] = 0;
    }
}

void hiera_summary_add_places(HieraSummary *summary)
{
    static const HieraSaying sayings[PLACES_MAX] = {HIERA_SAY_SECOND, HIERA_SAY_THIRD, HIERA_SAY_LAST};
    if (!hiera_scope_leads(summary->scope))
        return;
    if (hiera_scope_has_units(summary->scope))
        join_outside(summary);
    guint32 n = summary->paths.tree->nodes->len;
    g_autofree guint32 *nodes = g_new(guint32, n);
    for (guint32 node = 0; node < n; node++)
        nodes[node] = node;
    g_qsort_with_data(nodes, (gint)n, sizeof *nodes, compare_times, summary->own_ns);
    for (guint i = 0; i < MIN(n, PLACES_MAX); i++) {
        gint64 time_ns = summary->own_ns[nodes[i]];
        if (time_ns <= 0 || hiera_percent(time_ns, summary->run_ns) < LEAST_SHARE)
            return;
        hiera_summary_say(summary, HIERA_SUMMARY_TIME, sayings[i], "--measure profile, --measure critical-path",
                          "%s of all time: %s%s, %s", hiera_summary_share(summary, time_ns),
                          hiera_summary_place(summary, nodes[i]), except(summary, nodes[i]),
                          hiera_summary_time(summary, time_ns));
    }
}
