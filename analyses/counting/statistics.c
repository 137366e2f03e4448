/* Distribution of durations and sizes of operations, by operation, call site or level.
 *
 * Quartiles are exact, so all values are kept, 16 bytes per operation. Therefore only recorded operations are
 * included, not those that a filter removed and added up. */
#include "measures.h"
#include "statistics_counted.h"
#include "values/distribution.h"
#include "values/samples.h"

static const HieraGrouping groupings[] = {HIERA_GROUP_OPERATION, HIERA_GROUP_SITE, HIERA_GROUP_LEVEL};

#define DISTRIBUTION_COLUMNS                                                                                           \
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"sum", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},                        \
        {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING}, {"deviation", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},        \
        {"min", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"q1", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},                 \
        {"median", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING}, {"q3", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},             \
        {"max", HIERA_CELL_SECONDS, HIERA_ROLE_TELLING}, {"bytes_count", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},       \
        {"bytes", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL}, {"bytes_mean", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},           \
        {"bytes_deviation", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL}, {"bytes_min", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},  \
        {"bytes_q1", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL}, {"bytes_median", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},      \
        {"bytes_q3", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL}, {"bytes_max", HIERA_CELL_BYTES, HIERA_ROLE_DETAIL},

static const HieraColumn site_columns[] = {{"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           DISTRIBUTION_COLUMNS};
static const HieraColumn operation_columns[] = {
    {"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, DISTRIBUTION_COLUMNS};
static const HieraColumn level_columns[] = {{"level", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, DISTRIBUTION_COLUMNS};

typedef struct {
    HieraGrouping grouping;
    HieraSamples *samples;
    HieraTable *table;
} Statistics;

static gpointer open_all(const HieraScope *scope)
{
    Statistics *all = g_new0(Statistics, 1);
    all->grouping = groupings[hiera_scope_find_by(scope, HIERA_STATISTICS_BY)];
    all->samples = hiera_samples_new();
    return all;
}

static void merge(gpointer all, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    hiera_samples_merge(((Statistics *)all)->samples, state, processor, keep);
}

/* Put a distribution without its count and sum; nothing is known of one without values. */
static HieraCell *put_distribution(HieraCell *cell, const HieraDistribution *of)
{
    const gint64 numbers[] = {of->mean, of->deviation, of->min, of->q1, of->median, of->q3, of->max};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        (cell++)->number = of->count > 0 ? numbers[i] : HIERA_UNKNOWN;
    return cell;
}

static HieraDistribution distribution_of(gint64 *const values[HIERA_N_SAMPLES], const gsize n[HIERA_N_SAMPLES],
                                         const HieraValueSums *const sums[HIERA_N_SAMPLES], HieraSampleKind sample)
{
    return sums[sample] ? hiera_value_sums_distribution(sums[sample])
                        : hiera_distribution_of(values[sample], n[sample]);
}

static void add_row(const HieraSite *site, gint64 *const values[HIERA_N_SAMPLES], const gsize n[HIERA_N_SAMPLES],
                    const HieraValueSums *const sums[HIERA_N_SAMPLES], gpointer data)
{
    const Statistics *all = data;
    HieraCell cells[G_N_ELEMENTS(site_columns)], *cell = cells;
    HieraDistribution time = distribution_of(values, n, sums, HIERA_SAMPLE_DURATION);
    HieraDistribution bytes = distribution_of(values, n, sums, HIERA_SAMPLE_BYTES);
    if (sums[HIERA_SAMPLE_DURATION] || sums[HIERA_SAMPLE_BYTES])
        hiera_table_limit(all->table, HIERA_FINDING_SUMS, HIERA_SAMPLES_SUMMED);
    (cell++)->text = site->level;
    if (all->grouping >= HIERA_GROUP_OPERATION)
        (cell++)->text = hiera_site_name(site, all->table);
    if (all->grouping >= HIERA_GROUP_SITE) {
        (cell++)->text = site->short_file;
        (cell++)->number = site->line;
    }
    (cell++)->number = time.count;
    (cell++)->number = time.sum;
    cell = put_distribution(cell, &time);
    (cell++)->number = bytes.count;
    (cell++)->number = bytes.sum;
    put_distribution(cell, &bytes);
    hiera_table_add(all->table, cells);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    Statistics *all = data;
    all->table = table;
    if (table)
        hiera_samples_visit(all->samples, catalog, all->grouping, add_row, all);
    hiera_samples_free(all->samples);
    g_free(all);
}

#define FORM(of, of_counters)                                                                                          \
    {                                                                                                                  \
        .name = "statistics", .columns = of, .n_columns = G_N_ELEMENTS(of), .counters = &of_counters,                  \
        .job = &(const HieraJobOps)                                                                                    \
        {                                                                                                              \
            .read = HIERA_SAMPLES_READ, .open = open_all, .merge = merge, .close = close_all                           \
        }                                                                                                              \
    }
static const HieraMeasure by_operation = FORM(operation_columns, hiera_counted_by_operation),
                          by_site = FORM(site_columns, hiera_counted_by_site),
                          by_level = FORM(level_columns, hiera_counted_by_level);
static const HieraMeasure *const forms[] = {&by_operation, &by_site, &by_level};

const HieraMeasure hiera_measure_statistics = {
    .name = "statistics",
    .help = "durations and sizes of each operation: mean, quartiles, …",
    .by = HIERA_STATISTICS_BY,
    .forms = forms,
};
