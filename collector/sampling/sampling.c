/* See sampling.h. */
#include "sampling.h"

#include "base/kept.h"
#include "base/life.h"
#include "base/lock.h"
#include "base/message.h"
#include "base/settings.h"
#include "base/signal_safe_memory.h"
#include "helper/helper.h"
#include "other_threads.h"
#include "record/region_names.h"

#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

HieraSampling *hiera_samplings HIERA_KEPT;

static HieraSampling *main_sampling; /* also has the samples of threads without records */

bool hiera_sampling_is_on(void)
{
    return hiera_settings.sample.period_ns > 0 && hiera_settings.trace && !hiera_life.recovers;
}

static HieraSampling *make(void)
{
    HieraSampling *sampling = hiera_memory_new(sizeof *sampling);
    if (!sampling)
        return NULL;
    sampling->next = hiera_samplings;
    hiera_samplings = sampling;
    return sampling;
}

static bool is_sampled(pid_t tid)
{
    for (const HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next)
        if (sampling->ring.source != HIERA_SAMPLES_NONE && sampling->ring.tid == tid)
            return true;
    return false;
}

/* --- open regions --- */

static HieraSampleKey key_of(const HieraRecord *record)
{
    HieraSampleKey key = {.call = record->call};
    if (record->call == HIERA_RECORD_FUNCTION) {
        key.function = ((const HieraFunctionRecord *)(const void *)record)->function;
    } else if (record->call == HIERA_RECORD_REGION) {
        const HieraName *name = ((const HieraRegionRecord *)(const void *)record)->name;
        key.level = name->level;
        key.text_bytes = (uint32_t)name->level_length + name->name_length + 2u;
    }
    return key;
}

/* The node of the innermost open region. Those around it get theirs too. */
static uint32_t find_node(HieraSampling *sampling)
{
    uint32_t n = sampling->n_open < HIERA_SAMPLE_DEPTH ? sampling->n_open : HIERA_SAMPLE_DEPTH, node = 0;
    for (uint32_t i = 0; i < n; i++) {
        HieraSampleOpen *open = &sampling->open[i];
        if (open->record) {
            HieraSampleKey key = key_of(open->record);
            bool is_told = open->record->call != HIERA_RECORD_HIDDEN;
            open->node = is_told ? hiera_sample_tree_child(&sampling->tree, node, &key) : node;
            open->record = NULL;
        }
        node = open->node;
    }
    return node;
}

static void push(HieraSampling *sampling, const HieraRecord *record)
{
    if (sampling->n_open < HIERA_SAMPLE_DEPTH)
        sampling->open[sampling->n_open] = (HieraSampleOpen){record, 0};
    sampling->n_open++;
}

/* --- records up to a sample --- */

/* Go through the records that begin, and end, before a time. Returns the MPI call, or the writing of the collector, in which that time is;
 * NULL: it is in none. */
static const HieraRecord *advance(HieraSampling *sampling, const char *end, uint64_t ticks)
{
    const HieraThread *thread = sampling->thread;
    for (const char *at = thread->base + sampling->told; at < end; sampling->told = (size_t)(at - thread->base)) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        bool is_span = record->call >= HIERA_RECORD_CALLS || record->call == HIERA_RECORD_FLUSH;
        bool has_time = is_span || record->call <= HIERA_RECORD_FUNCTION || record->call == HIERA_RECORD_HIDDEN;
        uint64_t finish = is_span ? __atomic_load_n(&record->finish, __ATOMIC_ACQUIRE) : 0;
        if (has_time && record->start > ticks)
            return NULL;
        if (is_span && (finish == 0 || finish > ticks))
            return record;
        if (record->call == HIERA_RECORD_END)
            sampling->n_open -= sampling->n_open > 0;
        else if (has_time && !is_span)
            push(sampling, record);
        at += record->bytes;
    }
    return NULL;
}

/* --- samples --- */

/* Which ring has the earliest sample? NULL: none has any. `is_own`: it is that of the thread itself. */
static HieraSampleRing *earliest(HieraSampling *sampling, HieraSample *sample, bool *is_own)
{
    size_t n = 0;
    HieraSampleRing *found = hiera_sample_ring_peek(&sampling->ring, sample) ? &sampling->ring : NULL;
    HieraSampleRing *others = sampling == main_sampling ? hiera_other_threads(&n) : NULL;
    *is_own = found != NULL;
    for (size_t i = 0; i < n; i++) {
        HieraSample other;
        if (!hiera_sample_ring_peek(&others[i], &other) || (found && other.ticks >= sample->ticks))
            continue;
        found = &others[i];
        *sample = other;
        *is_own = false;
    }
    return found;
}

