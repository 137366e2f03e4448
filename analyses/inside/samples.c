/* Measure `samples`: CPU time inside regions, by region, function, loop and line. */
#include "measures.h"
#include "sample_tree.h"
#include "sampled_list.h"
#include "values/shares.h"
#include <string.h>

static const HieraColumn columns[] = {
    {"path", HIERA_CELL_PATH, HIERA_ROLE_KEY},          {"samples", HIERA_CELL_INTEGER, HIERA_ROLE_SUM},
    {"time", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},       {"mpi", HIERA_CELL_SECONDS, HIERA_ROLE_DETAIL},
    {"share", HIERA_CELL_PERCENT, HIERA_ROLE_TELLING},  {"at_least", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},
    {"at_most", HIERA_CELL_PERCENT, HIERA_ROLE_DETAIL},
};

/* Siblings whose share of all samples is smaller (in 0.01 %) become one row together. */
enum { SMALL = 100 };

typedef struct {
    HieraSamplesBy by;
    gboolean is_narrow; /* TRUE if the scope has limits (level, depth, times) that samples cannot follow */
    GArray *sampled;    /* HieraSampled of all ranks */
} All;

static gpointer open_all(const HieraScope *scope)
{
    All *all = g_new0(All, 1);
    all->by = (HieraSamplesBy)hiera_scope_find_by(scope, hiera_measure_samples.by);
    all->is_narrow =
        scope->level || scope->depth >= 0 || scope->from_ns != G_MININT64 || scope->to_ns != G_MAXINT64 || scope->where;
    all->sampled = hiera_sampled_list_new();
    return all;
}

static gpointer begin(const HieraScope *scope, const HieraProcessor *processor)
{
    (void)scope, (void)processor;
    return hiera_sampled_list_new();
}

static void operation(gpointer state, const HieraOperation *operation)
{
    (void)state, (void)operation;
}

static void summed(gpointer state, const HieraSummed *summed)
{
    (void)state, (void)summed;
}

static void sampled(gpointer state, const HieraSampled *sampled)
{
    g_array_append_val((GArray *)state, *sampled);
}

static void merge(gpointer data, gpointer state, const HieraProcessor *processor, gboolean keep)
{
    const All *all = data;
    GArray *of = state;
    (void)processor;
    if (keep)
        g_array_append_vals(all->sampled, of->data, of->len);
    g_array_unref(of);
}

static void pack(gpointer state, const HieraProcessor *processor, HieraPacker *to)
{
    (void)processor;
    hiera_sampled_list_pack(state, to);
}

static gpointer unpack(const HieraScope *scope, const HieraProcessor *processor, HieraUnpacker *from)
{
    (void)scope, (void)processor;
    return hiera_sampled_list_unpack(from);
}

/* --- rows of the table --- */

typedef struct {
    const HieraSampledTree *tree;
    HieraTable *table;
    gint64 all; /* number of samples in the tree */
} Rows;

static void add_row(const Rows *rows, const char *path, gint64 count, gint64 time_ns, gint64 mpi_ns)
{
    gint64 least, most;
    hiera_sample_bounds(count, rows->all, &least, &most);
    const HieraCell cells[] = {
        {.text = hiera_table_keep(rows->table, path)}, {.number = count}, {.number = time_ns}, {.number = mpi_ns},
        {.number = hiera_percent(count, rows->all)},   {.number = least}, {.number = most}};
    G_STATIC_ASSERT(G_N_ELEMENTS(cells) == G_N_ELEMENTS(columns));
    hiera_table_add(rows->table, cells);
}

static gboolean is_small(const Rows *rows, const HieraSampledNode *node)
{
    return hiera_percent(node->count, rows->all) < SMALL;
}

/* Add one row for `node` and the siblings after it: they are sorted by time, so their shares are small too. */
static void add_small(const Rows *rows, const GString *path, guint32 node)
{
    g_autofree char *step = g_strdup_printf("%s%c(others, less than 1 %% each)", path->str, HIERA_PATH_SEPARATOR);
    gint64 count = 0, time_ns = 0, mpi_ns = 0;
    for (; node != 0; node = hiera_sampled_tree_peek(rows->tree, node)->next) {
        const HieraSampledNode *small = hiera_sampled_tree_peek(rows->tree, node);
        count += small->count;
        time_ns += small->time_ns;
        mpi_ns += small->mpi_ns;
    }
    add_row(rows, path->len > 0 ? step : step + 1, count, time_ns, mpi_ns);
}

