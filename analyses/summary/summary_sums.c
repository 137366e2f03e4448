/* Makes the summary of profiles, whose traces have sums of calls, and do not show which rank waited for which. */
#include "calls/call_times.h"
#include "calls/summed_visit.h"
#include "efficiency/efficiency_factors.h"
#include "summary.h"
#include "threads/rank_threads.h"
#include "values/outermost.h"
#include "values/shares.h"
#include "values/unrecorded.h"

enum {
    PLACES_MAX = 5,
    WAITS_MAX = 2,
    LEAST_SHARE = 100 /* least share of the run that a call path takes for a sentence, in 0.01 % */
};

/* --- efficiency of the run --- */

/* @return TRUE if it is about all threads of OpenMP */
static gboolean add_efficiency(HieraSummary *summary)
{
    gboolean has_threads = FALSE;
    HieraEfficiencySums sums = hiera_efficiency_of_sums(summary->trace, summary->scope);
    if (hiera_summary_add_product(summary, &sums)) {
        const HieraEfficiencyFactors factors = hiera_efficiency_factors(&sums);
        has_threads = factors.openmp != HIERA_UNKNOWN;
        if (has_threads) {
            hiera_summary_add_factor(summary, "= OpenMP", factors.openmp, "");
            hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                              "Efficiency is about all threads of OpenMP; shares of all time are of main threads");
        }
        hiera_summary_add_factor(summary, has_threads ? "x load balance" : "= load balance", factors.load_balance, "");
        hiera_summary_add_factor(summary, "x communication", factors.communication, "");
    }
    hiera_efficiency_sums_clear(&sums);
    return has_threads;
}

/* --- where the time goes --- */

/* Whether summed calls lie in the run: not before MPI_Init has ended, nor after MPI_Finalize was called, which is not
 * in the run itself. */
static gboolean is_in_run(const HieraSummed *summed, const HieraProcessor *processor)
{
    if (summed->calls == 1 && summed->open == 0 && summed->last_ns > processor->finalize_ns)
        return FALSE;
    return (summed->open > 0 || summed->last_ns > processor->init_ns) && summed->first_ns < processor->finalize_ns;
}

/* State while call times of all processors are found and merged. */
typedef struct {
    const HieraSummary *summary;
    HieraCallTimes *all;
    gpointer *ones; /* by processor: state of hiera_call_times_begin(); NULL: another process has it */
} TimesOfAll;

static gpointer find_times_of(const HieraSummary *summary, guint32 number)
{
    const HieraTrace *trace = summary->trace;
    const HieraProcessor *processor = &trace->processors[number];
    gpointer one = hiera_call_times_begin(summary->scope, processor);
    for (guint at = hiera_trace_find_summed(trace, number);
         at < trace->summed->len && g_array_index(trace->summed, HieraSummedOf, at).processor == number; at++) {
        const HieraSummed *summed = g_array_index(trace->summed, HieraSummedOf, at).summed;
        if (is_in_run(summed, processor))
            hiera_call_times_summed(one, summed);
        else
            hiera_call_times_pass(one, summed);
    }
    return one;
}

static void add_times(const TimesOfAll *times, guint32 number, gboolean keep)
{
    if (times->ones[number])
        hiera_call_times_merge(times->all, times->ones[number], &times->summary->trace->processors[number], keep);
    times->ones[number] = NULL;
}

static void pack_times(HieraPacker *to, gpointer user)
{
    const TimesOfAll *times = user;
    const HieraTrace *trace = times->summary->trace;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        if (!times->ones[i])
            continue;
        hiera_pack_number(to, i);
        hiera_call_times_pack(times->ones[i], &trace->processors[i], to);
        add_times(times, i, FALSE);
    }
    hiera_pack_number(to, HIERA_NONE);
}

static void unpack_times(HieraUnpacker *from, gpointer user)
{
    const TimesOfAll *times = user;
    for (guint32 i = (guint32)hiera_unpack_number(from); i != HIERA_NONE; i = (guint32)hiera_unpack_number(from))
        times->ones[i] = hiera_call_times_unpack(times->summary->scope, &times->summary->trace->processors[i], from);
}

static HieraCallTimes *find_times(const HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    g_autofree gpointer *ones = g_new0(gpointer, (gsize)trace->n_processors + 1);
    const TimesOfAll times = {summary, hiera_call_times_open(summary->scope), ones};
    for (guint32 i = 0; i < trace->n_processors; i++)
        ones[i] = hiera_scope_is_own(summary->scope, i) ? find_times_of(summary, i) : NULL;
    hiera_scope_gather_others(summary->scope, trace, pack_times, unpack_times, (gpointer)&times);
    for (guint32 i = 0; i < trace->n_processors; i++)
        add_times(&times, i, hiera_scope_accepts_rank(summary->scope, trace->processors[i].rank));
    return times.all;
}

