#include "own_time.h"

#include "base/settings.h"
#include "job/job.h"

#include <string.h>

enum { LEAST_NS = 1000 }; /* in ns: shorter work of the collector gets no element */

/* Return `since`, but not before the time at which MPI_Init returned to the program: earlier work does not count. */
static uint64_t after_init(uint64_t since, uint64_t now)
{
    uint64_t init = hiera_job.init_ticks;
    return since < init && init <= now ? init : since;
}

static bool is_long(uint64_t since, uint64_t now)
{
    static uint64_t least;
    uint64_t ticks = __atomic_load_n(&least, __ATOMIC_RELAXED);
    if (HIERA_UNLIKELY(ticks == 0)) {
        ticks = hiera_clock_ticks_of(LEAST_NS);
        __atomic_store_n(&least, ticks, __ATOMIC_RELAXED);
    }
    bool same_clock = ((since ^ now) & HIERA_TICKS_ARE_NS) == 0;
    return hiera_settings.trace && same_clock && now - since >= ticks;
}

static size_t room_of(const HieraThread *thread)
{
    return (size_t)(thread->limit - thread->next);
}

static void put(void *place, uint64_t since, uint64_t now)
{
    HieraRecord *record = place;
    record->bytes = HIERA_FLUSH_BYTES;
    record->call = HIERA_RECORD_FLUSH;
    record->start = since;
    record->finish = now;
}

void hiera_own_time(HieraThread *thread, uint64_t since)
{
    uint64_t now = hiera_clock_ticks();
    since = after_init(since, now);
    if (!is_long(since, now))
        return;
    if (thread->n_recorded < thread->n_open || room_of(thread) < HIERA_FLUSH_BYTES)
        return;
    put(thread->next, since, now);
    hiera_record_take(thread, HIERA_FLUSH_BYTES);
}

void *hiera_own_time_before(HieraThread *thread, HieraRecord *record, uint64_t since)
{
    uint64_t now = hiera_clock_ticks();
    size_t bytes = record->bytes;
    if (!is_long(since, now) || room_of(thread) < bytes + HIERA_FLUSH_BYTES)
        return record;
    memmove((char *)record + HIERA_FLUSH_BYTES, record, bytes);
    put(record, since, now);
    hiera_record_take(thread, HIERA_FLUSH_BYTES);
    return thread->next;
}
