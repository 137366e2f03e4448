/* What makes ranks wait, and on which ranks: one row for each call path that causes waits and each place where others
 * wait for it, the most expensive first. */
#include "delays.h"
#include "measures.h"

static const HieraColumn columns[] = {
    {"operation", HIERA_CELL_TEXT, HIERA_ROLE_KEY},   {"file", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"line", HIERA_CELL_INTEGER, HIERA_ROLE_KEY},     {"path", HIERA_CELL_CALLERS, HIERA_ROLE_DETAIL},
    {"processors", HIERA_CELL_TEXT, HIERA_ROLE_KEY},  {"direct", HIERA_CELL_SECONDS, HIERA_ROLE_SUM},
    {"indirect", HIERA_CELL_SECONDS, HIERA_ROLE_SUM}, {"share", HIERA_CELL_PERCENT, HIERA_ROLE_SUM},
    {"class", HIERA_CELL_TEXT, HIERA_ROLE_KEY},       {"at", HIERA_CELL_TEXT, HIERA_ROLE_KEY},
    {"delayed", HIERA_CELL_TEXT, HIERA_ROLE_TELLING},
};

enum { NEARLY_PERCENT = 90 }; /* ranks are named that cause at least this much of the largest part */

/* A row: the causes of all ranks with the same path and place. */
typedef struct {
    guint32 node, at;
    guint8 class;
    gint64 direct_ns, indirect_ns;
    GArray *causing, *delayed; /* HieraShare */
} Row;

static gint compare_delays(gconstpointer left, gconstpointer right)
{
    const HieraDelay *a = left, *b = right;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

static void row_clear(gpointer data)
{
    g_array_unref(((Row *)data)->causing);
    g_array_unref(((Row *)data)->delayed);
}

/* The most expensive first; of equal ones the one whose path was met first. */
static gint compare_rows(gconstpointer left, gconstpointer right)
{
    const Row *a = left, *b = right;
    gint64 time_a = hiera_plus(a->direct_ns, a->indirect_ns), time_b = hiera_plus(b->direct_ns, b->indirect_ns);
    if (time_a != time_b)
        return time_a < time_b ? 1 : -1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : (a->class > b->class) - (a->class < b->class);
}

static gint compare_shares(gconstpointer left, gconstpointer right)
{
    const HieraShare *a = left, *b = right;
    return (a->processor > b->processor) - (a->processor < b->processor);
}

/* Sort shares by processor, and make one of those of the same processor. */
static void settle_shares(GArray *shares)
{
    guint n = 0;
    g_array_sort(shares, compare_shares);
    for (guint i = 0; i < shares->len; i++) {
        HieraShare *from = &g_array_index(shares, HieraShare, i), *to = &g_array_index(shares, HieraShare, n);
        if (n > 0 && to[-1].processor == from->processor)
            to[-1].time_ns = hiera_plus(to[-1].time_ns, from->time_ns);
        else
            *to = *from, n++;
    }
    g_array_set_size(shares, n);
}

/* Return rows (Row) of the delays, which become sorted; to be freed with g_array_unref. */
static GArray *make_rows(GArray *delays)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    g_array_set_clear_func(rows, row_clear);
    g_array_sort(delays, compare_delays);
    for (guint i = 0; i < delays->len; i++) {
        const HieraDelay *delay = &g_array_index(delays, HieraDelay, i);
        Row *row = rows->len ? &g_array_index(rows, Row, rows->len - 1) : NULL;
        if (!row || row->node != delay->node || row->at != delay->at || row->class != delay->class) {
            Row made = {delay->node,
                        delay->at,
                        delay->class,
                        0,
                        0,
                        g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                        g_array_new(FALSE, FALSE, sizeof(HieraShare))};
            g_array_append_val(rows, made);
            row = &g_array_index(rows, Row, rows->len - 1);
        }
        row->direct_ns = hiera_plus(row->direct_ns, delay->direct_ns);
        row->indirect_ns = hiera_plus(row->indirect_ns, delay->indirect_ns);
        if (delay->processor != HIERA_NONE)
            hiera_shares_add(row->causing, delay->processor, hiera_plus(delay->direct_ns, delay->indirect_ns));
        g_array_append_vals(row->delayed, delay->delayed->data, delay->delayed->len);
    }
    for (guint i = 0; i < rows->len; i++)
        settle_shares(g_array_index(rows, Row, i).delayed);
    g_array_sort(rows, compare_rows);
    return rows;
}