static gint compare_nodes(gconstpointer left, gconstpointer right, gpointer tree)
{
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    gint64 time_a = hiera_call_tree_peek(tree, a)->sums.exclusive,
           time_b = hiera_call_tree_peek(tree, b)->sums.exclusive;
    return time_a != time_b ? (time_a < time_b) - (time_a > time_b) : (a > b) - (a < b);
}

static void add_place(HieraSummary *summary, const HieraCallTree *tree, guint32 number)
{
    const HieraCallNode *node = hiera_call_tree_peek(tree, number);
    const HieraSite *site = hiera_catalog_peek_site(summary->trace->catalog, node->site);
    gboolean idles = !site->mpi && hiera_site_does_outside(site) == HIERA_DOES_IDLE;
    g_autofree char *place = hiera_site_place(site);
    g_autofree char *most =
        node->sums.exclusive == node->sums.inclusive /* of which it is the greatest */
            ? g_strdup_printf("; most on rank %u, %s", node->slowest, hiera_summary_time(summary, node->max))
            : g_strdup("");
    hiera_summary_say(summary, site->mpi ? HIERA_SUMMARY_CALLS : HIERA_SUMMARY_TIME, HIERA_SAY_FIRST,
                      "--measure profile", "%s of all time: %s%s%s%s%s%s, %s in %s%s%s",
                      hiera_summary_share(summary, node->sums.exclusive), idles ? "idle in " : "", site->class_name,
                      *site->class_name ? "::" : "", site->operation, *place ? " " : "", place,
                      hiera_summary_time(summary, node->sums.exclusive),
                      hiera_summary_count(summary, node->sums.calls, "call"),
                      hiera_call_tree_is_further(tree, number) ? " of further threads" : "", most);
}

/* Add the call paths with most time of their own; time outside of all operations belongs to none.
 *
 * @return TRUE if some are of further threads */
static gboolean add_places(HieraSummary *summary)
{
    gboolean has_further = FALSE;
    HieraCallTimes *times = find_times(summary);
    guint32 n = times->tree->nodes->len, said = 0;
    g_autofree guint32 *nodes = g_new(guint32, n);
    for (guint32 node = 0; node < n; node++)
        nodes[node] = node;
    g_qsort_with_data(nodes, (gint)n, sizeof *nodes, compare_nodes, times->tree);
    for (guint32 i = 0; i < n && said < PLACES_MAX; i++) {
        const HieraCallNode *node = hiera_call_tree_peek(times->tree, nodes[i]);
        if (nodes[i] == 0 || node->site >= HIERA_CALL_NO_SITE)
            continue;
        if (hiera_percent(node->sums.exclusive, summary->run_ns) < LEAST_SHARE)
            break;
        add_place(summary, times->tree, nodes[i]);
        has_further = has_further || hiera_call_tree_is_further(times->tree, nodes[i]);
        said++;
    }
    hiera_call_times_free(times);
    return has_further;
}

/* --- waiting that was measured --- */

/* Measured waiting at one call site: how long its calls waited until the last member came. */
typedef struct {
    const HieraSite *site;
    gint64 time_ns, count;
    GArray *shares; /* HieraShare: waiting time, by processor */
} Waiting;

static void waiting_clear(gpointer waiting)
{
    g_array_unref(((Waiting *)waiting)->shares);
}

/* Waiting that profiles of this process have measured; after gathering, in process 0, of all processes. */
typedef struct {
    const HieraCatalog *catalog;
    GArray *all;        /* Waiting */
    GHashTable *places; /* HieraSite → index in `all` + 1 */
} Measured;

static Waiting *find_waiting(const Measured *measured, const HieraSite *site)
{
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(measured->places, site));
    if (place == 0) {
        Waiting waiting = {.site = site, .shares = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
        g_array_append_val(measured->all, waiting);
        g_hash_table_insert(measured->places, (gpointer)site, GUINT_TO_POINTER(place = measured->all->len));
    }
    return &g_array_index(measured->all, Waiting, place - 1);
}

static void add_waiting(const HieraSummed *summed, const HieraSummedPlace *place, gpointer user)
{
    if (summed->members.time_ns == 0 || place->in_mpi)
        return;
    Waiting *waiting = find_waiting(user, summed->site);
    waiting->time_ns = hiera_plus(waiting->time_ns, summed->members.time_ns);
    waiting->count = hiera_plus(waiting->count, summed->members.count);
    hiera_shares_add(waiting->shares, place->processor, summed->members.time_ns);
}

/* Pack the waiting of this process. Call sites have the same numbers in all processes. */
static void pack_waiting(HieraPacker *to, gpointer user)
{
    const GArray *own = ((const Measured *)user)->all;
    hiera_pack_number(to, own->len);
    for (guint i = 0; i < own->len; i++) {
        const Waiting *waiting = &g_array_index(own, Waiting, i);
        hiera_pack_number(to, waiting->site->id);
        hiera_pack_number(to, waiting->time_ns);
        hiera_pack_number(to, waiting->count);
        hiera_shares_pack(waiting->shares, to);
    }
}

