/** Arrays of counters that grow on demand, for the measures that count. */
#pragma once

#include "hiera_graph.h"
#include "hiera_pack.h"

/** Make an array of guint64 counters; to be freed with g_array_unref. */
static inline GArray *hiera_tally_new(void)
{
    return g_array_new(FALSE, TRUE, sizeof(guint64));
}

static inline void hiera_tally_add(GArray *tally, guint number, guint64 count)
{
    if (number >= tally->len)
        g_array_set_size(tally, number + 1);
    guint64 *at = &g_array_index(tally, guint64, number);
    *at = MIN(*at + MIN(count, HIERA_TOO_LARGE), HIERA_TOO_LARGE); /* no overflow: both summands have at most 63 bits */
}

static inline void hiera_tally_count(GArray *tally, guint number)
{
    hiera_tally_add(tally, number, 1);
}

/** Unpack the tally by HieraSite.id of another process, whose ids are translated. */
static inline GArray *hiera_tally_unpack_sites(HieraUnpacker *from)
{
    GArray *theirs = hiera_tally_new(), *tally = hiera_tally_new();
    hiera_unpack_array(from, theirs);
    for (guint id = 0; id < theirs->len; id++) {
        guint64 count = g_array_index(theirs, guint64, id);
        if (count > 0)
            hiera_tally_add(tally, hiera_unpack_site(from, id)->id, count);
    }
    g_array_unref(theirs);
    return tally;
}
