/* Overhead of Hiera: the estimated cost of recording each operation, compared with its time. */
#include "measures.h"
#include "recording_costs.h"
#include "tracing_cost.h"
#include "values/outermost.h"
#include "values/samples.h"
#include "values/shares.h"

#define WORDS "operation,site,level,rank"
typedef enum { BY_OPERATION, BY_SITE, BY_LEVEL, BY_RANK } By;

#define COST_COLUMNS                                                                                                   \
    {"calls", HIERA_CELL_INTEGER, HIERA_ROLE_SUM}, {"hidden", HIERA_CELL_INTEGER, HIERA_ROLE_DETAIL},                  \
        {"mean", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL}, {"own", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},                  \
        {"inside", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},                                                             \
    {                                                                                                                  \
        "share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM                                                                    \
    }
#define BYTES_COLUMN(role)                                                                                             \
    {                                                                                                                  \
        "bytes", HIERA_CELL_BYTES, role                                                                                \
    }
#define LEVEL_COLUMN                                                                                                   \
    {                                                                                                                  \
        "level", HIERA_CELL_TEXT, HIERA_ROLE_KEY                                                                       \
    }
#define OPERATION_COLUMN                                                                                               \
    {                                                                                                                  \
        "operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY                                                                   \
    }
/* The columns with a filter rule. `bytes` is only a detail here: the size that the rule leaves of the trace is more
 * useful. */
#define RULE_COLUMNS                                                                                                   \
    BYTES_COLUMN(HIERA_ROLE_DETAIL), {"rule", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},                                    \
        {"leaves", HIERA_CELL_BYTES, HIERA_ROLE_TELLING}, {"leaves_share", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},     \
    {                                                                                                                  \
        "saves", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL                                                                 \
    }

static const HieraColumn operation_columns[] = {LEVEL_COLUMN, OPERATION_COLUMN, COST_COLUMNS, RULE_COLUMNS},
                         site_columns[] = {LEVEL_COLUMN,
                                           OPERATION_COLUMN,
                                           {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},
                                           COST_COLUMNS,
                                           BYTES_COLUMN(HIERA_ROLE_SUM)},
                         level_columns[] = {LEVEL_COLUMN, COST_COLUMNS, RULE_COLUMNS},
                         rank_columns[] = {{"processor", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
                                           COST_COLUMNS,
                                           BYTES_COLUMN(HIERA_ROLE_SUM),
                                           {"flush", HIERA_CELL_SECONDS, HIERA_ROLE_SUM}};

typedef struct {
    const HieraScope *scope;
    By by;
    GArray *sites; /* HieraCosts by HieraSite.id */
    GArray *ranks; /* Rank, by rank */
    gint64 run_ns, flush_ns, bytes;
} All;

typedef struct {
    guint32 rank;
    gint64 run_ns, flush_ns;
    HieraCosts costs;
} Rank;

/* --- reading the operations of each rank --- */

static gpointer open_all(const HieraScope *scope)
{
    All *all = g_new0(All, 1);
    *all = (All){scope,
                 (By)hiera_scope_find_by(scope, WORDS),
                 g_array_new(FALSE, TRUE, sizeof(HieraCosts)),
                 g_array_new(FALSE, TRUE, sizeof(Rank)),
                 0,
                 0,
                 0};
    return all;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *of)
{
    (void)of;
    return hiera_recording_costs_new(scope);
}

static void operation(gpointer state, const HieraOperation *operation)
{
    hiera_recording_costs_add(state, operation);
}

static void filtered(gpointer state, const HieraFiltered *filtered)
{
    hiera_recording_costs_hide(state, filtered);
}

static void pack(gpointer state, const HieraProcessor *of, HieraPacker *to)
{
    hiera_recording_costs_pack(state, of, to);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *of, HieraUnpacker *from)
{
    (void)of;
    return hiera_recording_costs_unpack(scope, from);
}

/* Return the time of buffer flushes of a rank. Only the sum for the whole run is known, so it counts only if the scope
 * has the whole run. */
static gint64 flush_of(const HieraScope *scope, const HieraProcessor *of)
{
    gboolean whole = !hiera_scope_has_units(scope) && scope->from_ns == G_MININT64 && scope->to_ns == G_MAXINT64;
    return whole ? MAX(of->flush_ns, 0) : 0;
}

static void merge(gpointer data, gpointer state, const HieraProcessor *of, gboolean keep)
{
    All *all = data;
    Rank rank = {of->rank, hiera_scope_clip(all->scope, of->init_ns, of->finalize_ns), flush_of(all->scope, of), {0}};
    g_autoptr(GArray) sites = hiera_recording_costs_end(state, of);
    for (guint i = 0; keep && i < sites->len; i++) {
        const HieraCosts *costs = &g_array_index(sites, HieraCosts, i);
        if (!costs->site)
            continue;
        hiera_costs_add(hiera_costs_find(all->sites, costs->site), costs);
        hiera_costs_add(&rank.costs, costs);
    }
    if (!keep)
        return;
    g_array_append_val(all->ranks, rank);
    all->run_ns = hiera_plus(all->run_ns, rank.run_ns);
    all->flush_ns = hiera_plus(all->flush_ns, rank.flush_ns);
}

/* --- rows of the table --- */

static gint compare_sites(gconstpointer left, gconstpointer right)
{
    const HieraCosts *a = left, *b = right;
    if (!a->site || !b->site)
        return (a->site == NULL) - (b->site == NULL);
    return hiera_site_compare(a->site, b->site);
}

/* Sort by cost of recording, the most expensive first. */
static gint compare_costs(gconstpointer left, gconstpointer right)
{
    const HieraCosts *a = left, *b = right;
    if (a->own_ns != b->own_ns)
        return a->own_ns < b->own_ns ? 1 : -1;
    return hiera_site_compare(a->site, b->site);
}

/* Whether two call sites are in the same row. Their names are interned, so that pointers are compared. */
static gboolean is_same_row(const HieraSite *a, const HieraSite *b, By by)
{
    gboolean same_operation = a->operation == b->operation && a->class_name == b->class_name;
    return a->level == b->level && (by == BY_LEVEL || same_operation) && (by != BY_SITE || a == b);
}

/* Merge the costs of call sites in the same row into one element, and sort the elements by cost. */
static void group(All *all)
{
    guint n = 0;
    g_array_sort(all->sites, compare_sites);
    HieraCosts *rows = (HieraCosts *)(void *)all->sites->data;
    for (guint i = 0; i < all->sites->len && rows[i].site; i++) {
        const HieraSite *site = n > 0 ? rows[n - 1].site : NULL;
        if (site && is_same_row(site, rows[i].site, all->by)) {
            hiera_costs_add(&rows[n - 1], &rows[i]);
            rows[n - 1].site = site;
        } else
            rows[n++] = rows[i];
    }
    g_array_set_size(all->sites, n);
    g_array_sort(all->sites, compare_costs);
}

/* Return the rule of HIERA_FILTER that removes the operations of a row; the table owns the text. */
static const char *name_rule(const HieraSite *site, By by, HieraTable *table)
{
    g_autoptr(GString) rule = g_string_new(NULL);
    if (by == BY_OPERATION && site->mpi)
        return site->operation;
    g_string_append_printf(rule, "level=%s", site->level);
    if (by == BY_OPERATION) {
        g_autofree char *name = g_strdup(hiera_site_name(site, table));
        g_strdelimit(name, ",/ \t", '*'); /* replace characters that separate rules: a star matches any of them */
        g_string_append_printf(rule, "/operation=%s", name);
    }
    return hiera_table_keep(table, rule->str);
}

static HieraCell *put_costs(HieraCell *cell, const HieraCosts *costs, gint64 whole_ns)
{
    (cell++)->number = costs->calls;
    (cell++)->number = costs->filtered;
    (cell++)->number = hiera_mean(costs->time_ns, costs->calls);
    (cell++)->number = costs->own_ns;
    (cell++)->number = costs->inside_ns;
    (cell++)->number = hiera_percent(MIN(costs->inside_ns, whole_ns), whole_ns); /* cut to 100 %: cost is estimated */
    (cell++)->number = costs->bytes;
    return cell;
}

/* Set the cells on a filter rule for the row: the rule, the size of the trace with it, and the time that it saves. */
static void put_rule(HieraCell *cell, const All *all, const HieraCosts *costs, HieraTable *table)
{
    gboolean rule = costs->site && costs->calls > 0;
    gint64 hiding_ns = hiera_cost_times(hiera_plus(costs->calls, costs->filtered), HIERA_FILTERED_COST_NS),
           left = hiera_minus(all->bytes, rule ? costs->bytes : 0);
    (cell++)->text = rule ? name_rule(costs->site, all->by, table) : "";
    (cell++)->number = left;
    (cell++)->number = hiera_percent(left, all->bytes);
    cell->number = costs->site ? MAX(hiera_minus(costs->own_ns, hiding_ns), 0) : 0;
}

/* Add a row on operations, or on the whole run if `costs` has no site. @param whole_ns  100 % of the share */
static void add_row(const All *all, const HieraCosts *costs, const char *title, gint64 whole_ns, HieraTable *table)
{
    const HieraSite *site = costs->site;
    HieraCell cells[G_N_ELEMENTS(operation_columns)] = {0}, *cell = cells;
    if (site)
        (cell++)->text = site->level;
    else
        (cell++)->text = all->by == BY_LEVEL ? title : "";
    if (all->by != BY_LEVEL)
        (cell++)->text = site ? hiera_site_name(site, table) : title;
    if (all->by == BY_SITE) {
        (cell++)->text = site ? site->short_file : "";
        (cell++)->number = site ? site->line : 0;
    }
    cell = put_costs(cell, costs, whole_ns);
    if (all->by != BY_SITE)
        put_rule(cell, all, costs, table);
    hiera_table_add(table, cells);
}

static void add_rank(const char *name, const HieraCosts *costs, gint64 run_ns, gint64 flush_ns, HieraTable *table)
{
    HieraCell cells[G_N_ELEMENTS(rank_columns)] = {{.text = name}};
    HieraCell *last = put_costs(cells + 1, costs, run_ns);
    last->number = flush_ns;
    hiera_table_add(table, cells);
}

/* Return the costs of all ranks. A rank's cost is at least its time for flushing buffers, which is a part of it. */
static HieraCosts total_of(const All *all)
{
    HieraCosts total = {0};
    for (guint i = 0; i < all->ranks->len; i++) {
        const Rank *rank = &g_array_index(all->ranks, Rank, i);
        HieraCosts costs = rank->costs;
        costs.inside_ns = costs.own_ns = MAX(costs.own_ns, rank->flush_ns);
        hiera_costs_add(&total, &costs);
    }
    total.site = NULL;
    return total;
}

static void add_ranks(const All *all, const HieraCosts *total, HieraTable *table)
{
    for (guint i = 0; i < all->ranks->len; i++) {
        const Rank *rank = &g_array_index(all->ranks, Rank, i);
        HieraCosts costs = rank->costs;
        costs.inside_ns = costs.own_ns = MAX(costs.own_ns, rank->flush_ns);
        g_autofree char *name = g_strdup_printf("%u", rank->rank);
        add_rank(hiera_table_keep(table, name), &costs, rank->run_ns, rank->flush_ns, table);
    }
    add_rank("total", total, all->run_ns, all->flush_ns, table);
}

static void add_operations(All *all, const HieraCosts *total, HieraTable *table)
{
    HieraCosts flush = {.own_ns = all->flush_ns, .inside_ns = all->flush_ns};
    group(all);
    for (guint i = 0; i < all->sites->len; i++) {
        const HieraCosts *costs = &g_array_index(all->sites, HieraCosts, i);
        add_row(all, costs, NULL, costs->time_ns, table);
    }
    if (all->flush_ns > 0)
        add_row(all, &flush, "(of it writing)", all->run_ns, table);
    add_row(all, total, "total", all->run_ns, table);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    (void)catalog;
    All *all = data;
    HieraCosts total = total_of(all);
    all->bytes = total.bytes;
    if (table && all->by == BY_RANK)
        add_ranks(all, &total, table);
    else if (table)
        add_operations(all, &total, table);
    g_array_unref(all->sites);
    g_array_unref(all->ranks);
    g_free(all);
}

#define FORM(of)                                                                                                       \
    {                                                                                                                  \
        .name = "perturbation", .columns = of, .n_columns = G_N_ELEMENTS(of),                                          \
        .flags = HIERA_MEASURE_ORDERED | HIERA_MEASURE_WHOLE, .job = &(const HieraJobOps)                              \
        {                                                                                                              \
            .read = {.begin = begin, .operation = operation, .filtered = filtered, .pack = pack, .unpack = unpack},    \
            .open = open_all, .merge = merge, .close = close_all                                                       \
        }                                                                                                              \
    }
static const HieraMeasure by_operation = FORM(operation_columns), by_site = FORM(site_columns),
                          by_level = FORM(level_columns), by_rank = FORM(rank_columns);
static const HieraMeasure *const forms[] = {&by_operation, &by_site, &by_level, &by_rank};

const HieraMeasure hiera_measure_perturbation = {
    .name = "perturbation",
    .help = "what Hiera itself took (an estimate), and how to reduce it",
    .by = WORDS,
    .forms = forms,
};
