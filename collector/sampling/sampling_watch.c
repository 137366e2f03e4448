/* See sampling_watch.h. What the helper thread does for sampling at each interval. */
#include "sampling_watch.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "helper/helper.h"
#include "other_threads.h"
#include "sample_regions.h"
#include "sample_timer.h"

static bool is_sampled(pid_t tid)
{
    for (const HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (sampling->ring.source != HIERA_SAMPLES_NONE && sampling->ring.tid == tid)
            return true;
    return false;
}

static bool is_any_filling(void)
{
    size_t n;
    const HieraSampleRing *others = hiera_other_threads(&n);
    for (const HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (hiera_sample_ring_is_filling(&sampling->ring))
            return true;
    for (size_t i = 0; i < n; i++)
        if (hiera_sample_ring_is_filling(&others[i]))
            return true;
    return false;
}

/* A thread that blocks the signal of its timer cannot be sampled meanwhile. The collector itself blocks the signal for
 * short times. */
static void follow_blocked(HieraSampling *sampling)
{
    enum { PATIENCE = 2 };
    if (sampling->ring.source == HIERA_SAMPLES_NONE && sampling->thread)
        hiera_sample_ring_open(&sampling->ring, sampling->tid, hiera_settings.sample.period_ns);
    sampling->n_blocked = hiera_sample_ring_is_blocked(&sampling->ring) ? sampling->n_blocked + 1 : 0;
    if (sampling->n_blocked >= PATIENCE)
        hiera_sample_regions_close(sampling);
}

/* Stop all timers, because the program has installed its own handler, which must not get the timers' signals. */
static void end_timers(void)
{
    for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (sampling->ring.has_timer)
            hiera_sample_regions_close(sampling);
    hiera_sample_regions_tell(hiera_main_sampling);
    hiera_other_threads_close_timers(&hiera_main_sampling->lost, &hiera_main_sampling->cpu_ns);
    hiera_message("HIERA_SAMPLE: there are no more samples: the program uses the signal of the timers (SIGURG) now");
}

/* Return the time between checks. A ring has room for more than 150 samples, usually for 600. Waking up costs more than
 * the check itself, so checks are rare in a process that makes no threads. */
static uint64_t periods_ns(uint64_t n, uint64_t longest_ns)
{
    uint64_t ns = n * hiera_settings.sample.period_ns;
    if (ns < HIERA_HELPER_SHORTEST_NS)
        return HIERA_HELPER_SHORTEST_NS;
    return ns > longest_ns ? longest_ns : ns;
}

static int watch;         /* id of the helper thread's task for sampling */
static uint64_t every_ns; /* interval between two checks, in ns */

static uint64_t shortest_ns(void)
{
    return periods_ns(16, 20000000);
}

static void set_pace(bool has_changed)
{
    uint64_t longest_ns = periods_ns(64, 160000000);
    every_ns = has_changed ? shortest_ns() : 2 * every_ns < longest_ns ? 2 * every_ns : longest_ns;
    hiera_helper_change(every_ns);
}

/* Often: check whether a ring fills up, and whether there are new threads. Rarely, since it reads a file of /proc for
 * each thread: which threads block the signal. Then rings are emptied, too: their samples would be lost if the process
 * is killed. */
static void look(void *nothing)
{
    static const uint64_t seldom_ns = 320000000;
    static uint64_t since_ns;
    bool is_seldom = since_ns >= seldom_ns, has_changed, is_new = hiera_other_threads_list(is_seldom, &has_changed);
    (void)nothing;
    since_ns = is_seldom ? 0 : since_ns + every_ns;
    set_pace(has_changed);
    if (!hiera_lock_enter())
        return;
    if (!hiera_life.closed && hiera_main_sampling) {
        bool is_filling = is_seldom || is_any_filling();
        if (hiera_sample_timer_is_unwanted())
            end_timers();
        for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next) {
            if (is_filling)
                hiera_sample_regions_tell(sampling);
            if (is_seldom)
                follow_blocked(sampling);
            if (is_seldom)
                hiera_sampling_cpu_ns(sampling);
        }
        hiera_other_threads_clock();
        if (is_new)
            hiera_other_threads_update(is_sampled, &hiera_main_sampling->lost, &hiera_main_sampling->cpu_ns);
    }
    hiera_lock_leave();
}

void hiera_sampling_watch(void)
{
    every_ns = shortest_ns();
    watch = hiera_helper_every(every_ns, look, NULL);
}

void hiera_sampling_watch_end(void)
{
    hiera_helper_cancel(watch);
}
