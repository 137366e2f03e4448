#include "before.h"
#include <stdlib.h>

HieraBefore *hiera_before_new(void)
{
    HieraBefore *before = g_new0(HieraBefore, 1);
    before->went = g_array_new(FALSE, FALSE, sizeof(HieraWent));
    before->carried = g_array_new(FALSE, FALSE, sizeof(HieraCarried));
    before->comms = g_hash_table_new(NULL, NULL);
    return before;
}

void hiera_before_free(gpointer data)
{
    HieraBefore *before = data;
    g_array_unref(before->went);
    g_array_unref(before->carried);
    g_hash_table_unref(before->comms);
    g_free(before);
}

void hiera_before_take_counts(HieraBefore *before, const HieraBefore *from)
{
    GHashTableIter iterator;
    gpointer comm;
    before->complete = from->complete;
    g_array_append_vals(before->went, from->went->data, from->went->len);
    g_hash_table_iter_init(&iterator, from->comms);
    while (g_hash_table_iter_next(&iterator, &comm, NULL))
        g_hash_table_add(before->comms, comm);
}

static int compare_carried(const void *a, const void *b)
{
    const HieraCarried *left = a, *right = b;
    return (left->index > right->index) - (left->index < right->index);
}

gboolean hiera_before_is_carried(const HieraTrace *trace, guint32 row, gint64 *place)
{
    const HieraProcessor *of = &trace->processors[hiera_trace_find_processor(trace, row)];
    if (!of->before || of->before->carried->len == 0)
        return FALSE;
    const HieraCarried key = {row - of->first, 0};
    const HieraCarried *found =
        bsearch(&key, of->before->carried->data, of->before->carried->len, sizeof key, compare_carried);
    if (found && place)
        *place = found->place;
    return found != NULL;
}

void hiera_before_choose(const HieraBefore *before, const GArray *rows)
{
    guint kept = 0, row = 0;
    for (guint i = 0; i < before->carried->len; i++) {
        HieraCarried carried = g_array_index(before->carried, HieraCarried, i);
        while (row < rows->len && g_array_index(rows, guint32, row) < carried.index)
            row++;
        if (row == rows->len || g_array_index(rows, guint32, row) != carried.index)
            continue;
        carried.index = row;
        g_array_index(before->carried, HieraCarried, kept++) = carried;
    }
    g_array_set_size(before->carried, kept);
}
