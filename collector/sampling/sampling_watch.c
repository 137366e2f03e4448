/* See sampling_watch.h. What the helper thread does now and then. */
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

/* A thread that blocks the signal of its timer is not sampled as long as it does. For a moment the collector itself
 * blocks it. */
static void follow_blocked(HieraSampling *sampling)
{
    enum { PATIENCE = 2 };
    if (sampling->ring.source == HIERA_SAMPLES_NONE && sampling->thread)
        hiera_sample_ring_open(&sampling->ring, sampling->tid, hiera_settings.sample.period_ns);
    sampling->n_blocked = hiera_sample_ring_is_blocked(&sampling->ring) ? sampling->n_blocked + 1 : 0;
    if (sampling->n_blocked >= PATIENCE)
        hiera_sample_regions_close(sampling);
}

/* The program has a handler of its own for the signal of the timers: it is to get no more of theirs. */
static void end_timers(void)
{
    for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (sampling->ring.has_timer)
            hiera_sample_regions_close(sampling);
    hiera_sample_regions_tell(hiera_main_sampling);
    hiera_other_threads_close_timers(&hiera_main_sampling->lost, &hiera_main_sampling->cpu_ns);
    hiera_message("HIERA_SAMPLE: there are no more samples: the program uses the signal of the timers (SIGURG) now");
}

/* Often: is a ring filling, are there new threads? Seldom, since it costs a file of /proc for each thread: what threads
 * block. Then rings are emptied, too: what is in them is lost if the process is killed. */
static void look(void *nothing)
{
    enum { LOOKS = 16 };
    static unsigned n_looks;
    bool is_seldom = ++n_looks % LOOKS == 0, is_new = hiera_other_threads_list(is_seldom);
    (void)nothing;
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

/* A ring has room for more than 300 samples: this looks twenty times at least before it is full. */
static uint64_t look_every_ns(void)
{
    enum { SAMPLES = 16 };
    static const uint64_t longest = 20000000; /* a new thread is found so soon */
    uint64_t ns = SAMPLES * hiera_settings.sample.period_ns;
    return ns < HIERA_HELPER_SHORTEST_NS ? HIERA_HELPER_SHORTEST_NS : ns > longest ? longest : ns;
}

void hiera_sampling_watch(void)
{
    hiera_helper_every(look_every_ns(), look, NULL);
}
