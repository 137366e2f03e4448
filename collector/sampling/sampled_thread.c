#include "sampled_thread.h"

#include "base/kept.h"
#include "base/life.h"
#include "memory/signal_safe_memory.h"
#include "other_threads.h"

HieraSampling *hiera_samplings HIERA_KEPT;
HieraSampling *hiera_main_sampling;

HieraSampling *hiera_sampled_thread_new(void)
{
    HieraSampling *sampling = hiera_memory_new(sizeof *sampling);
    if (!sampling)
        return NULL;
    sampling->next = hiera_samplings;
    hiera_samplings = sampling;
    return sampling;
}

uint64_t hiera_sampling_lost(const HieraSampling *sampling)
{
    size_t n = 0;
    const HieraSampleRing *others = sampling == hiera_main_sampling ? hiera_other_threads(&n) : NULL;
    uint64_t lost = sampling->lost + sampling->ring.lost + sampling->tree.lost;
    for (size_t i = 0; i < n; i++)
        lost += others[i].lost;
    return lost;
}

uint64_t hiera_sampling_cpu_ns(HieraSampling *sampling)
{
    size_t n = 0;
    HieraSampleRing *others = sampling == hiera_main_sampling ? hiera_other_threads(&n) : NULL;
    if (!hiera_life.recovers && sampling->ring.source != HIERA_SAMPLES_NONE)
        hiera_sample_ring_clock(&sampling->ring);
    uint64_t ns = sampling->cpu_ns + sampling->ring.cpu_ns - sampling->ring.cpu_began_ns;
    for (size_t i = 0; i < n; i++) {
        hiera_sample_ring_clock(&others[i]);
        ns += others[i].cpu_ns - others[i].cpu_began_ns;
    }
    return ns;
}
