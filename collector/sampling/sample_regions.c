#include "sample_regions.h"

#include "other_threads.h"
#include "places/objects.h"
#include "record/region_names.h"

/* --- open regions of a sampled thread, and their nodes in its tree --- */

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

/* Return the tree's node of the innermost open region. Open regions around it get their nodes, too. */
static uint32_t find_node(HieraSampling *sampling)
{
    uint32_t n = sampling->n_open < HIERA_SAMPLE_DEPTH ? sampling->n_open : HIERA_SAMPLE_DEPTH, node = 0;
    for (uint32_t i = 0; i < n; i++) {
        HieraSampleOpen *open = &sampling->open[i];
        if (open->record) {
            HieraSampleKey key = key_of(open->record);
            bool is_kept = open->record->call != HIERA_RECORD_FILTERED;
            open->node = is_kept ? hiera_sample_tree_child(&sampling->tree, node, &key) : node;
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

/* --- walking over the records that precede a sample --- */

/* Walk over the records that begin or end before a time. Returns the MPI call, or the writing of the collector, in
 * progress at that time; NULL: there was none. */
static const HieraRecord *advance(HieraSampling *sampling, const char *end, uint64_t ticks)
{
    const HieraThread *thread = sampling->thread;
    for (const char *at = thread->base + sampling->compared; at < end;
         sampling->compared = (size_t)(at - thread->base)) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        bool is_span = record->call >= HIERA_RECORD_CALLS || record->call == HIERA_RECORD_FLUSH;
        bool has_time = is_span || record->call <= HIERA_RECORD_FUNCTION || record->call == HIERA_RECORD_FILTERED;
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

/* --- adding a thread's samples to its tree --- */

/* Return the ring with the earliest sample; NULL: all are empty. *is_own: whether it is the thread's own ring. */
static HieraSampleRing *earliest(HieraSampling *sampling, HieraSample *sample, bool *is_own)
{
    size_t n = 0;
    HieraSampleRing *found = hiera_sample_ring_peek(&sampling->ring, sample) ? &sampling->ring : NULL;
    HieraSampleRing *others = sampling == hiera_main_sampling ? hiera_other_threads(&n) : NULL;
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

/* Look up the object of an address now, since it may be unloaded, and replaced by another one, before the trace is
 * written. Searching the list of mappings is slow, so it is done once for an address that is in no object of the
 * dynamic linker. */
static HieraSampleAt locate(const HieraSampleTree *tree, uint32_t node, const void *address)
{
    HieraSampleAt at = {address, hiera_loaded_object_number(address, false)};
    if (at.object == 0 && !hiera_sample_tree_has(tree, node, at))
        at.object = hiera_loaded_object_number(address, true);
    return at;
}

/* Add a sample to the tree. `call`: record of the MPI call, or of Hiera's writing, in progress then; NULL: none. */
static void add(HieraSampling *sampling, const HieraSample *sample, const HieraRecord *call, bool is_own)
{
    uint32_t node = find_node(sampling);
    HieraSampleKey key = {.call = is_own && call ? call->call : HIERA_SAMPLE_OTHERS};
    if (call || !is_own)
        node = hiera_sample_tree_child(&sampling->tree, node, &key);
    hiera_sample_tree_add(&sampling->tree, node, locate(&sampling->tree, node, sample->address), 1, sample->periods);
}

void hiera_sample_regions_tell(HieraSampling *sampling)
{
    const HieraThread *thread = sampling->thread;
    HieraSample sample;
    HieraSampleRing *ring;
    bool is_own;
    /* read `next` only after the ring: then all records from before the sample are there */
    while ((ring = earliest(sampling, &sample, &is_own)) != NULL) {
        const char *end = thread ? __atomic_load_n(&thread->next, __ATOMIC_ACQUIRE) : NULL;
        const HieraRecord *call = thread ? advance(sampling, end, sample.ticks) : NULL;
        add(sampling, &sample, call, is_own);
        hiera_sample_ring_take(ring);
    }
    sampling->source = sampling->ring.source != HIERA_SAMPLES_NONE ? sampling->ring.source : sampling->source;
}

/* First give each open region its node of the tree, because the records in the buffer will be gone. */
void hiera_sample_regions_rewind(HieraSampling *sampling)
{
    advance(sampling, sampling->thread->next, UINT64_MAX);
    find_node(sampling);
    sampling->compared = 0;
}

void hiera_sample_regions_close(HieraSampling *sampling)
{
    hiera_sample_regions_tell(sampling);
    hiera_sample_ring_close(&sampling->ring);
    sampling->lost += sampling->ring.lost;
    sampling->cpu_ns += sampling->ring.cpu_ns - sampling->ring.cpu_began_ns;
    sampling->ring = (HieraSampleRing){.source = HIERA_SAMPLES_NONE};
}
