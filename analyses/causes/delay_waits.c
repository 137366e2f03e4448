#include "delay_waits.h"

static const HieraWait *peek_wait(const HieraDelayWaits *all, guint32 wait)
{
    return &g_array_index(all->waits, HieraWait, wait);
}

static guint32 processor_of(const HieraDelayWaits *all, guint32 row)
{
    return hiera_trace_find_processor(all->trace, row);
}

/* Return the end of the waits of a processor's main thread, which come before those of its further threads. */
static guint32 find_end(const HieraDelayWaits *all, guint32 first, guint32 behind)
{
    while (behind > first && all->trace->thread[peek_wait(all, behind - 1)->row] != 0)
        behind--;
    return behind;
}

static void init_ranks(HieraDelayWaits *all, const HieraMatch *match, const HieraScope *scope)
{
    guint32 n = all->trace->n_processors;
    guint at = 0;
    all->times = g_new0(HieraRankTimes, (gsize)n + 1);
    all->first_wait = g_new(guint32, (gsize)n + 1);
    all->end_wait = g_new(guint32, (gsize)n + 1);
    for (guint32 i = 0; i < n; i++) {
        const HieraProcessor *of = &all->trace->processors[i];
        all->first_wait[i] = at;
        if (hiera_scope_is_own(scope, i))
            hiera_rank_times_init(&all->times[i], match, all->paths, i, all->waits, &at);
        while (at < all->waits->len && peek_wait(all, at)->row < of->first + of->n_operations)
            at++;
        all->end_wait[i] = find_end(all, all->first_wait[i], at);
    }
}

void hiera_delay_waits_init(HieraDelayWaits *all, const HieraMatch *match, HieraCallPaths *paths, const GArray *waits,
                            const HieraScope *scope)
{
    *all = (HieraDelayWaits){.trace = hiera_match_peek_trace(match), .waits = waits, .paths = paths};
    all->doubts = hiera_clock_doubts_of(all->trace);
    all->since = hiera_synchronizations_find(match, waits);
    init_ranks(all, match, scope);
}

HieraRankTimes *hiera_delay_waits_clear(HieraDelayWaits *all)
{
    g_free(all->first_wait);
    g_free(all->end_wait);
    g_free(all->since);
    return g_steal_pointer(&all->times);
}

void hiera_delay_times_free(HieraRankTimes *times, guint32 n_processors)
{
    for (guint32 i = 0; i < n_processors; i++)
        hiera_rank_times_clear(&times[i]);
    g_free(times);
}

gint64 hiera_delay_waits_amount(const HieraDelayWaits *all, const HieraScope *scope, guint32 number)
{
    const HieraWait *wait = peek_wait(all, number);
    guint32 rank = all->trace->processors[processor_of(all, wait->row)].rank;
    gboolean is_asked_for = hiera_scope_accepts_rank(scope, rank) && all->paths->node[wait->row] != 0;
    return is_asked_for ? hiera_scope_clip(scope, wait->begin_ns, wait->end_ns) : 0;
}

HieraDelayed hiera_delay_waits_describe(gpointer user, guint32 number)
{
    const HieraDelayWaits *all = user;
    const HieraTrace *trace = all->trace;
    const HieraWait *wait = peek_wait(all, number);
    const HieraSynchronization *since = &all->since[number];
    HieraDelayed of = {.waiting = processor_of(all, wait->row),
                       .causing = HIERA_NONE,
                       .operation = wait->causer,
                       .at = all->paths->node[wait->row],
                       .unsure = hiera_clock_doubts_touch(&all->doubts, wait)};
    if (wait->causer == HIERA_NONE || trace->thread[wait->causer] != 0 || trace->thread[wait->row] != 0)
        return of;
    of.causing = processor_of(all, wait->causer);
    of.causer_from_ns = since->causer_ns;
    of.causer_to_ns = MIN(trace->start_ns[wait->causer], wait->end_ns);
    of.waiter_from_ns = since->waiter_ns;
    of.waiter_to_ns = wait->begin_ns;
    return of;
}

void hiera_delay_waits_visit(gpointer user, guint32 number, const HieraDelayed *of, gboolean causing,
                             HieraNodeVisit visit, gpointer data)
{
    const HieraDelayWaits *all = user;
    (void)number;
    if (causing)
        hiera_rank_times_visit(&all->times[of->causing], of->causer_from_ns, of->causer_to_ns, visit, data);
    else
        hiera_rank_times_visit(&all->times[of->waiting], of->waiter_from_ns, of->waiter_to_ns, visit, data);
}
