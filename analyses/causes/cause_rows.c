/* Delays with the same causing path, place of waiting and class become one row; see cause_rows.h. */
#include "cause_rows.h"

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
    g_array_unref(((HieraCauseRow *)data)->causing);
    g_array_unref(((HieraCauseRow *)data)->delayed);
}

/* Sort by cost, the most expensive first; if equal, by node, in the order of discovery. */
static gint compare_rows(gconstpointer left, gconstpointer right)
{
    const HieraCauseRow *a = left, *b = right;
    gint64 time_a = hiera_plus(a->direct_ns, a->indirect_ns), time_b = hiera_plus(b->direct_ns, b->indirect_ns);
    if (time_a != time_b)
        return time_a < time_b ? 1 : -1;
    if (a->node != b->node)
        return a->node < b->node ? -1 : 1;
    return a->at != b->at ? (a->at > b->at) - (a->at < b->at) : (a->class > b->class) - (a->class < b->class);
}

GArray *hiera_cause_rows_make(GArray *delays)
{
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(HieraCauseRow));
    g_array_set_clear_func(rows, row_clear);
    g_array_sort(delays, compare_delays);
    for (guint i = 0; i < delays->len; i++) {
        const HieraDelay *delay = &g_array_index(delays, HieraDelay, i);
        HieraCauseRow *row = rows->len ? &g_array_index(rows, HieraCauseRow, rows->len - 1) : NULL;
        if (!row || row->node != delay->node || row->at != delay->at || row->class != delay->class) {
            HieraCauseRow made = {.node = delay->node,
                                  .at = delay->at,
                                  .class = delay->class,
                                  .causing = g_array_new(FALSE, FALSE, sizeof(HieraShare)),
                                  .delayed = g_array_new(FALSE, FALSE, sizeof(HieraShare))};
            g_array_append_val(rows, made);
            row = &g_array_index(rows, HieraCauseRow, rows->len - 1);
        }
        row->direct_ns = hiera_plus(row->direct_ns, delay->direct_ns);
        row->indirect_ns = hiera_plus(row->indirect_ns, delay->indirect_ns);
        row->unsure_ns = hiera_plus(row->unsure_ns, delay->unsure_ns);
        if (delay->processor != HIERA_NONE)
            hiera_shares_add(row->causing, delay->processor, hiera_plus(delay->direct_ns, delay->indirect_ns));
        g_array_append_vals(row->delayed, delay->delayed->data, delay->delayed->len);
    }
    for (guint i = 0; i < rows->len; i++)
        hiera_shares_settle(g_array_index(rows, HieraCauseRow, i).delayed);
    g_array_sort(rows, compare_rows);
    return rows;
}

/* Return the least time that is nearly as long as the longest time of a rank. */
static gint64 find_least(const GArray *shares)
{
    gint64 most_ns = 0;
    for (guint i = 0; i < shares->len; i++)
        most_ns = MAX(most_ns, g_array_index(shares, HieraShare, i).time_ns);
    return hiera_shares_nearly(most_ns);
}

const char *hiera_cause_ranks(const GArray *shares, const HieraTrace *trace, HieraTable *table)
{
    return hiera_shares_name_ranks(shares, trace, find_least(shares), table);
}

GArray *hiera_cause_processors(const GArray *shares)
{
    GArray *processors = g_array_new(FALSE, FALSE, sizeof(guint32));
    gint64 least_ns = find_least(shares);
    for (guint i = 0; i < shares->len; i++) {
        const HieraShare *share = &g_array_index(shares, HieraShare, i);
        if (share->time_ns >= least_ns)
            g_array_append_val(processors, share->processor);
    }
    return processors;
}

const char *hiera_cause_place(const HieraCallPaths *paths, guint32 node, HieraTable *table)
{
    const HieraSite *site = hiera_call_paths_site(paths, node);
    g_autofree char *place = site ? hiera_site_place(site) : NULL;
    g_autofree char *name = site ? g_strjoin(*place ? " " : "", site->operation, place, NULL) : NULL;
    return name ? hiera_table_keep(table, name) : "";
}

const char *hiera_cause_name(const HieraCallPaths *paths, guint32 node, HieraTable *table)
{
    if (node == HIERA_NONE)
        return "(unexplained)";
    const HieraSite *site = hiera_call_paths_site(paths, node);
    gboolean before = hiera_call_is_before(hiera_call_tree_peek(paths->tree, node)->site);
    if (hiera_call_paths_is_own(paths, node))
        return HIERA_ITSELF;
    g_autofree char *name = site ? g_strdup_printf("%s%s%s%s", before ? "before " : "", site->class_name,
                                                   *site->class_name ? "::" : "", site->operation)
                                 : g_strdup("(outside of all operations)");
    return hiera_table_keep(table, name);
}
