/* See counting.h. Each thread has a slot of a table; when it ends, its counts are added to those of ended
 * threads. Threads that found no slot, or have released theirs, share one. */
#include "counting.h"

#include "malloc_counts.h"

#include <pthread.h>

enum { SLOTS = 1024, LINE = 64 };

typedef struct Slot {
    HieraMallocCounts counts;
    bool is_taken;
} __attribute__((aligned(LINE))) Slot;

static Slot slots[SLOTS], shared; /* `shared`: counts of threads without a slot, and sums of ended threads */
static __thread Slot *own __attribute__((tls_model("initial-exec")));
static pthread_key_t key;
static bool has_key, has_begun;
static uintptr_t left_out_begin, left_out_end;

/* --- a slot for each thread --- */

static void add_shared(uint64_t *count, uint64_t n)
{
    __atomic_fetch_add(count, n, __ATOMIC_RELAXED);
}

static void give_back(void *slot)
{
    Slot *left = slot;
    own = &shared; /* functions that run later in the thread's end may free memory */
    add_shared(&shared.counts.allocations, left->counts.allocations);
    add_shared(&shared.counts.frees, left->counts.frees);
    add_shared(&shared.counts.bytes_allocated, left->counts.bytes_allocated);
    add_shared(&shared.counts.bytes_freed, left->counts.bytes_freed);
    left->counts = (HieraMallocCounts){0};
    __atomic_store_n(&left->is_taken, false, __ATOMIC_RELEASE);
}

__attribute__((constructor)) static void make_key(void)
{
    has_key = pthread_key_create(&key, give_back) == 0;
}

/* pthread_setspecific() may allocate: the thread already has its slot then. The main thread, which begins before the
 * key exists, keeps its slot. */
static Slot *attach(void)
{
    for (unsigned i = 0; i < SLOTS && !own; i++)
        if (!__atomic_exchange_n(&slots[i].is_taken, true, __ATOMIC_ACQUIRE))
            own = &slots[i];
    if (!own)
        own = &shared;
    else if (has_key)
        pthread_setspecific(key, own);
    return own;
}

static Slot *slot(void)
{
    return __builtin_expect(own != NULL, 1) ? own : attach();
}

/* --- counting allocations and frees --- */

/* Add n to a count, which other threads may read meanwhile; atomically if several threads may add. */
static void add(const Slot *to, uint64_t *count, uint64_t n)
{
    if (to == &shared)
        add_shared(count, n);
    else
        __atomic_store_n(count, *count + n, __ATOMIC_RELAXED);
}

static bool is_left_out(const void *caller)
{
    return (uintptr_t)caller - left_out_begin < left_out_end - left_out_begin;
}

void hiera_count_taken(const void *caller, size_t bytes)
{
    if (is_left_out(caller))
        return;
    Slot *to = slot();
    add(to, &to->counts.allocations, 1);
    add(to, &to->counts.bytes_allocated, bytes);
}

void hiera_count_given(const void *caller, size_t bytes)
{
    if (is_left_out(caller))
        return;
    Slot *to = slot();
    add(to, &to->counts.frees, 1);
    add(to, &to->counts.bytes_freed, bytes);
}

/* --- reading the counts, for libhiera --- */

static void add_slot(HieraMallocCounts *to, const Slot *from)
{
    to->allocations += __atomic_load_n(&from->counts.allocations, __ATOMIC_RELAXED);
    to->frees += __atomic_load_n(&from->counts.frees, __ATOMIC_RELAXED);
    to->bytes_allocated += __atomic_load_n(&from->counts.bytes_allocated, __ATOMIC_RELAXED);
    to->bytes_freed += __atomic_load_n(&from->counts.bytes_freed, __ATOMIC_RELAXED);
}

static void read_thread(HieraMallocCounts *counts)
{
    *counts = (HieraMallocCounts){0};
    add_slot(counts, slot());
}

static void read_process(HieraMallocCounts *counts)
{
    *counts = (HieraMallocCounts){0};
    add_slot(counts, &shared);
    for (unsigned i = 0; i < SLOTS; i++)
        add_slot(counts, &slots[i]);
}

static void reset_thread(const HieraMallocCounts *counts)
{
    if (slot() != &shared)
        own->counts = *counts;
}

void hiera_count_begin(void)
{
    __atomic_store_n(&has_begun, true, __ATOMIC_RELAXED);
}

static bool is_used(void)
{
    return __atomic_load_n(&has_begun, __ATOMIC_RELAXED);
}

static void leave_out(const void *begin, const void *end)
{
    left_out_begin = (uintptr_t)begin;
    left_out_end = (uintptr_t)end;
}

const HieraMallocLibrary hiera_malloc_library = {HIERA_MALLOC_VERSION, is_used,   read_thread,      read_process,
                                                 reset_thread,         leave_out, hiera_blocks_find};
