#include "value_sums.h"

guint hiera_value_bits(gint64 value)
{
    return value > 0 ? HIERA_VALUE_BITS - (guint)__builtin_clzll((guint64)value) : 0;
}

/* Return the smallest value with `bits` binary digits; the next function returns the greatest. */
static gint64 least_of(guint bits)
{
    return bits > 0 ? (gint64)1 << (bits - 1) : 0;
}

static gint64 greatest_of(guint bits)
{
    return (gint64)(((guint64)1 << bits) - 1);
}

static void add(HieraValueSums *sums, gint64 count, gint64 sum, gint64 min, gint64 max)
{
    if (count == 0)
        return;
    sums->min = sums->count > 0 ? MIN(sums->min, min) : min;
    sums->max = sums->count > 0 ? MAX(sums->max, max) : max;
    sums->count = hiera_plus(sums->count, count);
    sums->sum = hiera_plus(sums->sum, sum);
}

void hiera_value_sums_add_value(HieraValueSums *sums, gint64 value)
{
    add(sums, 1, value, value, value);
    guint bits = hiera_value_bits(value);
    sums->bins[bits] = hiera_plus(sums->bins[bits], 1);
}

void hiera_value_sums_add_bins(HieraValueSums *sums, const GArray *bins, gint64 count, gint64 sum, gint64 min,
                               gint64 max)
{
    gint64 binned = 0;
    for (guint i = 0; i < bins->len; i++) {
        const HieraBin *bin = &g_array_index(bins, HieraBin, i);
        binned = hiera_plus(binned, bin->calls);
        sums->bins[bin->bits] = hiera_plus(sums->bins[bin->bits], bin->calls);
    }
    count = count < 0 ? binned : count;
    if (min < 0 || max < 0) {
        min = bins->len > 0 ? least_of(g_array_index(bins, HieraBin, 0).bits) : 0;
        max = bins->len > 0 ? greatest_of(g_array_index(bins, HieraBin, bins->len - 1).bits) : sum;
        if (count == 1)
            min = max = sum;
    }
    add(sums, count, sum, min, max);
}

void hiera_value_sums_merge(HieraValueSums *all, const HieraValueSums *one)
{
    add(all, one->count, one->sum, one->min, one->max);
    for (guint i = 0; i < HIERA_VALUE_BITS; i++)
        all->bins[i] = hiera_plus(all->bins[i], one->bins[i]);
}

/* Return an upper bound of the value that would be at `place` (from 0) if the values were sorted. */
static gint64 bound_at(const HieraValueSums *sums, gint64 place)
{
    gint64 below = 0;
    for (guint i = 0; i < HIERA_VALUE_BITS; i++) {
        below = hiera_plus(below, sums->bins[i]);
        if (below > place)
            return CLAMP(greatest_of(i), sums->min, sums->max);
    }
    return sums->max;
}

HieraDistribution hiera_value_sums_distribution(const HieraValueSums *sums)
{
    HieraDistribution result = {.count = sums->count, .sum = sums->sum, .min = sums->min, .max = sums->max};
    gint64 n = sums->count;
    if (n == 0)
        return result;
    result.mean = sums->sum == HIERA_TOO_LARGE ? HIERA_TOO_LARGE : sums->sum / n;
    result.q1 = bound_at(sums, n / 4 + (n % 4 > 0) - 1);
    result.median = bound_at(sums, n / 2 + n % 2 - 1);
    result.q3 = bound_at(sums, n - n / 4 - 1);
    return result;
}
