/* The summary of traces that have sums over calls: of these nobody can say who waited for whom. */
#include "calls/call_times.h"
#include "calls/summed_visit.h"
#include "paths/efficiency_factors.h"
#include "summary.h"
#include "values/outermost.h"
#include "values/shares.h"

enum { PLACES_MAX = 5, WAITS_MAX = 2, LEAST_SHARE = 100 /* hundredths of a percent of the run from which a place is worth a sentence */ };

/* --- efficiency --- */

static void add_factor(HieraSummary *summary, const char *name, gint64 percent)
{
    char number[HIERA_NUMBER_BYTES];
    hiera_percent_format(number, percent);
    hiera_summary_say(summary, HIERA_SUMMARY_EFFICIENCY, HIERA_SAY_ALWAYS, "--measure efficiency", "%-20s%7s", name, number);
    hiera_summary_draw_bar(summary, percent);
}

static void add_efficiency(HieraSummary *summary)
{
    const HieraEfficiencySums sums = hiera_efficiency_of_sums(summary->trace, summary->scope);
    if (sums.processes == 0 || sums.most_useful_ns == 0 || sums.time_ns <= 0)
        return;
    const HieraEfficiencyFactors factors = hiera_efficiency_factors(&sums);
    add_factor(summary, "parallel efficiency", factors.efficiency);
    add_factor(summary, "= load balance", factors.load_balance);
    add_factor(summary, "x communication", factors.communication);
}

/* --- where the time goes --- */

/* Whether it is not before MPI_Init has ended, or after MPI_Finalize was called, and not MPI_Finalize itself. */
static gboolean is_in_run(const HieraSummed *summed, const HieraProcessor *processor)
{
    if (summed->calls == 1 && summed->open == 0 && summed->last_ns > processor->finalize_ns)
        return FALSE;
    return (summed->open > 0 || summed->last_ns > processor->init_ns) && summed->first_ns < processor->finalize_ns;
}

static HieraCallTimes *find_times(const HieraSummary *summary)
{
    const HieraTrace *trace = summary->trace;
    HieraCallTimes *times = hiera_call_times_open(summary->scope);
    guint at = 0;
    for (guint32 i = 0; i < trace->n_processors; i++) {
        const HieraProcessor *processor = &trace->processors[i];
        gpointer one = hiera_call_times_begin(summary->scope, processor);
        for (; at < trace->summed->len && g_array_index(trace->summed, HieraSummedOf, at).processor == i; at++)
            if (is_in_run(g_array_index(trace->summed, HieraSummedOf, at).summed, processor))
                hiera_call_times_summed(one, g_array_index(trace->summed, HieraSummedOf, at).summed);
            else
                hiera_call_times_pass(one, g_array_index(trace->summed, HieraSummedOf, at).summed);
        hiera_call_times_merge(times, one, processor, hiera_scope_accepts_rank(summary->scope, processor->rank));
    }
    return times;
}

static gint compare_nodes(gconstpointer left, gconstpointer right, gpointer tree)
{
    guint32 a = *(const guint32 *)left, b = *(const guint32 *)right;
    gint64 time_a = hiera_call_tree_peek(tree, a)->sums.exclusive, time_b = hiera_call_tree_peek(tree, b)->sums.exclusive;
    return time_a != time_b ? (time_a < time_b) - (time_a > time_b) : (a > b) - (a < b);
}

static void add_place(HieraSummary *summary, const HieraCallTree *tree, guint32 number)
{
    const HieraCallNode *node = hiera_call_tree_peek(tree, number);
    const HieraSite *site = hiera_catalog_peek_site(summary->trace->catalog, node->site);
    char most[HIERA_NUMBER_BYTES];
    g_autofree char *place = hiera_site_place(site);
    hiera_time_format(most, node->max);
    hiera_summary_say(summary, site->mpi ? HIERA_SUMMARY_CALLS : HIERA_SUMMARY_TIME, HIERA_SAY_FIRST, "--measure profile",
                      "%s of all time: %s%s%s %s, %s in %s; most on rank %u, %s",
                      hiera_summary_share(summary, node->sums.exclusive), site->class_name, *site->class_name ? "::" : "",
                      site->operation, place, hiera_summary_time(summary, node->sums.exclusive),
                      hiera_summary_count(summary, node->sums.calls, "call"), node->slowest, most);
}

