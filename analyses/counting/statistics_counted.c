/* See statistics_counted.h. All values are kept, like durations in `statistics`: one set of samples for each counter.
 */
#include "statistics_counted.h"
#include "values/counter_cells.h"
#include "values/distribution.h"
#include "values/samples.h"

/* Columns of numbers: their type becomes that of the counters if all have the same; else plain numbers. */
#define NUMBERS                                                                                                        \
    {"count", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"sum", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},                        \
        {"mean", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING}, {"deviation", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},        \
        {"min", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL}, {"q1", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},                 \
        {"median", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING}, {"q3", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},             \
        {"max", HIERA_CELL_INTEGER, HIERA_ROLE_TELLING},
enum { N_NUMBERS = 9 };

#define LEVEL                                                                                                          \
    {                                                                                                                  \
        "level", HIERA_CELL_TEXT, HIERA_ROLE_KEY                                                                       \
    }
#define OPERATION                                                                                                      \
    {                                                                                                                  \
        "operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY                                                                   \
    }
#define COUNTER                                                                                                        \
    {                                                                                                                  \
        "counter", HIERA_CELL_TEXT, HIERA_ROLE_KEY                                                                     \
    }
static const HieraColumn site_columns[] = {
    LEVEL,   OPERATION, {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY}, {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
    COUNTER, NUMBERS};
static const HieraColumn operation_columns[] = {LEVEL, OPERATION, COUNTER, NUMBERS};
static const HieraColumn level_columns[] = {LEVEL, COUNTER, NUMBERS};

/* State of one processor, or of all together. */
typedef struct {
    const HieraScope *scope;
    HieraSamples **samples; /* by counter of the scope: its values */
    GArray *around;         /* HieraCountedPlace by depth: call site of the last operation at this depth */
} Counters;

/* Destination of the rows of one counter. */
typedef struct {
    HieraGrouping grouping;
    const char *counter;
    HieraTable *table;
} Rows;

/* --- values of counters --- */

static gpointer open_all(const HieraScope *scope)
{
    Counters *counters = g_new(Counters, 1);
    *counters = (Counters){scope, g_new(HieraSamples *, scope->options.counters->n),
                           g_array_new(FALSE, FALSE, sizeof(HieraCountedPlace))};
    for (guint i = 0; i < scope->options.counters->n; i++)
        counters->samples[i] = hiera_samples_new();
    return counters;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)processor;
    return open_all(scope);
}

static void free_without_samples(Counters *counters)
{
    g_array_unref(counters->around);
    g_free(counters->samples);
    g_free(counters);
}

static void operation(gpointer state, const HieraOperation *operation)
{
    hiera_counted_note(((Counters *)state)->around, operation, operation->site->id);
}

static void counted(gpointer state, const HieraCounted *counted)
{
    const Counters *counters = state;
    gint i = hiera_scope_find_counter(counters->scope, counted);
    guint32 site = i >= 0 ? hiera_counted_find(counters->around, counted) : HIERA_NONE;
    if (site != HIERA_NONE)
        hiera_samples_add_value(counters->samples[i], HIERA_SAMPLE_DURATION, site,
                                hiera_counter_cell(counted->value, hiera_counter_cell_type(counted->counter)));
}

static void merge(gpointer data, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    const Counters *all = data;
    Counters *one = state;
    for (guint i = 0; i < all->scope->options.counters->n; i++)
        hiera_samples_merge(all->samples[i], one->samples[i], processor, keep);
    free_without_samples(one);
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    const Counters *counters = state;
    for (guint i = 0; i < counters->scope->options.counters->n; i++)
        hiera_samples_pack(counters->samples[i], to);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    Counters *counters = begin(scope, processor);
    for (guint i = 0; i < scope->options.counters->n; i++) {
        hiera_samples_free(counters->samples[i]);
        counters->samples[i] = hiera_samples_unpack(from);
    }
    return counters;
}

/* --- rows of the table --- */

static void add_row(const HieraSite *site, gint64 *const values[HIERA_N_SAMPLES], const gsize n[HIERA_N_SAMPLES],
                    const HieraValueSums *const sums[HIERA_N_SAMPLES], gpointer data)
{
    (void)sums;
    const Rows *rows = data;
    HieraCell cells[G_N_ELEMENTS(site_columns)], *cell = cells;
    HieraDistribution of = hiera_distribution_of(values[HIERA_SAMPLE_DURATION], n[HIERA_SAMPLE_DURATION]);
    const gint64 numbers[N_NUMBERS] = {of.count, of.sum,    of.mean, of.deviation, of.min,
                                       of.q1,    of.median, of.q3,   of.max};
    (cell++)->text = site->level;
    if (rows->grouping >= HIERA_GROUP_OPERATION)
        (cell++)->text = hiera_site_name(site, rows->table);
    if (rows->grouping >= HIERA_GROUP_SITE) {
        (cell++)->text = site->short_file;
        (cell++)->number = site->line;
    }
    (cell++)->text = rows->counter;
    for (guint i = 0; i < N_NUMBERS; i++)
        (cell++)->number = numbers[i];
    hiera_table_add(rows->table, cells);
}

static void set_types(const HieraScopeCounters *counters, const HieraCatalog *catalog)
{
    HieraCellType type = HIERA_CELL_INTEGER;
    for (guint i = 0; i < counters->n; i++) {
        HieraCellType own = hiera_counter_cell_type(hiera_catalog_find_counter(catalog, counters->names[i]));
        type = i == 0 || own == type ? own : HIERA_CELL_INTEGER;
        if (own != type)
            break;
    }
    for (guint i = counters->n_columns - N_NUMBERS + 1; i < counters->n_columns; i++) /* columns from `sum` on */
        counters->columns[i].type = type;
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    static const HieraGrouping groupings[] = {HIERA_GROUP_OPERATION, HIERA_GROUP_SITE, HIERA_GROUP_LEVEL};
    Counters *all = data;
    const HieraScopeCounters *counters = all->scope->options.counters;
    for (guint i = 0; i < counters->n; i++) {
        Rows rows = {groupings[hiera_scope_find_by(all->scope, HIERA_STATISTICS_BY)], counters->names[i], table};
        if (table)
            hiera_samples_visit(all->samples[i], catalog, rows.grouping, add_row, &rows);
        hiera_samples_free(all->samples[i]);
    }
    if (table) {
        set_types(counters, catalog);
        hiera_counters_limit(counters, catalog, table);
    }
    free_without_samples(all);
}

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "statistics", .columns = of, .n_columns = G_N_ELEMENTS(of), .job = &(const HieraJobOps)                \
        {                                                                                                              \
            .read = {.begin = begin,                                                                                   \
                     .operation = operation,                                                                           \
                     .records = {.counted = counted},                                                                  \
                     .pack = pack,                                                                                     \
                     .unpack = unpack},                                                                                \
            .open = open_all, .merge = merge, .close = close_all                                                       \
        }                                                                                                              \
    }
const HieraMeasure hiera_counted_by_operation = FORM(operation_columns), hiera_counted_by_site = FORM(site_columns),
                   hiera_counted_by_level = FORM(level_columns);
