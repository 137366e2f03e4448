/* See sample_rows.h. */
#include "sample_rows.h"

void hiera_sample_rows_tell(const HieraTrace *trace, const HieraScope *scope, HieraTable *part)
{
    for (guint i = 0; hiera_hot_loops_suit(scope) && i < trace->sampled->len; i++) {
        const HieraSampled *sampled = &g_array_index(trace->sampled, HieraSampled, i);
        if (!sampled->object || !hiera_scope_is_own(scope, sampled->processor))
            continue;
        hiera_table_add(part, (HieraCell[]){{.number = HIERA_SAMPLE_ROW},
                                            {.number = sampled->in_mpi},
                                            {.number = sampled->processor},
                                            {.number = sampled->time_ns},
                                            {.number = sampled->thread},
                                            {.number = sampled->count},
                                            {.number = (gint64)sampled->offset},
                                            {.text = sampled->path},
                                            {.text = sampled->object},
                                            {.text = sampled->build},
                                            {.text = sampled->trace}});
    }
}

static HieraSampled read_row(const HieraCell *cells)
{
    return (HieraSampled){.processor = (guint32)cells[HIERA_SAMPLE_ROW_NODE].number,
                          .thread = (guint32)cells[HIERA_SAMPLE_ROW_THREAD].number,
                          .in_mpi = (gboolean)cells[HIERA_SAMPLE_ROW_CAUSING].number,
                          .path = cells[HIERA_SAMPLE_ROW_PATH].text,
                          .object = cells[HIERA_SAMPLE_ROW_OBJECT].text,
                          .build = cells[HIERA_SAMPLE_ROW_BUILD].text,
                          .trace = cells[HIERA_SAMPLE_ROW_TRACE].text,
                          .offset = (guint64)cells[HIERA_SAMPLE_ROW_OFFSET].number,
                          .count = cells[HIERA_SAMPLE_ROW_COUNT].number,
                          .time_ns = cells[HIERA_SAMPLE_ROW_TIME].number};
}

static gint compare_processors(gconstpointer a, gconstpointer b)
{
    const HieraSampled *x = a, *y = b;
    return (x->processor > y->processor) - (x->processor < y->processor);
}

HieraHotLoops *hiera_sample_rows_gather(const HieraTable *parts, const HieraScope *scope)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(HieraSampled));
    for (guint i = 0; hiera_hot_loops_suit(scope) && i < hiera_table_count(parts); i++) {
        const HieraCell *cells = hiera_table_peek_row(parts, i);
        if (cells[HIERA_SAMPLE_ROW_WAIT].number != HIERA_SAMPLE_ROW)
            continue;
        const HieraSampled sampled = read_row(cells);
        g_array_append_val(all, sampled);
    }
    g_array_sort(all, compare_processors); /* stable */
    HieraHotLoops *loops = all->len > 0 ? hiera_hot_loops_new() : NULL;
    for (guint i = 0; i < all->len; i++)
        hiera_hot_loops_add(loops, &g_array_index(all, HieraSampled, i));
    return loops;
}