/* `call`: in which the thread was then, or NULL. */
static void add(HieraSampling *sampling, const HieraSample *sample, const HieraRecord *call, bool is_own)
{
    uint32_t node = find_node(sampling);
    HieraSampleKey key = {.call = is_own && call ? call->call : HIERA_SAMPLE_OTHERS};
    if (call || !is_own)
        node = hiera_sample_tree_child(&sampling->tree, node, &key);
    hiera_sample_tree_add(&sampling->tree, node, sample->address, 1, sample->periods);
}

static void tell(HieraSampling *sampling)
{
    const HieraThread *thread = sampling->thread;
    HieraSample sample;
    HieraSampleRing *ring;
    bool is_own;
    /* The records are looked at after the ring: all that came before a sample is among them. */
    while ((ring = earliest(sampling, &sample, &is_own)) != NULL) {
        const char *end = thread ? __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE) : NULL;
        const HieraRecord *call = thread ? advance(sampling, end, sample.ticks) : NULL;
        add(sampling, &sample, call, is_own);
        hiera_sample_ring_take(ring);
    }
    sampling->source = sampling->ring.source != HIERA_SAMPLES_NONE ? sampling->ring.source : sampling->source;
}

void hiera_sampling_tell(HieraThread *thread)
{
    if (HIERA_UNLIKELY(thread->sampling != NULL) && !hiera_life.recovers)
        tell(thread->sampling);
}

/* What is open keeps its node; the records are gone. */
void hiera_sampling_rewind(HieraThread *thread)
{
    HieraSampling *sampling = thread->sampling;
    if (HIERA_LIKELY(!sampling) || hiera_life.recovers)
        return;
    advance(sampling, thread->next, UINT64_MAX);
    find_node(sampling);
    sampling->told = 0;
}

/* --- threads --- */

/* What was made at load is not in kept memory, for which it was too early. */
static HieraSampling *keep(HieraSampling *sampling)
{
    HieraSampling *kept = sampling ? make() : NULL;
    if (!kept)
        return sampling;
    HieraSampleTree tree = sampling->tree;
    *kept = *sampling;
    kept->tree = (HieraSampleTree){0};
    hiera_sample_tree_merge(&kept->tree, &tree);
    hiera_samplings = kept; /* there is no other one yet */
    kept->next = NULL;
    main_sampling = kept;
    hiera_memory_free(sampling, sizeof *sampling);
    return kept;
}

/* The helper may have found the thread before: then it has a ring. */
static void begin(HieraThread *thread, pid_t tid, HieraSampleRing *ring)
{
    HieraSampling *sampling = thread->number == 0 ? main_sampling : NULL;
    if (main_sampling && !main_sampling->thread && hiera_samplings == main_sampling && !main_sampling->next)
        main_sampling = keep(main_sampling);
    sampling = sampling ? main_sampling : NULL;
    if (main_sampling && main_sampling != sampling)
        tell(main_sampling); /* what this thread did before its first record */
    if (!sampling)
        sampling = make();
    if (!sampling)
        return;
    if (sampling->ring.source == HIERA_SAMPLES_NONE && !hiera_other_threads_take(tid, &sampling->ring)) {
        sampling->ring = *ring;
        *ring = (HieraSampleRing){.source = HIERA_SAMPLES_NONE};
    }
    sampling->source = sampling->ring.source;
    sampling->tid = tid;
    sampling->number = thread->number;
    sampling->thread = thread;
    sampling->told = 0;
    thread->sampling = sampling;
}

