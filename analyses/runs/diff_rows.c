/* Makes the rows of the measure diff from the call trees of all runs; see diff_parts.h. */
#include "calls/call_times.h"
#include "diff_parts.h"
#include "values/distribution.h"
#include "values/shares.h"

static const HieraCallTree *tree_of(const HieraDiff *diff, guint run)
{
    return ((const HieraCallTimes *)diff->runs[run].all)->tree;
}

static gint64 divide(gint64 sum, gint64 n)
{
    return sum == HIERA_TOO_LARGE ? sum : sum / MAX(n, 1);
}

static HieraDiffSide side_of(const HieraDiff *diff, guint32 place, guint run)
{
    const HieraCallTree *tree = tree_of(diff, run);
    guint32 node = hiera_tree_alignment_node(&diff->alignment, place, run);
    if (node == HIERA_NONE)
        return (HieraDiffSide){.ranks = tree->merged};
    const HieraCallNode *found = hiera_call_tree_peek(tree, node);
    const HieraCallSums *sums = &found->sums;
    return (HieraDiffSide){1,
                           sums->calls,
                           divide(sums->inclusive, tree->merged),
                           divide(sums->exclusive, tree->merged),
                           divide(sums->mpi, tree->merged),
                           divide(sums->waiting, tree->merged),
                           divide(diff->threads[run].idle_ns[node], tree->merged),
                           sums->bytes,
                           MAX(found->max, 0),
                           found->slowest,
                           tree->merged};
}

static void add_side(HieraDiffSide *sum, const HieraDiffSide *side)
{
    sum->runs += side->runs;
    sum->calls = hiera_plus(sum->calls, side->calls);
    sum->time_ns = hiera_plus(sum->time_ns, side->time_ns);
    sum->own_ns = hiera_plus(sum->own_ns, side->own_ns);
    sum->mpi_ns = hiera_plus(sum->mpi_ns, side->mpi_ns);
    sum->waiting_ns = hiera_plus(sum->waiting_ns, side->waiting_ns);
    sum->idle_ns = hiera_plus(sum->idle_ns, side->idle_ns);
    sum->bytes = hiera_plus(sum->bytes, side->bytes);
    sum->ranks += side->ranks;
    if (side->max_ns >= sum->max_ns) {
        sum->max_ns = side->max_ns;
        sum->slowest = side->slowest;
    }
}

/* Set `b` to the mean of the repeats, and their noise: the standard deviation of their times. */
static void set_repeats(const HieraDiff *diff, HieraDiffRow *row)
{
    guint n = diff->n_runs - diff->first_b;
    g_autofree gint64 *times = g_new0(gint64, n);
    for (guint i = 0; i < n; i++) {
        HieraDiffSide side = side_of(diff, row->place, diff->first_b + i);
        times[i] = side.time_ns;
        add_side(&row->b, &side);
    }
    row->b.calls = divide(row->b.calls, n);
    row->b.time_ns = divide(row->b.time_ns, n);
    row->b.own_ns = divide(row->b.own_ns, n);
    row->b.mpi_ns = divide(row->b.mpi_ns, n);
    row->b.waiting_ns = divide(row->b.waiting_ns, n);
    row->b.idle_ns = divide(row->b.idle_ns, n);
    row->b.bytes = divide(row->b.bytes, n);
    row->b.ranks = divide(row->b.ranks, n);
    HieraDistribution spread = hiera_distribution_of(times, n);
    row->noise_ns = spread.deviation;
    row->least_ns = spread.min;
    row->most_ns = spread.max;
}

/* Whether a change is more than the noise of n repeats: more than twice the standard deviation s·√(1 + 1/n) of the
 * difference between one run and the mean of n runs, where s² = noise² · n / (n − 1) is the estimate for one run. */
static gboolean is_more_than_noise(gint64 change_ns, gint64 noise_ns, guint n)
{
    double change = (double)change_ns, noise = (double)noise_ns;
    return change * change * (n - 1) > 4 * noise * noise * (n + 1);
}

