/** Equal parts of a time, to the nanosecond. */
#pragma once

#include <glib.h>

typedef struct {
    gint64 first_ns, length_ns;
    guint n; /* 0: there is no time */
} HieraTimeBins;

/** Divide a time into n bins; into fewer if it has fewer nanoseconds, into none if it has no length. */
HieraTimeBins hiera_time_bins(gint64 first_ns, gint64 last_ns, guint n);

/** Return where a bin begins; of bin n, where the last one ends. */
gint64 hiera_time_bins_edge(const HieraTimeBins *bins, guint bin);

/** Called with each bin that a span has a part in, and the length of this part. */
typedef void (*HieraTimeBinsVisit)(guint bin, gint64 inside_ns, gpointer user);

/** Visit the bins of a span. Parts outside of all bins are left out. */
void hiera_time_bins_spread(const HieraTimeBins *bins, gint64 start_ns, gint64 finish_ns, HieraTimeBinsVisit visit,
                            gpointer user);
