/* See time_bins.h. Edges are computed from their number, so that no error adds up. */
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

/* Return the bin of a time inside the bins. */
static guint find_bin(const HieraTimeBins *bins, gint64 ns)
{
    guint bin = (guint)((__int128)(ns - bins->first_ns) * bins->n / bins->length_ns);
    while (bin + 1 < bins->n && hiera_time_bins_edge(bins, bin + 1) <= ns)
        bin++;
    return bin;
}

void hiera_time_bins_spread(const HieraTimeBins *bins, gint64 start_ns, gint64 finish_ns, HieraTimeBinsVisit visit,
                            gpointer user)
{
    if (bins->n == 0)
        return;
    gint64 from_ns = MAX(start_ns, bins->first_ns), to_ns = MIN(finish_ns, hiera_time_bins_edge(bins, bins->n));
    if (to_ns <= from_ns)
        return;
    for (guint bin = find_bin(bins, from_ns); bin < bins->n && hiera_time_bins_edge(bins, bin) < to_ns; bin++) {
        gint64 begin_ns = MAX(from_ns, hiera_time_bins_edge(bins, bin));
        gint64 inside_ns = MIN(to_ns, hiera_time_bins_edge(bins, bin + 1)) - begin_ns;
        if (inside_ns > 0)
            visit(bin, inside_ns, user);
    }
}
