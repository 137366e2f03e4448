/* Queries on a trace. builder.c makes the trace. */
#include "hiera_summed.h"
#include "trace_index.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static void index_free(HieraTraceIndex *index)
{
    g_free(index->sparse);
    g_free(index->sparse_blocks);
    g_free(index->processor_near);
    g_free(index);
}

void hiera_trace_free(HieraTrace *trace)
{
    if (!trace)
        return;
#define X(type, name) g_free(trace->name);
    HIERA_COLUMNS(X)
#undef X
    g_free(trace->element_line);
    g_free(trace->posted);
    g_free(trace->sites);
    index_free(trace->index);
    g_free(trace->request);
    if (trace->pending)
        g_array_unref(trace->pending);
    if (trace->filtered)
        g_array_unref(trace->filtered);
    for (guint i = 0; trace->summed && i < trace->summed->len; i++)
        hiera_summed_free(g_array_index(trace->summed, HieraSummedOf, i).summed);
    if (trace->summed)
        g_array_unref(trace->summed);
    if (trace->asserted)
        g_array_unref(trace->asserted);
    if (trace->saved)
        g_array_unref(trace->saved);
#define X(type, name, texts) g_clear_pointer(&trace->name, g_array_unref);
    HIERA_RECORDS(X)
#undef X
    if (trace->counted)
        g_array_unref(trace->counted);
    if (trace->failed)
        g_array_unref(trace->failed);
    if (trace->open)
        g_array_unref(trace->open);
    g_clear_pointer(&trace->any_source, g_array_unref);
    g_clear_pointer(&trace->any_tag, g_array_unref);
    g_free(trace->processors);
    g_free(trace);
}

gint64 hiera_clocks_differ_by(const HieraProcessor *a, const HieraProcessor *b)
{
    if (strcmp(a->clock, b->clock) == 0)
        return 0;
    if (a->clock_error_ns == HIERA_CLOCK_ERROR_UNKNOWN || b->clock_error_ns == HIERA_CLOCK_ERROR_UNKNOWN)
        return HIERA_CLOCK_ERROR_UNKNOWN;
    return hiera_plus(a->clock_error_ns, b->clock_error_ns);
}

const HieraSparse *hiera_trace_peek_sparse(const HieraTrace *trace, guint32 row)
{
    static const HieraSparse nothing = {HIERA_NONE, HIERA_ABSENT, -1};
    const HieraSparseBlock *block = &trace->index->sparse_blocks[row / HIERA_SPARSE_BLOCK];
    guint64 own = G_GUINT64_CONSTANT(1) << row % HIERA_SPARSE_BLOCK;
    if (!(block->rows & own))
        return &nothing;
    return &trace->index->sparse[block->before + (guint32)__builtin_popcountll(block->rows & (own - 1))];
}

const char *hiera_trace_peek_past(const HieraTrace *trace)
{
    for (guint32 i = 0; i < trace->n_processors; i++)
        if (hiera_processor_is_past(&trace->processors[i]))
            return trace->processors[i].past;
    return NULL;
}

guint32 hiera_trace_find_processor(const HieraTrace *trace, guint32 row)
{
    const guint32 *near = trace->index->processor_near + (row >> trace->index->block_bits);
    guint32 low = near[0], high = near[1] + 1;
    while (high - low > 1) {
        guint32 middle = low + (high - low) / 2;
        if (trace->processors[middle].first <= row)
            low = middle;
        else
            high = middle;
    }
    return low;
}

guint32 hiera_trace_find_rank(const HieraTrace *trace, gint64 rank)
{
    guint32 low = 0, high = trace->n_processors;
    while (low < high) {
        guint32 middle = low + (high - low) / 2;
        if (trace->processors[middle].rank < rank)
            low = middle + 1;
        else
            high = middle;
    }
    return low < trace->n_processors && trace->processors[low].rank == rank ? low : HIERA_NONE;
}

static int compare_rows(const void *a, const void *b)
{
    guint32 left = *(const guint32 *)a, right = *(const guint32 *)b;
    return (left > right) - (left < right);
}

static gboolean has_row(const GArray *rows, guint32 row)
{
    return rows->len > 0 && bsearch(&row, rows->data, rows->len, sizeof row, compare_rows) != NULL;
}

gboolean hiera_trace_is_failed(const HieraTrace *trace, guint32 row)
{
    return has_row(trace->failed, row);
}

gboolean hiera_trace_asks_any_source(const HieraTrace *trace, guint32 row)
{
    return has_row(trace->any_source, row);
}

gboolean hiera_trace_asks_any_tag(const HieraTrace *trace, guint32 row)
{
    return has_row(trace->any_tag, row);
}

gboolean hiera_trace_is_open(const HieraTrace *trace, guint32 row)
{
    return has_row(trace->open, row);
}

guint hiera_trace_peek_requests(const HieraTrace *trace, guint32 row, const HieraRequest **first)
{
    guint32 begin_at = trace->requests[row];
    guint32 end_at = row + 1 < trace->n_operations ? trace->requests[row + 1] : trace->n_requests;
    *first = trace->request + begin_at;
    return end_at - begin_at;
}

/* Return the row of element `index` in an array. @param row_at  offset of the member `row` in an element */
static guint32 row_of(const GArray *all, gsize row_at, guint index)
{
    return G_STRUCT_MEMBER(guint32, all->data + (gsize)index * g_array_get_element_size((GArray *)all), row_at);
}

/* Find the elements of a row in an array that is sorted by rows.
 * @param first  becomes the first one
 * @return how many there are */
static guint peek_of_row(const GArray *all, gsize row_at, guint32 row, gconstpointer *first)
{
    guint low = 0, high = all->len, n = 0;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (row_of(all, row_at, middle) < row)
            low = middle + 1;
        else
            high = middle;
    }
    *first = all->data + (gsize)low * g_array_get_element_size((GArray *)all);
    while (low + n < all->len && row_of(all, row_at, low + n) == row)
        n++;
    return n;
}

guint hiera_trace_peek_pending(const HieraTrace *trace, guint32 row, const HieraPending **first)
{
    gconstpointer found;
    guint n = peek_of_row(trace->pending, offsetof(HieraPending, row), row, &found);
    *first = found;
    return n;
}

guint hiera_trace_peek_counted(const HieraTrace *trace, guint32 row, const HieraCounted **first)
{
    gconstpointer found;
    guint n = peek_of_row(trace->counted, offsetof(HieraCounted, row), row, &found);
    *first = found;
    return n;
}
