/* See distribution.h. Quartiles are found by quickselect, the deviation in a second pass from the exact mean. */
#include "distribution.h"

typedef unsigned __int128 Wide;

static void swap(gint64 *values, gsize i, gsize j)
{
    gint64 kept = values[i];
    values[i] = values[j];
    values[j] = kept;
}

/* Reorder values[low … high] around a pivot. @return the index at which the right part begins; the left part is not
 * empty */
static gsize part(gint64 *values, gsize low, gsize high, gint64 pivot)
{
    while (TRUE) {
        while (values[low] < pivot)
            low++;
        while (values[high] > pivot)
            high--;
        if (low >= high)
            return high + 1;
        swap(values, low++, high--);
    }
}

/* Reorder values so that the one at `place` is as in sorted order, and smaller ones are before it. Return it. */
static gint64 select_place(gint64 *values, gsize first, gsize n, gsize place)
{
    gsize low = first, high = n - 1;
    guint64 random = 88172645463325252; /* seed of the random pivots, which make every order of the values fast */
    while (low < high) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        swap(values, low, low + random % (high - low + 1));
        gsize right = part(values, low, high, values[low]);
        if (place < right)
            high = right - 1;
        else
            low = right;
    }
    return values[place];
}

/* Return the largest integer whose square is ≤ `square`. */
static gint64 root_of(Wide square)
{
    Wide root = 0;
    for (Wide bit = (Wide)1 << 63; bit > 0; bit >>= 1) {
        if ((root | bit) <= square / (root | bit))
            root |= bit;
    }
    return (gint64)MIN(root, (Wide)HIERA_TOO_LARGE);
}

/* Return √(Σ(x − μ)²/n), where μ = sum/n = mean + rest/n and therefore Σ(x − μ)² = Σ(x − mean)² − rest²/n. */
static gint64 deviation_of(const gint64 *values, gsize n, gint64 mean, gsize rest)
{
    Wide squares = 0;
    for (gsize i = 0; i < n; i++) {
        guint64 distance = values[i] < mean ? (guint64)mean - (guint64)values[i] : (guint64)values[i] - (guint64)mean;
        if (__builtin_add_overflow(squares, (Wide)distance * distance, &squares))
            return HIERA_TOO_LARGE;
    }
    Wide less = ((Wide)rest * rest + n - 1) / n;
    return root_of((squares - less) / n);
}

HieraDistribution hiera_distribution_of(gint64 *values, gsize n)
{
    HieraDistribution result = {.count = (gint64)n};
    __int128 sum = 0;
    if (n == 0)
        return result;
    result.min = result.max = values[0];
    for (gsize i = 0; i < n; i++) {
        sum += values[i];
        result.min = MIN(result.min, values[i]);
        result.max = MAX(result.max, values[i]);
    }
    __int128 rest = sum % (__int128)n;
    rest += rest < 0 ? (__int128)n : 0;
    result.mean = (gint64)((sum - rest) / (__int128)n);
    result.sum = (gint64)MAX(MIN(sum, HIERA_TOO_LARGE), G_MININT64);
    result.deviation = deviation_of(values, n, result.mean, (gsize)rest);
    gsize first = (n + 3) / 4 - 1, middle = (n + 1) / 2 - 1, third = (3 * n + 3) / 4 - 1;
    result.q1 = select_place(values, 0, n, first);
    result.median = select_place(values, first, n, middle);
    result.q3 = select_place(values, middle, n, third);
    return result;
}
