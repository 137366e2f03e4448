/* See sampling.h. Here threads get and lose their rings: at begin and end, and when sampling is switched on or off. */
#include "sampling.h"

#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "memory/signal_safe_memory.h"
#include "memory/taken_memory.h"
#include "other_threads.h"
#include "sample_regions.h"
#include "sampled_thread.h"
#include "sampling_watch.h"

#include <sys/syscall.h>
#include <unistd.h>

bool hiera_sampling_is_on(void)
{
    return hiera_settings.sample.period_ns > 0 && hiera_settings.trace && !hiera_life.recovers;
}

static bool runs = true; /* true if sampling is switched on; changed with the lock held */

bool hiera_sampling_runs(void)
{
    return hiera_sampling_is_on() && __atomic_load_n(&runs, __ATOMIC_RELAXED);
}

void hiera_sampling_tell(HieraThread *thread)
{
    if (HIERA_UNLIKELY(thread->sampling != NULL) && !hiera_life.recovers)
        hiera_sample_regions_tell(thread->sampling);
}

void hiera_sampling_rewind(HieraThread *thread)
{
    if (HIERA_UNLIKELY(thread->sampling != NULL) && !hiera_life.recovers)
        hiera_sample_regions_rewind(thread->sampling);
}

/* --- sampling at begin and end of threads --- */

/* Move the main thread's entry, made at load, into kept memory, which did not exist at that time. */
static HieraSampling *keep(HieraSampling *sampling)
{
    HieraSampling *kept = sampling ? hiera_sampled_thread_new() : NULL;
    if (!kept)
        return sampling;
    HieraSampleTree tree = sampling->tree;
    *kept = *sampling;
    kept->tree = (HieraSampleTree){0};
    hiera_sample_tree_merge(&kept->tree, &tree);
    hiera_samplings = kept; /* the list has no other entry yet */
    kept->next = NULL;
    hiera_main_sampling = kept;
    hiera_memory_free(sampling, sizeof *sampling);
    return kept;
}

/* Begin to sample a thread, with `ring` unless the helper thread has found the thread earlier and given it a ring. */
static void begin(HieraThread *thread, pid_t tid, HieraSampleRing *ring)
{
    HieraSampling *sampling = thread->number == 0 ? hiera_main_sampling : NULL;
    if (hiera_main_sampling && !hiera_main_sampling->thread && hiera_samplings == hiera_main_sampling &&
        !hiera_main_sampling->next)
        hiera_main_sampling = keep(hiera_main_sampling);
    sampling = sampling ? hiera_main_sampling : NULL;
    if (hiera_main_sampling && hiera_main_sampling != sampling)
        hiera_sample_regions_tell(hiera_main_sampling); /* the thread's earlier samples go to the main thread */
    if (!sampling)
        sampling = hiera_sampled_thread_new();
    if (!sampling)
        return;
    if (sampling->ring.source == HIERA_SAMPLES_NONE && !hiera_other_threads_take(tid, &sampling->ring) && runs) {
        sampling->ring = *ring;
        *ring = (HieraSampleRing){.source = HIERA_SAMPLES_NONE};
    }
    if (sampling->ring.source != HIERA_SAMPLES_NONE)
        sampling->source = sampling->ring.source;
    sampling->tid = tid;
    sampling->number = thread->number;
    sampling->thread = thread;
    sampling->compared = 0;
    thread->sampling = sampling;
}

void hiera_sampling_begin_thread(HieraThread *thread)
{
    HieraSampleRing ring = {.source = HIERA_SAMPLES_NONE};
    pid_t tid = (pid_t)syscall(SYS_gettid);
    if (HIERA_LIKELY(!hiera_sampling_is_on()))
        return;
    if (thread->number != 0 && hiera_sampling_runs())
        hiera_sample_ring_open(&ring, tid, hiera_settings.sample.period_ns);
    if (hiera_lock_enter()) {
        begin(thread, tid, &ring);
        hiera_lock_leave();
    }
    hiera_sample_ring_close(&ring);
}

static HieraSampling *find_ended(void)
{
    for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (sampling->is_of_ended)
            return sampling;
    return NULL;
}

static void unlist(HieraSampling *sampling)
{
    HieraSampling **link = &hiera_samplings;
    while (*link && *link != sampling)
        link = &(*link)->next;
    if (*link)
        *link = sampling->next;
}

void hiera_sampling_end_thread(HieraThread *thread)
{
    HieraSampling *sampling = thread->sampling, *ended = sampling ? find_ended() : NULL;
    if (HIERA_LIKELY(!sampling))
        return;
    hiera_sample_regions_close(sampling);
    sampling->thread = NULL;
    thread->sampling = NULL;
    sampling->n_open = 0;
    if (!ended) {
        sampling->is_of_ended = true;
        return;
    }
    unlist(sampling);
    hiera_sample_tree_merge(&ended->tree, &sampling->tree);
    ended->lost += sampling->lost;
    ended->cpu_ns += sampling->cpu_ns;
    hiera_memory_free(sampling, sizeof *sampling);
}