void hiera_sampling_begin_thread(HieraThread *thread)
{
    HieraSampleRing ring = {.source = HIERA_SAMPLES_NONE};
    pid_t tid = (pid_t)syscall(SYS_gettid);
    if (HIERA_LIKELY(!hiera_sampling_is_on()))
        return;
    if (thread->number != 0)
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

static void close_ring(HieraSampling *sampling)
{
    tell(sampling);
    hiera_sample_ring_close(&sampling->ring);
    sampling->lost += sampling->ring.lost;
    sampling->cpu_ns += sampling->ring.cpu_ns - sampling->ring.cpu_began_ns;
    sampling->ring = (HieraSampleRing){.source = HIERA_SAMPLES_NONE};
}

void hiera_sampling_end_thread(HieraThread *thread)
{
    HieraSampling *sampling = thread->sampling, *ended = sampling ? find_ended() : NULL;
    if (HIERA_LIKELY(!sampling))
        return;
    close_ring(sampling);
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

/* --- the helper --- */

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
        close_ring(sampling);
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
    if (!hiera_life.closed && main_sampling) {
        bool is_filling = is_seldom || is_any_filling();
        for (HieraSampling *sampling = hiera_samplings; sampling; sampling = sampling->next) {
            if (is_filling)
                tell(sampling);
            if (is_seldom)
                follow_blocked(sampling);
            if (is_seldom)
                hiera_sampling_cpu_ns(sampling);
        }
        hiera_other_threads_clock();
        if (is_new)
            hiera_other_threads_update(is_sampled, &main_sampling->lost, &main_sampling->cpu_ns);
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

void hiera_sampling_load(void)
{
    HieraSampleRing ring;
    if (!hiera_sampling_is_on() || hiera_life.closed)
        return;
    hiera_sample_ring_open(&ring, getpid(), hiera_settings.sample.period_ns);
    if (!hiera_lock_enter())
        return;
    main_sampling = make();
    if (main_sampling) {
        main_sampling->ring = ring;
        main_sampling->tid = ring.tid;
        main_sampling->source = ring.source;
    }
    hiera_lock_leave();
    if (main_sampling)
        hiera_helper_every(look_every_ns(), look, NULL);
}

void hiera_sampling_complain(void)
{
    int refusal = hiera_sample_ring_refusal();
    if (!hiera_sampling_is_on())
        return;
    if (!main_sampling || main_sampling->source == HIERA_SAMPLES_NONE)
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

uint64_t hiera_sampling_lost(const HieraSampling *sampling)
{
    size_t n = 0;
    const HieraSampleRing *others = sampling == main_sampling ? hiera_other_threads(&n) : NULL;
    uint64_t lost = sampling->lost + sampling->ring.lost + sampling->tree.lost;
    for (size_t i = 0; i < n; i++)
        lost += others[i].lost;
    return lost;
}

uint64_t hiera_sampling_cpu_ns(HieraSampling *sampling)
{
    size_t n = 0;
    HieraSampleRing *others = sampling == main_sampling ? hiera_other_threads(&n) : NULL;
    if (!hiera_life.recovers && sampling->ring.source != HIERA_SAMPLES_NONE)
        hiera_sample_ring_clock(&sampling->ring);
    uint64_t ns = sampling->cpu_ns + sampling->ring.cpu_ns - sampling->ring.cpu_began_ns;
    for (size_t i = 0; i < n; i++) {
        hiera_sample_ring_clock(&others[i]);
        ns += others[i].cpu_ns - others[i].cpu_began_ns;
    }
    return ns;
}

static bool is_tree_kept(const HieraSampleTree *tree, bool (*is_kept)(const void *address, size_t bytes))
{
    if ((tree->nodes && !is_kept(tree->nodes, tree->room_nodes * sizeof *tree->nodes)) ||
        (tree->places && !is_kept(tree->places, tree->room_places * sizeof *tree->places)) ||
        tree->n_nodes > tree->room_nodes)
        return false;
    for (uint32_t i = 1; i < tree->n_nodes; i++)
        if (tree->nodes[i].level && !is_kept(tree->nodes[i].level, tree->nodes[i].text_bytes))
            return false;
    return true;
}

void hiera_sampling_recover(bool (*is_kept)(const void *address, size_t bytes))
{
    HieraSampling **link = &hiera_samplings;
    while (*link && is_kept(*link, sizeof **link)) {
        HieraSampling *sampling = *link;
        if (is_tree_kept(&sampling->tree, is_kept))
            link = &sampling->next;
        else
            *link = sampling->next;
    }
    *link = NULL;
}

void hiera_sampling_in_child(void)
{
    hiera_other_threads_forget();
    main_sampling = NULL;
    hiera_samplings = NULL;
}