static HieraDiffVerdict judge(const HieraDiff *diff, const HieraDiffRow *row)
{
    guint n = diff->n_runs - diff->first_b;
    if (row->a.runs == 0 || row->b.runs == 0)
        return row->a.runs ? HIERA_DIFF_ONLY_A : HIERA_DIFF_ONLY_B;
    if (row->change_ns == 0)
        return HIERA_DIFF_SAME;
    if (n < 2)
        return HIERA_DIFF_UNKNOWN;
    if (!is_more_than_noise(row->change_ns, row->noise_ns, n))
        return HIERA_DIFF_NOISE;
    return row->change_ns > 0 ? HIERA_DIFF_SLOWER : HIERA_DIFF_FASTER;
}

static HieraDiffRow make_row(const HieraDiff *diff, guint32 place)
{
    HieraDiffRow row = {.place = place};
    const HieraDiffRow *whole = place == 0 ? &row : &g_array_index(diff->rows, HieraDiffRow, 0);
    while (hiera_tree_alignment_node(&diff->alignment, place, row.shown) == HIERA_NONE)
        row.shown++;
    set_repeats(diff, &row);
    if (diff->first_b > 0) {
        row.a = side_of(diff, place, 0);
        row.change_ns = hiera_minus(row.b.time_ns, row.a.time_ns);
        row.verdict = judge(diff, &row);
    }
    row.share = MAX(hiera_percent(row.a.time_ns, whole->a.time_ns), hiera_percent(row.b.time_ns, whole->b.time_ns));
    return row;
}

static gint64 weight_of(const HieraDiff *diff, const HieraDiffRow *row)
{
    if (diff->first_b == 0)
        return row->noise_ns;
    return row->change_ns < 0 ? hiera_minus(0, row->change_ns) : row->change_ns;
}

static gint compare_rows(gconstpointer left, gconstpointer right, gpointer data)
{
    const HieraDiff *diff = data;
    const HieraDiffRow *a = left, *b = right;
    gint64 weight_a = weight_of(diff, a), weight_b = weight_of(diff, b);
    if (a->place == 0 || b->place == 0 || weight_a == weight_b)
        return (a->place > b->place) - (a->place < b->place);
    return (weight_a < weight_b) - (weight_a > weight_b);
}

void hiera_diff_init(HieraDiff *diff, const HieraRun *runs, guint n_runs, guint first_b)
{
    *diff = (HieraDiff){.runs = runs,
                        .n_runs = n_runs,
                        .first_b = first_b,
                        .threads = g_new0(HieraRunThreads, n_runs),
                        .rows = g_array_new(FALSE, FALSE, sizeof(HieraDiffRow))};
    g_autofree const HieraCallTree **trees = g_new0(const HieraCallTree *, n_runs);
    g_autofree const HieraCatalog **catalogs = g_new0(const HieraCatalog *, n_runs);
    for (guint i = 0; i < n_runs; i++) {
        trees[i] = tree_of(diff, i);
        catalogs[i] = runs[i].catalog;
        diff->threads[i] = hiera_run_threads_find(trees[i], catalogs[i]);
    }
    hiera_tree_alignment_init(&diff->alignment, trees, catalogs, n_runs);
    if (first_b > 0)
        diff->waits = hiera_diff_waits_new(&diff->alignment, runs, trees);
    for (guint32 place = 0; place < hiera_tree_alignment_count(&diff->alignment); place++) {
        HieraDiffRow row = make_row(diff, place);
        g_array_append_val(diff->rows, row);
    }
    g_array_sort_with_data(diff->rows, compare_rows, diff);
}

void hiera_diff_clear(HieraDiff *diff)
{
    for (guint i = 0; i < diff->n_runs; i++)
        hiera_run_threads_clear(&diff->threads[i]);
    g_free(diff->threads);
    hiera_diff_waits_free(diff->waits);
    hiera_tree_alignment_clear(&diff->alignment);
    g_array_unref(diff->rows);
}
