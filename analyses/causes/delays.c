/* Explains the waits of a trace that this process has whole; see delays.h. */
#include "delays.h"
#include "delay_waits.h"

/* Return by wait the part of its time that is in the scope, thus to be explained; to be freed with g_free. */
static gint64 *find_amounts(const HieraDelayWaits *all, const HieraScope *scope)
{
    gint64 *own_ns = g_new(gint64, (gsize)all->waits->len + 1);
    for (guint i = 0; i < all->waits->len; i++)
        own_ns[i] = hiera_delay_waits_amount(all, scope, i);
    return own_ns;
}

HieraDelays *hiera_delays_find(const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                               const HieraScope *scope)
{
    HieraDelayWaits all;
    HieraDelays *found = g_new(HieraDelays, 1);
    hiera_delay_waits_init(&all, match, paths, waits, &HIERA_SCOPE_ALL);
    g_autofree gint64 *own_ns = find_amounts(&all, scope);
    const HieraDelaySource source = {waits,
                                     all.first_wait,
                                     all.end_wait,
                                     own_ns,
                                     paths->tree->nodes->len,
                                     &all,
                                     hiera_delay_waits_describe,
                                     hiera_delay_waits_visit};
    found->list = hiera_delays_explain(&source);
    found->n_processors = all.trace->n_processors;
    found->times = hiera_delay_waits_clear(&all);
    return found;
}

void hiera_delays_free(HieraDelays *delays)
{
    if (!delays)
        return;
    hiera_delay_times_free(delays->times, delays->n_processors);
    g_array_unref(delays->list);
    g_free(delays);
}
