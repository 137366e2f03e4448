#include "kept_times.h"

#include "base/clock.h"
#include "base/kept.h"
#include "base/life.h"
#include "base/lock.h"
#include "helper/helper.h"
#include "memory/signal_safe_memory.h"
#include "memory/taken_memory.h"
#include "places/originals.h"
#include "timed_loops.h"

#define EVERY_NS UINT64_C(1000000000)

typedef struct Times {
    uint32_t sequence; /* number of the update; odd while the times are being written */
    uint64_t lost, at; /* at: ticks when the times were written */
    HieraTimedTotal functions[HIERA_TIMED_FUNCTIONS], loops[HIERA_TIMED_LOOPS];
} Times;

/* Two copies, updated alternately, so that one is complete whenever the process is killed. NULL: no memory. */
static Times *kept[2] HIERA_KEPT;

/* Copy the present times into the older of the two copies; called by the helper thread at intervals. */
static void note(void *nothing)
{
    static unsigned turn;
    (void)nothing;
    if (!hiera_lock_enter())
        return;
    unsigned n = hiera_timed_n_plans;
    Times *times = hiera_life.closed || n == 0 ? NULL : kept[turn++ % 2];
    if (times) {
        uint32_t sequence = times->sequence;
        __atomic_store_n(&times->sequence, sequence | 1, __ATOMIC_SEQ_CST);
        for (unsigned i = 0; i < n; i++)
            hiera_timed_copy(&hiera_timed_plans[i], times->functions + hiera_timed_plans[i].first_function,
                             times->loops + hiera_timed_plans[i].first_loop);
        times->lost = hiera_timing_lost();
        times->at = hiera_clock_counter();
        __atomic_store_n(&times->sequence, 2 * turn, __ATOMIC_SEQ_CST);
    }
    hiera_lock_leave();
}

void hiera_kept_times_begin(void)
{
    if (!hiera_timed_may_be())
        return;
    for (unsigned i = 0; i < hiera_timed_n_plans; i++)
        hiera_timed_keep(&hiera_timed_plans[i]);
    kept[0] = hiera_memory_new(sizeof *kept[0]);
    kept[1] = hiera_memory_new(sizeof *kept[1]);
}

void hiera_kept_times_go_on(void)
{
    static int noter;
    if (kept[0] && kept[1] && hiera_timed_n_plans > 0 && noter == 0)
        noter = hiera_helper_every(EVERY_NS, note, NULL);
}

void hiera_kept_times_recover(const char *(*text_of)(const char *text))
{
    unsigned n = 0;
    for (unsigned i = 0; i < hiera_timed_n_plans && i < HIERA_TIMED_PLANS; i++) {
        HieraTimedPlan *timed = &hiera_timed_plans[i];
        const HieraPlan *plan = timed->plan;
        bool is_good = hiera_taken_has(plan, sizeof *plan) && hiera_taken_has(plan, plan->bytes) &&
                       hiera_plan_check(plan, plan->bytes) && plan->functions.n < HIERA_TIMED_FUNCTIONS &&
                       timed->first_function <= HIERA_TIMED_FUNCTIONS - plan->functions.n &&
                       timed->first_loop <= HIERA_TIMED_LOOPS - plan->loops.n;
        timed->problem = timed->problem ? text_of(timed->problem) : NULL;
        if (is_good)
            hiera_timed_plans[n++] = *timed;
    }
    hiera_timed_n_plans = n;
    for (int i = 0; i < 2; i++)
        kept[i] = kept[i] && hiera_taken_has(kept[i], sizeof *kept[i]) ? kept[i] : NULL;
    hiera_originals_begin(hiera_timed_original);
}

/* Return the newest complete copy of the times; one with all times 0 if there is none. */
static const Times *last(void)
{
    static const Times nothing;
    const Times *found = &nothing;
    for (int i = 0; i < 2; i++)
        if (kept[i] && kept[i]->sequence % 2 == 0 && kept[i]->sequence > found->sequence)
            found = kept[i];
    return found;
}

HieraTimedTimes hiera_kept_times(HieraTimedPlan *timed)
{
    if (hiera_life.recovers) {
        const Times *times = last();
        uint64_t until = timed->until == 0 || timed->until > times->at ? times->at : timed->until;
        return (HieraTimedTimes){times->functions + timed->first_function, times->loops + timed->first_loop,
                                 until > timed->since ? until - timed->since : 0};
    }
    hiera_timed_freeze(timed);
    if (!timed->frozen)
        return (HieraTimedTimes){.functions = NULL};
    return (HieraTimedTimes){timed->frozen, timed->frozen + timed->plan->functions.n, timed->until - timed->since};
}

uint64_t hiera_kept_lost(void)
{
    return hiera_life.recovers ? last()->lost : hiera_timing_lost();
}