/* Return the ranks with most time, in their notation; the table owns the text. */
static const char *name_ranks(const GArray *shares, const HieraTrace *trace, HieraTable *table)
{
    gint64 most_ns = 0;
    for (guint i = 0; i < shares->len; i++)
        most_ns = MAX(most_ns, g_array_index(shares, HieraShare, i).time_ns);
    return hiera_shares_name_ranks(shares, trace, most_ns / 100 * NEARLY_PERCENT, table);
}

/* Return a place like "allreduce md.c:46"; the table owns the text. */
static const char *name_place(const HieraSite *site, HieraTable *table)
{
    g_autofree char *name = site ? g_strdup_printf("%s %s:%u", site->operation, site->short_file, site->line) : NULL;
    return name ? hiera_table_keep(table, name) : "";
}

/* Return what a node does: "step", "before allreduce", "outside of all operations"; the table owns the text. */
static const char *name_cause(const HieraCallPaths *paths, guint32 node, HieraTable *table)
{
    if (node == HIERA_NONE)
        return "(unexplained)";
    const HieraSite *site = hiera_call_paths_site(paths, node);
    gboolean before = site && hiera_call_tree_peek(paths->tree, node)->site & HIERA_CALL_BEFORE;
    g_autofree char *name = site ? g_strdup_printf("%s%s%s%s", before ? "before " : "", site->class_name,
                                                   *site->class_name ? "::" : "", site->operation)
                                 : g_strdup("(outside of all operations)");
    return hiera_table_keep(table, name);
}

static void add_row(const HieraCallPaths *paths, const Row *row, gint64 run_ns, HieraTable *table)
{
    const HieraSite *site = row->node == HIERA_NONE ? NULL : hiera_call_paths_site(paths, row->node);
    hiera_table_add(table, (HieraCell[]){
                               {.text = name_cause(paths, row->node, table)},
                               {.text = site ? site->short_file : ""},
                               {.number = site ? site->line : 0},
                               {.text = row->node == HIERA_NONE ? "" : hiera_call_paths_text(paths, row->node, table)},
                               {.text = name_ranks(row->causing, paths->trace, table)},
                               {.number = row->direct_ns},
                               {.number = row->indirect_ns},
                               {.number = hiera_percent(hiera_plus(row->direct_ns, row->indirect_ns), run_ns)},
                               {.text = hiera_wait_name((HieraWaitClass)row->class)},
                               {.text = name_place(hiera_call_paths_site(paths, row->at), table)},
                               {.text = name_ranks(row->delayed, paths->trace, table)},
                           });
}

static gboolean find(const HieraMatch *match, const HieraScope *scope, HieraTable *table, GError **error)
{
    (void)error;
    const HieraTrace *trace = hiera_match_peek_trace(match);
    HieraScope all_ranks = *scope;
    HieraCallPaths paths;
    all_ranks.ranks = NULL;
    hiera_call_paths_init(&paths, trace, &all_ranks);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    g_autoptr(GArray) delays = hiera_delays_find(match, &paths, waits, scope);
    g_autoptr(GArray) rows = make_rows(delays);
    gint64 run_ns = hiera_run_sum(trace, scope);
    for (guint i = 0; i < rows->len; i++)
        add_row(&paths, &g_array_index(rows, Row, i), run_ns, table);
    hiera_call_paths_clear(&paths);
    return TRUE;
}

const HieraMeasure hiera_measure_causes = {
    .name = "causes",
    .help = "what makes others wait, on which ranks, directly and through chains",
    .columns = columns,
    .n_columns = G_N_ELEMENTS(columns),
    .protocol = HIERA_PROTOCOL_MATCH,
    .ordered = TRUE,
    .find = find,
};
