#include "kept_times.h"

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
    uint64_t lost;
    HieraTimedTotal functions[HIERA_TIMED_FUNCTIONS], loops[HIERA_TIMED_LOOPS];
} Times;

/* Two copies, updated alternately, so that one is complete whenever the process is killed. NULL: no memory. */
static Times *kept[2] HIERA_KEPT;

static void note_plan(const HieraTimedPlan *timed, Times *times)
{
    const HieraPlanLoop *loops = hiera_plan_part(timed->plan, timed->plan->loops);
    for (uint32_t i = 0; i < timed->plan->functions.n; i++)
        times->functions[timed->first_function + i] = hiera_timing_function(timed->first_function + i);
    for (uint32_t i = 0; i < timed->plan->loops.n; i++)
        times->loops[timed->first_loop + i] =
            hiera_timing_loop(timed->first_loop + i, timed->first_function + loops[i].function);
}

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
            note_plan(&hiera_timed_plans[i], times);
        times->lost = hiera_timing_lost();
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

HieraTimedTotal hiera_kept_function(uint32_t number)
{
    return hiera_life.recovers ? last()->functions[number] : hiera_timing_function(number);
}

HieraTimedTotal hiera_kept_loop(uint32_t number, uint32_t function)
{
    return hiera_life.recovers ? last()->loops[number] : hiera_timing_loop(number, function);
}

uint64_t hiera_kept_lost(void)
{
    return hiera_life.recovers ? last()->lost : hiera_timing_lost();
}
