/* See bins.h. */
#include "bins.h"
#include <string.h>

enum { POWERS = 64, KEYS_MAX = 4 };

/* Where bins begin and end: bin i is [edge(i), edge(i + 1)). */
typedef struct {
    gint64 first, width; /* width 0: powers of two */
} Bins;

/* Number of bits of a value: the bin between powers of two in which it lies; 0 is alone in bin 0. */
static guint bits_of(gint64 value)
{
    return value > 0 ? POWERS - (guint)__builtin_clzll((guint64)value) : 0;
}

static gint64 edge(const Bins *bins, guint bin)
{
    if (bins->width == 0)
        return bin == 0 ? 0 : bin < POWERS ? (gint64)1 << (bin - 1) : HIERA_TOO_LARGE;
    gint64 distance;
    return __builtin_mul_overflow(bins->width, (gint64)bin, &distance) ? HIERA_TOO_LARGE
                                                                       : hiera_plus(bins->first, distance);
}

static guint bin_of(const Bins *bins, gint64 value)
{
    return bins->width == 0 ? bits_of(value) : (guint)((value - bins->first) / bins->width);
}

static void add_bin(HieraTable *table, HieraCell *cells, guint n_keys, const Bins *bins, guint bin, gint64 count,
                    gint64 n, gint64 most)
{
    gint64 rest = count * 10000 % n;
    const gint64 numbers[] = {edge(bins, bin), edge(bins, bin + 1), count, count * 10000 / n + (rest * 2 >= n),
                              count * 10000 / most};
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        cells[n_keys + i].number = numbers[i];
    hiera_table_add(table, cells);
}

void hiera_bins_add(HieraTable *table, const HieraCell *keys, guint n_keys, const gint64 *values, gsize n, guint bins)
{
    gint64 min = G_MAXINT64, max = 0, most = 0;
    HieraCell cells[KEYS_MAX + HIERA_BIN_N_COLUMNS];
    for (gsize i = 0; i < n; i++) {
        min = MIN(min, values[i]);
        max = MAX(max, values[i]);
    }
    if (n == 0)
        return;
    Bins shape = {min, bins == 0 ? 0 : (max - min) / bins + 1};
    guint first = bin_of(&shape, min), last = bin_of(&shape, max);
    g_autofree gint64 *counts = g_new0(gint64, (gsize)last + 1);
    for (gsize i = 0; i < n; i++)
        counts[bin_of(&shape, values[i])]++;
    for (guint bin = first; bin <= last; bin++)
        most = MAX(most, counts[bin]);
    memcpy(cells, keys, n_keys * sizeof *keys);
    for (guint bin = first; bin <= last; bin++)
        if (counts[bin] > 0)
            add_bin(table, cells, n_keys, &shape, bin, counts[bin], (gint64)n, most);
}