/* The places with most time of their own; what is outside of all operations has none. */
static void add_places(HieraSummary *summary)
{
    HieraCallTimes *times = find_times(summary);
    guint32 n = times->tree->nodes->len, said = 0;
    g_autofree guint32 *nodes = g_new(guint32, n);
    for (guint32 node = 0; node < n; node++)
        nodes[node] = node;
    g_qsort_with_data(nodes, (gint)n, sizeof *nodes, compare_nodes, times->tree);
    for (guint32 i = 0; i < n && said < PLACES_MAX; i++) {
        const HieraCallNode *node = hiera_call_tree_peek(times->tree, nodes[i]);
        if (nodes[i] == 0 || node->site >= HIERA_CALL_COUNTED)
            continue;
        if (hiera_percent(node->sums.exclusive, summary->run_ns) < LEAST_SHARE)
            break;
        add_place(summary, times->tree, nodes[i]);
        said++;
    }
    hiera_call_times_free(times);
}

/* --- waiting that was measured --- */

/* Of one call site: what all its calls waited for the last member to come. */
typedef struct {
    const HieraSite *site;
    gint64 time_ns, count;
    GArray *shares; /* HieraShare */
} Waiting;

static void waiting_clear(gpointer waiting)
{
    g_array_unref(((Waiting *)waiting)->shares);
}

typedef struct {
    GArray *all;        /* Waiting */
    GHashTable *places; /* site → index + 1 */
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

static gint compare_waiting(gconstpointer left, gconstpointer right)
{
    const Waiting *a = left, *b = right;
    return a->time_ns != b->time_ns ? (a->time_ns < b->time_ns) - (a->time_ns > b->time_ns) : hiera_site_compare(a->site, b->site);
}

static void say_waiting(HieraSummary *summary, const Waiting *waiting)
{
    g_autofree char *place = hiera_site_place(waiting->site);
    hiera_summary_say(summary, HIERA_SUMMARY_WAITS, HIERA_SAY_FIRST, "--measure waits",
                      "%s of all time: waiting for the last rank to come to %s %s, %s in %s of %s",
                      hiera_summary_share(summary, waiting->time_ns), waiting->site->operation, place,
                      hiera_summary_time(summary, waiting->time_ns), hiera_summary_count(summary, waiting->count, "call"),
                      hiera_summary_count(summary, waiting->shares->len, "rank"));
}

static void add_measured_waits(HieraSummary *summary)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Waiting));
    g_autoptr(GHashTable) places = g_hash_table_new(NULL, NULL);
    Measured measured = {all, places};
    g_array_set_clear_func(all, waiting_clear);
    for (guint32 i = 0; i < summary->trace->n_processors; i++)
        if (hiera_scope_accepts_rank(summary->scope, summary->trace->processors[i].rank))
            hiera_summed_visit_one(summary->trace, i, summary->scope, add_waiting, &measured);
    g_array_sort(all, compare_waiting);
    for (guint i = 0; i < MIN(all->len, WAITS_MAX); i++)
        if (hiera_percent(g_array_index(all, Waiting, i).time_ns, summary->run_ns) >= LEAST_SHARE)
            say_waiting(summary, &g_array_index(all, Waiting, i));
}

/* Single operations and sums. What the run did and how well is known of both; where its time went, of neither alone. */
static void add_limit(HieraSummary *summary)
{
    hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_ALWAYS, "--measure profile, --measure waits",
                      "From their recording limit on, these traces have sums over calls. The profile is that of the whole "
                      "run; who waited for whom is known of the single operations before.");
}

void hiera_summary_add_sums(HieraSummary *summary)
{
    hiera_summary_add_run(summary);
    add_efficiency(summary);
    if (summary->trace->n_operations > 0) {
        add_limit(summary);
        return;
    }
    add_places(summary);
    add_measured_waits(summary);
    hiera_summary_say(summary, HIERA_SUMMARY_LIMITS, HIERA_SAY_ALWAYS, "",
                      hiera_trace_has_waits(summary->trace)
                          ? "These traces are profiles: sums over calls. Waiting was measured at barriers and in N x N collectives; "
                            "who waited for a message needs single operations, recorded with HIERA_MODE=trace."
                          : "These traces are profiles: sums over calls. Who waited for whom needs single operations, recorded "
                            "with HIERA_MODE=trace.");
}
