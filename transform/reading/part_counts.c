#include "part_counts.h"

void part_counts_init(PartCounts *counts)
{
    for (guint i = 0; i < PART_COUNT_SORTS; i++)
        counts->by_sort[i] = g_hash_table_new(NULL, NULL);
}

void part_counts_clear(PartCounts *counts)
{
    for (guint i = 0; i < PART_COUNT_SORTS; i++)
        g_hash_table_unref(counts->by_sort[i]);
}

void part_counts_empty(PartCounts *counts)
{
    for (guint i = 0; i < PART_COUNT_SORTS; i++)
        g_hash_table_remove_all(counts->by_sort[i]);
}

gsize part_counts_find(const PartCounts *counts, PartCountSort sort, guint32 key)
{
    return GPOINTER_TO_SIZE(g_hash_table_lookup(counts->by_sort[sort], GUINT_TO_POINTER(key)));
}

void part_counts_need(PartCounts *needs, PartCountSort sort, guint32 key, gsize count)
{
    if (part_counts_find(needs, sort, key) < count)
        g_hash_table_insert(needs->by_sort[sort], GUINT_TO_POINTER(key), GSIZE_TO_POINTER(count));
}

void part_counts_add(PartCounts *counts, PartCountSort sort, guint32 key)
{
    part_counts_need(counts, sort, key, part_counts_find(counts, sort, key) + 1);
}

gboolean part_counts_suffice(const PartCounts *counts, const PartCounts *needs)
{
    for (guint sort = 0; sort < PART_COUNT_SORTS; sort++) {
        GHashTableIter at;
        gpointer key, count;
        g_hash_table_iter_init(&at, needs->by_sort[sort]);
        while (g_hash_table_iter_next(&at, &key, &count))
            if (part_counts_find(counts, (PartCountSort)sort, GPOINTER_TO_UINT(key)) < GPOINTER_TO_SIZE(count))
                return FALSE;
    }
    return TRUE;
}

gboolean part_counts_are_empty(const PartCounts *counts)
{
    gboolean empty = TRUE;
    for (guint i = 0; i < PART_COUNT_SORTS; i++)
        empty = empty && g_hash_table_size(counts->by_sort[i]) == 0;
    return empty;
}
