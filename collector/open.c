/* The open regions of a thread. See open.h. */
#include "open.h"

#include "balance.h"
#include "maps.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>

enum { FIRST_ROOM = 128 };

static size_t bytes_of(uint32_t room)
{
    return room * sizeof(HieraOpen);
}

bool hiera_open_make_room(HieraThread *thread)
{
    uint32_t room = thread->room_open ? 2 * thread->room_open : FIRST_ROOM;
    int saved_errno = errno;
    void *memory = mmap(NULL, bytes_of(room), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    errno = saved_errno;
    if (memory == MAP_FAILED)
        return false;
    if (thread->n_open > 0)
        memcpy(memory, thread->open, bytes_of(thread->n_open));
    hiera_open_free(thread);
    thread->open = memory;
    thread->room_open = room;
    return true;
}

void hiera_open_free(HieraThread *thread)
{
    if (thread->open)
        munmap(thread->open, bytes_of(thread->room_open));
    thread->open = NULL;
}

/* --- whose stack frame is gone --- */

/* The thread's own stack. That of the main thread holds what the kernel left there, and grows: it may begin anywhere.
 * That of another one ends with its descriptor. */
static void find_stack(HieraThread *thread)
{
    enum { LARGEST_MAIN = 64 << 20 };
    bool is_main = thread->number == 0;
    uintptr_t at = is_main ? (uintptr_t)getauxval(AT_RANDOM) : (uintptr_t)pthread_self();
    HieraMapping mapping;
    int saved_errno = errno;
    bool known = at != 0 && hiera_maps_find(at, &mapping);
    errno = saved_errno;
    thread->stack_end = !known ? 1 : is_main ? mapping.end : at;
    thread->stack_begin = !known ? 1 : is_main ? mapping.end - LARGEST_MAIN : mapping.begin;
}

static bool is_on_stack(const HieraThread *thread, uintptr_t at)
{
    return at >= thread->stack_begin && at < thread->stack_end;
}

static bool is_dead(const HieraThread *thread, const HieraOpen *open, uintptr_t frame, uintptr_t scope)
{
    return open->scope != 0 && (open->scope == scope || (open->scope < frame && is_on_stack(thread, open->scope) &&
                                                         is_on_stack(thread, frame)));
}

static bool end_last(HieraThread *thread);

void hiera_open_bury(HieraThread *thread, uintptr_t frame, uintptr_t scope)
{
    if (thread->stack_end == 0)
        find_stack(thread);
    /* The outermost dead one, unless one in it lives. */
    uint32_t first = thread->n_open;
    for (uint32_t i = thread->n_open; i-- > 0;) {
        const HieraOpen *open = &thread->open[i];
        if (is_dead(thread, open, frame, scope))
            first = i;
        else if (open->scope != 0)
            break;
    }
    while (thread->n_open > first) {
        const HieraOpen *last = &thread->open[thread->n_open - 1];
        if (!last->has_ended)
            hiera_balance_note(thread, HIERA_IMBALANCE_LEFT, last->name, last->name->site);
        if (!end_last(thread))
            return;
    }
}

/* --- ends --- */

/* The room first: it may flush, and then the region is no longer in the buffer. The time behind it: the flush is in the
 * document before the end, so it must be so in time. */
static bool end_last(HieraThread *thread)
{
    if (!hiera_record_room(thread, HIERA_END_BYTES))
        return false;
    uint64_t now = hiera_clock_ticks();
    HieraRegionRecord *region = thread->open[--thread->n_open].record;
    if (region)
        __atomic_store_n(&region->head.finish, now, __ATOMIC_RELAXED); /* another thread may be writing the region */
    HieraRecord *record = (HieraRecord *)(void *)thread->next;
    record->bytes = HIERA_END_BYTES;
    record->call = HIERA_RECORD_END;
    record->start = now;
    hiera_record_take(thread, HIERA_END_BYTES);
    return true;
}

/* Is the end of the region at `inner` still to come when the one at `outer` ends? Not if that is a plain one, nor if
 * both belong to variables of the same stack: those go in turn. */
static bool is_to_come(const HieraThread *thread, uint32_t outer, uint32_t inner)
{
    const HieraOpen *open = thread->open;
    return open[inner].scope != 0 && !open[inner].has_ended &&
           !(is_on_stack(thread, open[outer].scope) && is_on_stack(thread, open[inner].scope));
}

/* End the region at `i`: with it what was left open in it, unless something there ends by itself. */
static void end_at(HieraThread *thread, uint32_t i)
{
    if (i + 1 < thread->n_open && thread->stack_end == 0)
        find_stack(thread);
    for (uint32_t k = i + 1; k < thread->n_open; k++)
        if (is_to_come(thread, i, k)) {
            thread->open[i].has_ended = true;
            hiera_balance_note(thread, HIERA_IMBALANCE_CROSSED, thread->open[i].name, thread->open[i].name->site);
            return;
        }
    while (thread->n_open > i + 1) {
        const HieraOpen *last = &thread->open[thread->n_open - 1];
        if (!last->has_ended)
            hiera_balance_note(thread, HIERA_IMBALANCE_LEFT, last->name, last->name->site);
        if (!end_last(thread))
            return;
    }
    while (end_last(thread) && thread->n_open > 0 && thread->open[thread->n_open - 1].has_ended)
        ;
}

void hiera_open_end(HieraThread *thread, uintptr_t frame, const void *site)
{
    if (HIERA_UNLIKELY(hiera_open_has_dead(thread, frame, 0)))
        hiera_open_bury(thread, frame, 0);
    uint32_t n = thread->n_open;
    if (HIERA_LIKELY(n > 0 && thread->open[n - 1].scope == 0 && !thread->open[n - 1].has_ended &&
                     (n == 1 || !thread->open[n - 2].has_ended))) {
        end_last(thread);
        return;
    }
    while (n > 0 && (thread->open[n - 1].scope != 0 || thread->open[n - 1].has_ended))
        n--;
    if (n > 0)
        end_at(thread, n - 1);
    else
        hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, site);
}

void hiera_open_end_named(HieraThread *thread, HieraBytes name, uintptr_t frame, const void *site)
{
    if (hiera_open_has_dead(thread, frame, 0))
        hiera_open_bury(thread, frame, 0);
    for (uint32_t i = thread->n_open; i-- > 0;) {
        const HieraOpen *open = &thread->open[i];
        if (open->scope == 0 && !open->has_ended && open->name->name_length == name.length &&
            memcmp(hiera_name_text(open->name), name.bytes, name.length) == 0) {
            end_at(thread, i);
            return;
        }
    }
    hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, site);
}

void hiera_open_end_scope(HieraThread *thread, uintptr_t scope, uintptr_t frame, const void *site)
{
    if (HIERA_UNLIKELY(hiera_open_has_dead(thread, frame, 0)))
        hiera_open_bury(thread, frame, 0);
    for (uint32_t i = thread->n_open; i-- > 0;)
        if (thread->open[i].scope == scope && !thread->open[i].has_ended) {
            end_at(thread, i);
            return;
        }
    hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, site);
}

void hiera_open_note_all(HieraThread *thread)
{
    for (uint32_t i = 0; thread && i < thread->n_open; i++)
        if (!thread->open[i].has_ended)
            hiera_balance_note(thread, HIERA_IMBALANCE_OPEN, thread->open[i].name, thread->open[i].name->site);
}