static void unpack_waiting(HieraUnpacker *from, gpointer user)
{
    const Measured *measured = user;
    for (gint64 n = hiera_unpack_number(from); n > 0; n--) {
        const HieraSite *site = hiera_catalog_peek_site(measured->catalog, (guint32)hiera_unpack_number(from));
        Waiting *waiting = find_waiting(measured, site);
        waiting->time_ns = hiera_plus(waiting->time_ns, hiera_unpack_number(from));
        waiting->count = hiera_plus(waiting->count, hiera_unpack_number(from));
        hiera_shares_unpack(from, waiting->shares);
    }
}

static gint compare_waiting(gconstpointer left, gconstpointer right)
{
    const Waiting *a = left, *b = right;
    return a->time_ns != b->time_ns ? (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns)
                                    : hiera_site_compare(a->site, b->site);
}

static void say_waiting(HieraSummary *summary, const Waiting *waiting)
{
    g_autofree char *place = hiera_site_place(waiting->site);
    hiera_summary_say(summary, HIERA_SUMMARY_WAITS, HIERA_SAY_FIRST, "--measure waits",
                      "%s of all time: waiting for the last rank to come to %s%s%s, %s in %s of %s",
                      hiera_summary_share(summary, waiting->time_ns), waiting->site->operation, *place ? " " : "",
                      place, hiera_summary_time(summary, waiting->time_ns),
                      hiera_summary_count(summary, waiting->count, "call"),
                      hiera_summary_count(summary, waiting->shares->len, "rank"));
}

static void measured_clear(const Measured *measured)
{
    g_array_unref(measured->all);
    g_hash_table_unref(measured->places);
}

static Measured find_measured(const HieraSummary *summary)
{
    Measured measured = {summary->trace->catalog, g_array_new(FALSE, FALSE, sizeof(Waiting)),
                         g_hash_table_new(NULL, NULL)};
    g_array_set_clear_func(measured.all, waiting_clear);
    for (guint32 i = 0; i < summary->trace->n_processors; i++)
        if (hiera_scope_accepts_rank(summary->scope, summary->trace->processors[i].rank))
            hiera_summed_visit_one(summary->trace, i, summary->scope, add_waiting, &measured);
    hiera_scope_gather_others(summary->scope, summary->trace, pack_waiting, unpack_waiting, &measured);
    return measured;
}

static void add_measured_waits(HieraSummary *summary)
{
    const Measured measured = find_measured(summary);
    GArray *all = measured.all;
    g_array_sort(all, compare_waiting);
    for (guint i = 0; i < MIN(all->len, WAITS_MAX); i++)
        if (hiera_percent(g_array_index(all, Waiting, i).time_ns, summary->run_ns) >= LEAST_SHARE)
            say_waiting(summary, &g_array_index(all, Waiting, i));
    measured_clear(&measured);
}

/* Add a limit if traces begin with single operations and go on with sums: neither alone shows where the time went. */
static void add_limit(HieraSummary *summary)
{
    hiera_summary_say(
        summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_ALWAYS, "--measure profile, --measure waits",
        "From their recording limit on, these traces have sums over calls. The profile is that of the whole "
        "run; who waited for whom is known of the single operations before.");
}

static void pack_number(HieraPacker *to, gpointer number)
{
    hiera_pack_number(to, *(const gint64 *)number);
}

static void unpack_most(HieraUnpacker *from, gpointer most)
{
    gint64 number = hiera_unpack_number(from);
    *(gint64 *)most = MAX(*(gint64 *)most, number);
}

/* Whether a rank has single operations, also a rank of another process. */
static gboolean has_singles(const HieraSummary *summary)
{
    gint64 most = summary->trace->n_operations;
    hiera_scope_gather_others(summary->scope, summary->trace, pack_number, unpack_most, &most);
    hiera_scope_tell(summary->scope, summary->trace, pack_number, unpack_most, &most);
    return most > 0;
}

void hiera_summary_add_sums(HieraSummary *summary)
{
    hiera_summary_add_run(summary);
    gboolean has_threads = add_efficiency(summary);
    hiera_summary_add_unrecorded(summary);
    if (has_singles(summary)) {
        add_limit(summary);
        return;
    }
    if (add_places(summary) && !has_threads)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "",
                          "all time is that of main threads: shares of further threads come on top of it");
    add_measured_waits(summary);
    g_autofree char *queued = hiera_queued_say(summary->trace, summary->scope, NULL);
    if (queued)
        hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_FIRST, "", "%s", queued);
    hiera_summary_say(
        summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_ALWAYS, "",
        hiera_trace_has_waits(summary->trace)
            ? "These traces are profiles: sums over calls. Waiting was measured at barriers and in N x N collectives; "
              "who waited for a message needs single operations, recorded with HIERA_MODE=trace."
            : "These traces are profiles: sums over calls. Who waited for whom needs single operations, recorded "
              "with HIERA_MODE=trace.");
}
