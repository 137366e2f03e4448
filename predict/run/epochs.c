#include "epochs.h"
#include <stdlib.h>

static int compare_pairs(const void *a, const void *b)
{
    const HieraPair *first = a, *second = b;
    if (first->start != second->start)
        return first->start < second->start ? -1 : 1;
    return (first->completion > second->completion) - (first->completion < second->completion);
}

void epochs_init(Epochs *epochs, const HieraMatch *match)
{
    const HieraPair *pairs = hiera_match_peek_pairs(match, HIERA_PAIRS_EPOCH, &epochs->n);
    epochs->trace = hiera_match_peek_trace(match);
    epochs->forth = g_new(HieraPair, (gsize)epochs->n + 1);
    epochs->back = g_new(HieraPair, (gsize)epochs->n + 1);
    for (guint i = 0; i < epochs->n; i++) {
        epochs->forth[i] = pairs[i];
        epochs->back[i] = (HieraPair){pairs[i].completion, pairs[i].start};
    }
    qsort(epochs->forth, epochs->n, sizeof *epochs->forth, compare_pairs);
    qsort(epochs->back, epochs->n, sizeof *epochs->back, compare_pairs);
}

void epochs_clear(Epochs *epochs)
{
    g_free(epochs->forth);
    g_free(epochs->back);
}

static void add_peers(const Epochs *epochs, const HieraPair *pairs, guint32 row, GArray *peers)
{
    guint begin = 0, end = epochs->n;
    while (begin < end) {
        guint middle = begin + (end - begin) / 2;
        if (pairs[middle].start < row)
            begin = middle + 1;
        else
            end = middle;
    }
    for (; begin < epochs->n && pairs[begin].start == row; begin++) {
        guint32 peer = hiera_trace_find_processor(epochs->trace, pairs[begin].completion);
        g_array_append_val(peers, peer);
    }
}

void epochs_find_peers(const Epochs *epochs, guint32 row, GArray *peers)
{
    g_array_set_size(peers, 0);
    add_peers(epochs, epochs->forth, row, peers);
    add_peers(epochs, epochs->back, row, peers);
}
