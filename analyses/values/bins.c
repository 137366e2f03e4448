#include "bins.h"
#include <string.h>

enum { POWERS = HIERA_VALUE_BITS, KEYS_MAX = 4 };

/* Edges of bins: bin i has the values from edge(i) to below edge(i + 1). */
typedef struct {
    gint64 first, width; /* begin of bin 0, width of each bin; width 0: the edges are powers of two */
} Bins;

static gint64 edge(const Bins *bins, guint bin)
{
    if (bins->width == 0)
        return bin < POWERS ? (gint64)(G_GUINT64_CONSTANT(1) << bin >> 1) : HIERA_TOO_LARGE;
    gint64 distance;
    return __builtin_mul_overflow(bins->width, (gint64)bin, &distance) ? HIERA_TOO_LARGE
                                                                       : hiera_plus(bins->first, distance);
}

static guint bin_of(const Bins *bins, gint64 value)
{
    return bins->width == 0 ? hiera_value_bits(value) : (guint)((value - bins->first) / bins->width);
}

static void add_bin(HieraTable *table, HieraCell *cells, guint n_keys, const Bins *bins, guint bin, gint64 count,
                    gint64 n, gint64 most)
{
    __int128 share = (__int128)count * 10000;
    gint64 rest = (gint64)(share % n);
    const gint64 numbers[] = {edge(bins, bin), edge(bins, bin + 1), count, (gint64)(share / n) + (rest >= n - rest),
                              (gint64)(share / most)};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        cells[n_keys + i].number = numbers[i];
    hiera_table_add(table, cells);
}

/* Add a row for each bin with values. @param n  number of values in all bins */
static void add_all(HieraTable *table, const HieraCell *keys, guint n_keys, const Bins *shape, const gint64 *counts,
                    guint n_bins, gint64 n)
{
    HieraCell cells[KEYS_MAX + HIERA_BIN_N_COLUMNS];
    gint64 most = 0;
    for (guint bin = 0; bin < n_bins; bin++)
        most = MAX(most, counts[bin]);
    memcpy(cells, keys, n_keys * sizeof *keys);
    for (guint bin = 0; bin < n_bins; bin++)
        if (counts[bin] > 0)
            add_bin(table, cells, n_keys, shape, bin, counts[bin], n, most);
}

void hiera_bins_add(HieraTable *table, const HieraCell *keys, guint n_keys, const gint64 *values, gsize n, guint bins)
{
    gint64 min = G_MAXINT64, max = 0;
    for (gsize i = 0; i < n; i++) {
        min = MIN(min, values[i]);
        max = MAX(max, values[i]);
    }
    if (n == 0)
        return;
    Bins shape = {min, bins == 0 ? 0 : (max - min) / bins + 1};
    guint last = bin_of(&shape, max);
    g_autofree gint64 *counts = g_new0(gint64, (gsize)last + 1);
    for (gsize i = 0; i < n; i++)
        counts[bin_of(&shape, values[i])]++;
    add_all(table, keys, n_keys, &shape, counts, last + 1, (gint64)n);
}

void hiera_bins_add_sums(HieraTable *table, const HieraCell *keys, guint n_keys, const HieraValueSums *sums)
{
    if (sums->count > 0)
        add_all(table, keys, n_keys, &(const Bins){0, 0}, sums->bins, HIERA_VALUE_BITS, sums->count);
}
