/** Divides a span of time into bins of equal length, exact to the nanosecond. */
#pragma once

#include <glib.h>

typedef struct {
    gint64 first_ns, length_ns;
    guint n; /* number of bins; 0: the span has no length */
} HieraTimeBins;

/** Divide the time from first_ns to last_ns into n bins; into fewer if it has less than n nanoseconds. */
HieraTimeBins hiera_time_bins(gint64 first_ns, gint64 last_ns, guint n);

/** Return the time at which a bin begins; for bin n, the end of the last bin. */
gint64 hiera_time_bins_edge(const HieraTimeBins *bins, guint bin);

/** Called with each bin that a span overlaps. @param inside_ns  length of the overlap */
typedef void (*HieraTimeBinsVisit)(guint bin, gint64 inside_ns, gpointer user);

/** Call `visit` for each bin that a span overlaps. Parts outside of all bins are ignored. */
void hiera_time_bins_spread(const HieraTimeBins *bins, gint64 start_ns, gint64 finish_ns, HieraTimeBinsVisit visit,
                            gpointer user);