void hiera_sampling_load(void)
{
    HieraSampleRing ring = {.source = HIERA_SAMPLES_NONE, .tid = getpid()};
    if (!hiera_sampling_is_on() || hiera_life.closed)
        return;
    runs = !hiera_settings.sample.waits;
    if (runs)
        hiera_sample_ring_open(&ring, getpid(), hiera_settings.sample.period_ns);
    if (!hiera_lock_enter())
        return;
    hiera_main_sampling = hiera_sampled_thread_new();
    if (hiera_main_sampling) {
        hiera_main_sampling->ring = ring;
        hiera_main_sampling->tid = ring.tid;
        hiera_main_sampling->source = ring.source;
    }
    hiera_lock_leave();
    if (hiera_main_sampling && runs)
        hiera_sampling_watch();
}

/* --- switching sampling on and off --- */

/* Return the next larger thread id without a ring, after the id `after`; 0: all threads have rings. */
static pid_t find_without_ring(pid_t after)
{
    pid_t found = 0;
    if (!hiera_lock_enter())
        return 0;
    for (const HieraSampling *sampling = hiera_samplings; sampling && !hiera_life.closed; sampling = sampling->next)
        if (!sampling->is_of_ended && sampling->ring.source == HIERA_SAMPLES_NONE && sampling->tid > after &&
            (found == 0 || sampling->tid < found))
            found = sampling->tid;
    hiera_lock_leave();
    return found;
}

/* Give a ring to the thread `tid`. Returns false if the thread has ended meanwhile, or has a ring. */
static bool take_ring(pid_t tid, HieraSampleRing *ring)
{
    bool good = false;
    if (!hiera_lock_enter())
        return false;
    for (HieraSampling *sampling = hiera_samplings; sampling && !good; sampling = sampling->next)
        if (!sampling->is_of_ended && sampling->tid == tid && sampling->ring.source == HIERA_SAMPLES_NONE) {
            sampling->ring = *ring;
            sampling->source = ring->source;
            good = true;
        }
    hiera_lock_leave();
    return good;
}

static bool open_rings(void)
{
    bool any = false;
    for (pid_t tid = find_without_ring(0); tid != 0; tid = find_without_ring(tid)) {
        HieraSampleRing ring = {.source = HIERA_SAMPLES_NONE};
        if (!hiera_sample_ring_open(&ring, tid, hiera_settings.sample.period_ns))
            continue;
        if (take_ring(tid, &ring))
            any = true;
        else
            hiera_sample_ring_close(&ring);
    }
    return any;
}

static void close_rings(void)
{
    if (!hiera_lock_enter())
        return;
    if (!hiera_life.closed) {
        for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
            hiera_sample_regions_close(sampling);
        hiera_other_threads_close(&hiera_main_sampling->lost, &hiera_main_sampling->cpu_ns);
    }
    hiera_lock_leave();
}

const char *hiera_sampling_switch(bool wanted)
{
    if (!hiera_main_sampling)
        return hiera_sampling_is_on() ? "there is no memory for samples" : "there is no trace";
    if (wanted == hiera_sampling_runs())
        return NULL;
    if (!wanted)
        hiera_sampling_watch_end();
    if (!hiera_lock_enter())
        return "the process ends";
    __atomic_store_n(&runs, wanted, __ATOMIC_RELAXED);
    hiera_lock_leave();
    if (!wanted) {
        close_rings();
        return NULL;
    }
    if (open_rings()) {
        hiera_sampling_watch();
        return NULL;
    }
    __atomic_store_n(&runs, false, __ATOMIC_RELAXED);
    return "the kernel gives no samples, and the program uses or blocks the signal of the timers (SIGURG)";
}

void hiera_sampling_complain(void)
{
    int refusal = hiera_sample_ring_refusal();
    if (!hiera_sampling_runs())
        return;
    if (!hiera_main_sampling || hiera_main_sampling->source == HIERA_SAMPLES_NONE)
        hiera_message("HIERA_SAMPLE: there are no samples: the kernel gives none (%s), and the program uses or blocks "
                      "the signal of the "
                      "timers (SIGURG)",
                      refusal != 0 ? hiera_message_of(refusal) : "it was not asked");
    else if (refusal != 0)
        hiera_message(
            "HIERA_SAMPLE: the kernel gives no samples (perf_event_open: %s); timers give them, at most as many as the "
            "kernel has ticks, 100 to 1000 a second",
            hiera_message_of(refusal));
}

static bool is_tree_kept(const HieraSampleTree *tree)
{
    if ((tree->nodes && !hiera_taken_has(tree->nodes, tree->room_nodes * sizeof *tree->nodes)) ||
        (tree->places && !hiera_taken_has(tree->places, tree->room_places * sizeof *tree->places)) ||
        tree->n_nodes > tree->room_nodes)
        return false;
    for (uint32_t i = 1; i < tree->n_nodes; i++)
        if (tree->nodes[i].level && !hiera_taken_has(tree->nodes[i].level, tree->nodes[i].text_bytes))
            return false;
    return true;
}

void hiera_sampling_recover(void)
{
    HieraSampling **link = &hiera_samplings;
    while (*link && hiera_taken_has(*link, sizeof **link)) {
        HieraSampling *sampling = *link;
        if (is_tree_kept(&sampling->tree))
            link = &sampling->next;
        else
            *link = sampling->next;
    }
    *link = NULL;
}

void hiera_sampling_in_child(void)
{
    hiera_sampling_watch_end();
    hiera_other_threads_forget();
    hiera_main_sampling = NULL;
    hiera_samplings = NULL;
}