static void add_children(const Rows *rows, GString *path, guint32 parent)
{
    for (guint32 i = hiera_sampled_tree_peek(rows->tree, parent)->first; i != 0;
         i = hiera_sampled_tree_peek(rows->tree, i)->next) {
        const HieraSampledNode *node = hiera_sampled_tree_peek(rows->tree, i);
        gsize length = path->len;
        if (is_small(rows, node) && node->next != 0) {
            add_small(rows, path, i);
            return;
        }
        if (length > 0)
            g_string_append_c(path, HIERA_PATH_SEPARATOR);
        g_string_append(path, node->step);
        add_row(rows, path->str, node->count, node->time_ns, node->mpi_ns);
        add_children(rows, path, i);
        g_string_truncate(path, length);
    }
}

/* --- limits of the answer --- */

/* Say which program or library with unknown functions has most samples, if it has at least one percent. */
static void limit_unknown(const Rows *rows)
{
    const HieraSamplesUnknown *most = NULL;
    for (guint i = 0; i < rows->tree->unknown->len; i++) {
        const HieraSamplesUnknown *one = &g_array_index(rows->tree->unknown, HieraSamplesUnknown, i);
        if (hiera_percent(one->count, rows->all) >= SMALL && (!most || one->count > most->count))
            most = one;
    }
    if (!most)
        return;
    g_autofree char *sentence = g_strdup_printf("samples: functions and loops in %s are not known: %s",
                                                *most->object ? most->object : "code of no file", most->problem);
    hiera_table_limit(rows->table, HIERA_FINDING_OBJECT, sentence);
}

static void tell(const All *all, HieraTable *table)
{
    HieraSampledTree tree;
    gint64 lost = 0;
    hiera_sampled_tree_init(&tree);
    for (guint i = 0; i < all->sampled->len; i++) {
        const HieraSampled *one = &g_array_index(all->sampled, HieraSampled, i);
        if (one->object)
            hiera_sampled_tree_add(&tree, all->by, one);
        else
            lost = hiera_plus(lost, one->count);
    }
    hiera_sampled_tree_sort(&tree);
    const Rows rows = {&tree, table, hiera_sampled_tree_peek(&tree, 0)->count};
    g_autoptr(GString) path = g_string_new(NULL);
    if (rows.all > 0)
        add_children(&rows, path, 0);
    limit_unknown(&rows);
    if (lost > 0) {
        g_autofree char *sentence =
            g_strdup_printf("samples: %" G_GINT64_FORMAT " samples are lost, because there was no room for them", lost);
        hiera_table_limit(table, HIERA_FINDING_LOST, sentence);
    }
    if (all->is_narrow)
        hiera_table_limit(table, HIERA_FINDING_SUMS,
                          "samples: samples have no times of their own; these are those of the whole run, of the ranks "
                          "that were asked for");
    hiera_sampled_tree_clear(&tree);
}

static void close_all(gpointer data, const HieraCatalog *catalog, HieraTable *table)
{
    All *all = data;
    (void)catalog;
    if (table)
        tell(all, table);
    g_array_unref(all->sampled);
    g_free(all);
}

const HieraMeasure hiera_measure_samples = {
    .name = "samples",
    .help = "CPU time inside regions: functions, loops, lines (HIERA_SAMPLE)",
    .by = "loop,line,function,region",
    .nothing = "the run was not sampled: record it with HIERA_SAMPLE=100/s",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .flags = HIERA_MEASURE_ORDERED,
    .job = &(const HieraJobOps){.read = {.begin = begin,
                                         .operation = operation,
                                         .summed = summed,
                                         .records = {.sampled = sampled},
                                         .pack = pack,
                                         .unpack = unpack},
                                .open = open_all,
                                .merge = merge,
                                .close = close_all},
};
