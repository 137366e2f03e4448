/* See time_bins.h. Each edge is computed from its number, so that rounding errors do not add up. */
#include "time_bins.h"
#include "hiera_trace.h"

HieraTimeBins hiera_time_bins(gint64 first_ns, gint64 last_ns, guint n)
{
    gint64 length_ns = hiera_minus(last_ns, first_ns);
    return (HieraTimeBins){first_ns, length_ns, length_ns > 0 ? (guint)MIN(n, length_ns) : 0};
}

gint64 hiera_time_bins_edge(const HieraTimeBins *bins, guint bin)
{
    return bins->first_ns + (gint64)((__int128)bins->length_ns * bin / bins->n);
}

/* Return the index of the bin with a time. @param end_ns  becomes the end of this bin */
static guint find_bin(const HieraTimeBins *bins, gint64 ns, gint64 *end_ns)
{
    guint bin = (guint)((__int128)(ns - bins->first_ns) * bins->n / bins->length_ns);
    while ((*end_ns = hiera_time_bins_edge(bins, bin + 1)) <= ns)
        bin++;
    return bin;
}

void hiera_time_bins_spread(const HieraTimeBins *bins, gint64 start_ns, gint64 finish_ns, HieraTimeBinsVisit visit,
                            gpointer user)
{
    if (bins->n == 0)
        return;
    gint64 from_ns = MAX(start_ns, bins->first_ns), to_ns = MIN(finish_ns, bins->first_ns + bins->length_ns), end_ns;
    if (to_ns <= from_ns)
        return;
    guint bin = find_bin(bins, from_ns, &end_ns);
    for (; end_ns < to_ns; end_ns = hiera_time_bins_edge(bins, ++bin + 1)) {
        visit(bin, end_ns - from_ns, user);
        from_ns = end_ns;
    }
    visit(bin, to_ns - from_ns, user);
}
