#include "callback_records.h"

#include "record/open_regions.h"
#include "record/own_time.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 64 << 20 };

static void put(HieraThread *thread, const void *record, size_t bytes)
{
    if (!hiera_record_room(thread, bytes)) {
        thread->lost_unwritten++;
        return;
    }
    memcpy(thread->next, record, bytes);
    hiera_record_take(thread, bytes);
}

/* Copy the records of the callbacks' calls. Returns the time at which the last of these calls ended, at least `last`.
 */
static uint64_t put_all(HieraThread *thread, const HieraThread *callbacks, uint64_t last)
{
    for (const char *at = callbacks->base; at < callbacks->next;) {
        const HieraRecord *record = (const HieraRecord *)(const void *)at;
        put(thread, record, record->bytes);
        last = record->call >= HIERA_RECORD_CALLS && record->finish > last ? record->finish : last;
        at += record->bytes;
    }
    return last;
}

/* If functions are open that have no record yet, let the next event write their records first. */
static void functions_first(HieraThread *thread)
{
    if (thread->n_recorded < thread->n_open)
        thread->limit = thread->next;
}

/* Move the records of `thread->callbacks` into the buffer of the thread. `until`: end of the part of the buffer that
 * may be used without a flush; NULL: as usual. */
static void merge(HieraThread *thread, char *until)
{
    HieraThread *callbacks = thread->callbacks;
    HieraRecord begin = {sizeof begin, HIERA_RECORD_FILTERED, callbacks->around_start, 0, NULL};
    HieraRecord end = {HIERA_END_BYTES, HIERA_RECORD_END, 0, 0, NULL};
    if (callbacks->inside != 0) /* a longjmp has left the last call made in a callback */
        hiera_call_left(callbacks);
    hiera_callbacks_merge(callbacks);
    callbacks->around_start = 0;
    hiera_thread_narrow(thread);
    if (until)
        thread->limit = thread->end = until;
    thread->is_merging = true;
    put(thread, &begin, sizeof begin);
    thread->has_blocks |= callbacks->has_blocks;
    end.start = put_all(thread, callbacks, begin.start);
    put(thread, &end, HIERA_END_BYTES);
    thread->lost_unwritten += callbacks->lost_unwritten;
    callbacks->lost_unwritten = 0;
    callbacks->has_blocks = false;
    callbacks->next = callbacks->base;
    callbacks->walked = NULL;
    thread->is_merging = false;
}

void hiera_callbacks_merge(HieraThread *thread)
{
    uint64_t since = hiera_clock_ticks();
    if (!hiera_callbacks_wait(thread))
        return;
    merge(thread, NULL);
    if (!thread->around)               /* else the enclosing call records the time */
        hiera_own_time(thread, since); /* the time includes a flush by merge() */
    functions_first(thread);
}

void hiera_callbacks_settle(HieraThread *thread)
{
    /* Nested callbacks are left, since merging their records may need memory. */
    if (!hiera_callbacks_wait(thread) || hiera_callbacks_wait(thread->callbacks))
        return;
    char *end = thread->base + thread->bytes - HIERA_UNRECORDED_ROOM;
    size_t bytes = (size_t)(thread->callbacks->next - thread->callbacks->base) + sizeof(HieraRecord) + HIERA_END_BYTES;
    if (thread->next > end || (size_t)(end - thread->next) < bytes)
        return;
    merge(thread, end);
    hiera_thread_narrow(thread);
    functions_first(thread);
}

uint64_t hiera_callbacks_lost(const HieraThread *thread)
{
    return thread->lost_in_callbacks + (hiera_callbacks_wait(thread) ? thread->callbacks->n_calls : 0);
}

bool hiera_callbacks_grow(HieraThread *thread, size_t bytes)
{
    size_t used = (size_t)(thread->next - thread->base), room = 2 * (used + bytes);
    int saved_errno = errno;
    if (thread->bytes - used < bytes) {
        char *base = room <= MOST ? realloc(thread->base, room) : NULL;
        errno = saved_errno;
        if (!base)
            return false;
        thread->base = thread->written = base;
        thread->next = base + used;
        thread->walked = NULL;
        thread->bytes = room;
    }
    thread->limit = thread->end = thread->base + thread->bytes;
    return true;
}

void hiera_callbacks_free(HieraThread *callbacks)
{
    if (!callbacks)
        return;
    hiera_callbacks_free(callbacks->callbacks);
    free(callbacks->base);
    free(callbacks);
}
