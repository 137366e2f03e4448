/* Efficiencies of several runs: what each run loses by itself, and how much its computation grows compared with the
 * smallest run (the scalability of POP). */
#include "scaling.h"
#include "efficiency_factors.h"
#include "values/shares.h"
#include <string.h>

#define FACTOR_COLUMNS                                                                                                 \
    {"processes", HIERA_CELL_INTEGER, HIERA_ROLE_KEY}, {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},                   \
        {"useful", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"global", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},         \
        {"scaling", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING}, {"efficiency", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},   \
        {"load-balance", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},                                                      \
        {"communication", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},                                                      \
        {"serialisation", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL}, {"transfer", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL}, \
        HIERA_EFFICIENCY_THREAD_COLUMNS{"remark", HIERA_CELL_TEXT, HIERA_ROLE_DETAIL},
static const HieraColumn run_columns[] = {{"run", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, FACTOR_COLUMNS};
static const HieraColumn region_columns[] = {
    {"region", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"run", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, FACTOR_COLUMNS};

/* What is kept of one run until all runs are compared. */
typedef struct {
    GArray *sums;       /* HieraEfficiencySums */
    GPtrArray *remarks; /* text by index in `sums`: what limits the meaning of its factors */
    HieraTable *names;  /* owns the names of regions */
} Digest;

static gpointer digest(const HieraMatch *match, const HieraScope *scope)
{
    Digest *kept = g_new(Digest, 1);
    const HieraDependences *of = hiera_dependences_find(match);
    HieraIdealRun ideal;
    hiera_ideal_run_init(&ideal, of, NULL);
    kept->names = hiera_table_new("", run_columns, 1);
    kept->sums = hiera_efficiency_sums_find(match, of, &ideal, scope, kept->names);
    kept->remarks = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < kept->sums->len; i++)
        g_ptr_array_add(kept->remarks, hiera_efficiency_remark(hiera_match_peek_trace(match),
                                                               &g_array_index(kept->sums, HieraEfficiencySums, i)));
    hiera_ideal_run_clear(&ideal);
    return kept;
}

static void close_run(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog, (void)table;
    Digest *kept = data;
    g_array_unref(kept->sums);
    g_ptr_array_unref(kept->remarks);
    hiera_table_free(kept->names);
    g_free(kept);
}

/* --- rows of the table --- */

/* The sums of the run, or of one region, in one of the compared runs. */
typedef struct {
    const char *run;
    const HieraEfficiencySums *sums;
    const char *remark;
} Part;

/* Return `part` as a share of `whole` in hundredths of a percent; HIERA_UNKNOWN if the whole is 0. */
static gint64 percent_of(__int128 part, __int128 whole)
{
    if (whole <= 0)
        return HIERA_UNKNOWN;
    __int128 percent = (part * 20000 + whole) / (2 * whole);
    return percent < HIERA_TOO_LARGE ? (gint64)percent : HIERA_TOO_LARGE;
}

/* Return the computation expected from the reference: as much in total (strong scaling), or per thread (weak). */
static __int128 expect_useful(const HieraEfficiencySums *reference, const HieraEfficiencySums *sums, gboolean weak)
{
    return weak ? (__int128)reference->useful_ns * hiera_efficiency_threads(sums) /
                      MAX(hiera_efficiency_threads(reference), 1)
                : reference->useful_ns;
}

static gboolean is_known(const HieraEfficiencySums *sums)
{
    return sums->useful_ns != HIERA_TOO_LARGE && sums->time_ns != HIERA_TOO_LARGE;
}

/* Return `part` as a share of `whole`, of two runs; HIERA_UNKNOWN if one lacks calls, which would count as useful. */
static gint64 share_of(__int128 part, __int128 whole, const HieraEfficiencySums *sums,
                       const HieraEfficiencySums *reference)
{
    if (sums->past || reference->past)
        return HIERA_UNKNOWN;
    return is_known(sums) && is_known(reference) ? percent_of(part, whole) : HIERA_TOO_LARGE;
}

static void add_row(HieraTable *table, const Part *part, const Part *reference, gboolean by_region, gboolean weak)
{
    const HieraEfficiencySums *sums = part->sums;
    const HieraEfficiencyFactors factors = hiera_efficiency_factors(sums);
    __int128 expected_ns = expect_useful(reference->sums, sums, weak);
    HieraCell cells[G_N_ELEMENTS(region_columns)], *cell = cells;
    const char *role = weak ? "reference of weak scaling" : "reference of strong scaling";
    if (part != reference)
        role = "";
    g_autofree char *remark = g_strconcat(role, *role && *part->remark ? "; " : "", part->remark, NULL);
    if (by_region)
        (cell++)->text = hiera_table_keep(table, sums->region);
    (cell++)->text = part->run;
    (cell++)->number = sums->processes;
    (cell++)->number = sums->time_ns;
    (cell++)->number = sums->useful_ns;
    (cell++)->number =
        share_of(expected_ns, (__int128)sums->time_ns * hiera_efficiency_threads(sums), sums, reference->sums);
    (cell++)->number = share_of(expected_ns, sums->useful_ns, sums, reference->sums);
    (cell++)->number = factors.efficiency;
    (cell++)->number = factors.load_balance;
    (cell++)->number = factors.communication;
    (cell++)->number = factors.serialisation;
    (cell++)->number = factors.transfer;
    const HieraCell of_threads[] = {HIERA_EFFICIENCY_THREAD_CELLS(sums, factors)};
    memcpy(cell, of_threads, sizeof of_threads);
    cell[G_N_ELEMENTS(of_threads)].text = hiera_table_keep(table, remark);
    hiera_table_add(table, cells);
}

/* --- comparison of the runs --- */

static gint compare_sizes(gconstpointer left, gconstpointer right)
{
    gint64 a = hiera_efficiency_threads(((const Part *)left)->sums);
    gint64 b = hiera_efficiency_threads(((const Part *)right)->sums);
    return (a > b) - (a < b);
}

/* Find a region in all runs that have it; the smallest run first, runs of equal size in the order of the command line.
 * @return an array of Part, to be freed with g_array_unref */
static GArray *find_parts(const HieraRun *runs, guint n_runs, const char *region)
{
    GArray *parts = g_array_new(FALSE, FALSE, sizeof(Part));
    for (guint i = 0; i < n_runs; i++) {
        const Digest *kept = runs[i].all;
        for (guint j = 0; j < kept->sums->len; j++) {
            const HieraEfficiencySums *sums = &g_array_index(kept->sums, HieraEfficiencySums, j);
            const Part part = {runs[i].name, sums, g_ptr_array_index(kept->remarks, j)};
            if (sums->processes > 0 && strcmp(sums->region, region) == 0)
                g_array_append_val(parts, part);
        }
    }
    g_array_sort(parts, compare_sizes);
    return parts;
}

/* Whether it looks like weak scaling: the useful time grows on average at least 0.9 times as much as the number of
 * threads. */
static gboolean looks_weak(const GArray *parts)
{
    const HieraEfficiencySums *least = g_array_index(parts, Part, 0).sums;
    gint64 n_least = hiera_efficiency_threads(least);
    double sum = 0, useful = (double)MAX(least->useful_ns, 1) / (double)n_least;
    guint n = 0;
    for (guint i = 1; i < parts->len; i++) {
        const HieraEfficiencySums *sums = g_array_index(parts, Part, i).sums;
        gint64 n_threads = hiera_efficiency_threads(sums);
        sum += n_threads > n_least ? (double)sums->useful_ns / (double)n_threads / useful : 0;
        n += n_threads > n_least;
    }
    return n > 0 && sum / n >= 0.9;
}

static char *say_scaling(const GArray *parts, gboolean weak)
{
    const Part *least = &g_array_index(parts, Part, 0);
    const HieraEfficiencySums *sums = least->sums;
    g_autofree char *threads = sums->teams ? g_strdup_printf(", %" G_GINT64_FORMAT " threads", sums->threads) : NULL;
    return g_strdup_printf(
        "%s scaling, compared with %s (%u rank%s%s): %s%s", weak ? "weak" : "strong", least->run, sums->processes,
        sums->processes == 1 ? "" : "s", threads ? threads : "",
        weak ? "each rank should compute as long as there" : "all ranks together should compute as long as there",
        !weak && looks_weak(parts)
            ? "; here each rank does, or longer: if the problem grows with the ranks, add --scaling weak"
            : "");
}

static void add_region(const HieraRun *runs, guint n_runs, const char *region, gboolean by_region, gboolean weak,
                       HieraTable *table, HieraComparison *comparison)
{
    g_autoptr(GArray) parts = find_parts(runs, n_runs, region);
    for (guint i = 0; i < parts->len; i++)
        add_row(table, &g_array_index(parts, Part, i), &g_array_index(parts, Part, 0), by_region, weak);
    if (parts->len > 0 && !comparison->note)
        comparison->note = say_scaling(parts, weak);
}

static void compare_by(gboolean by_region, const HieraRun *runs, guint n_runs, const HieraScope *scope,
                       HieraTable *table, HieraComparison *comparison)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < n_runs; i++) {
        const GArray *sums = ((const Digest *)runs[i].all)->sums;
        for (guint j = 0; j < sums->len; j++) {
            const char *region = g_array_index(sums, HieraEfficiencySums, j).region;
            if (g_hash_table_add(seen, (gpointer)region))
                add_region(runs, n_runs, region, by_region, scope->options.weak, table, comparison);
        }
    }
}

static void compare_runs(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                         HieraComparison *comparison)
{
    compare_by(FALSE, runs, n_runs, scope, table, comparison);
}

static void compare_regions(const HieraRun *runs, guint n_runs, const HieraScope *scope, HieraTable *table,
                            HieraComparison *comparison)
{
    compare_by(TRUE, runs, n_runs, scope, table, comparison);
}

#define FORM(of, with)                                                                                                 \
    {                                                                                                                  \
        .name = "efficiency", .by = HIERA_SCALING_BY, .columns = of, .n_columns = G_N_ELEMENTS(of),                    \
        .flags = HIERA_MEASURE_SCALING | HIERA_MEASURE_ORDERED, .runs = &(const HieraRunsOps)                          \
        {                                                                                                              \
            .each = {.close = close_run}, .digest = digest, .compare = with                                            \
        }                                                                                                              \
    }
static const HieraMeasure of_runs = FORM(run_columns, compare_runs), of_regions = FORM(region_columns, compare_regions);
static const HieraMeasure *const forms[] = {&of_runs, &of_regions};

const HieraMeasure hiera_scaling = {
    .name = "efficiency",
    .help = "scalability: the efficiencies of several runs",
    .by = HIERA_SCALING_BY,
    .forms = forms,
};
