/* Sorts the rows of a table by their keys, with a merge sort of its own, because qsort() might call malloc(). */
#include "probes/keyed.h"

typedef struct {
    const HieraKeyed *keyed;
    unsigned n_keys;
} Order;

static int compare_rows(const Order *order, uint32_t a, uint32_t b)
{
    HieraValue keys_a[HIERA_EXPRESSION_KEYS], keys_b[HIERA_EXPRESSION_KEYS];
    hiera_keyed_read(order->keyed, a, keys_a, order->n_keys);
    hiera_keyed_read(order->keyed, b, keys_b, order->n_keys);
    return hiera_keys_compare(keys_a, keys_b, order->n_keys);
}

/* Merge two adjacent sorted ranges into another array. */
static void merge(const Order *order, const uint32_t *left, const uint32_t *right, const uint32_t *end, uint32_t *to)
{
    const uint32_t *middle = right;
    while (left < middle || right < end) {
        bool from_left = right == end || (left < middle && compare_rows(order, *left, *right) <= 0);
        *to++ = from_left ? *left++ : *right++;
    }
}

const uint32_t *hiera_keyed_sort(const HieraKeyed *keyed, unsigned n_keys, HieraProbeStore *store)
{
    const Order order = {keyed, n_keys};
    size_t n = hiera_keyed_count(keyed);
    uint32_t *from = hiera_probe_store_take(store, (2 * n + 1) * sizeof *from);
    if (!from)
        return NULL;
    uint32_t *to = from + n;
    for (size_t i = 0; i < n; i++)
        from[i] = (uint32_t)i;
    for (size_t width = 1; width < n; width *= 2) {
        for (size_t at = 0; at < n; at += 2 * width) {
            size_t middle = at + width < n ? at + width : n, end = middle + width < n ? middle + width : n;
            merge(&order, from + at, from + middle, from + end, to + at);
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    return from;
}
