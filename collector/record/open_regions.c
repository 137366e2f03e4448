/* See open_regions.h. The stack of a thread's open regions, and which of them an end closes. */
#include "open_regions.h"

#include "memory/kept_memory.h"
#include "own_time.h"
#include "region_counters.h"
#include "unbalanced.h"
#include "watch.h"

#include <string.h>

enum { FIRST_ROOM = 128 };

/* Largest number of bytes that the records of one end take. */
enum { END_ROOM = HIERA_END_BYTES + (HIERA_SHORTS + 1) * sizeof(HieraCountedRecord) + HIERA_COUNTERS_ROOM };

/* Return the size of a stack of `room` regions: one more entry, without a scope, stands before the outermost region. */
static size_t bytes_of(uint32_t room)
{
    return (room + 1) * sizeof(HieraOpen);
}

bool hiera_open_make_room(HieraThread *thread)
{
    uint32_t room = thread->room_open ? 2 * thread->room_open : FIRST_ROOM;
    HieraOpen *open = hiera_kept_map(bytes_of(room));
    if (!open)
        return false;
    open->floor = UINTPTR_MAX;
    if (thread->open)
        memcpy(open, thread->open - 1, bytes_of(thread->n_open));
    hiera_open_free(thread);
    thread->open = open + 1;
    thread->room_open = room;
    return true;
}

void hiera_open_free(HieraThread *thread)
{
    if (thread->open)
        hiera_kept_unmap(thread->open - 1, bytes_of(thread->room_open));
    thread->open = NULL;
}

/* --- regions whose stack frame is gone --- */

static bool is_dead(HieraThread *thread, const HieraOpen *open, uintptr_t frame, uintptr_t scope)
{
    return open->scope != 0 && (open->scope == scope || (open->scope < frame && hiera_stack_has(thread, open->scope) &&
                                                         hiera_stack_has(thread, frame)));
}

static bool leave_down_to(HieraThread *thread, uint32_t n);

void hiera_open_close_unwound(HieraThread *thread, uintptr_t frame, uintptr_t scope)
{
    /* Close from the outermost dead entry inwards, but only if no entry inside that entry is alive. */
    uint32_t first = thread->n_open;
    for (uint32_t i = thread->n_open; i-- > 0;) {
        const HieraOpen *open = &thread->open[i];
        if (is_dead(thread, open, frame, scope))
            first = i;
        else if (open->scope != 0 && !open->has_ended)
            break;
    }
    leave_down_to(thread, first);
}

/* --- closing regions whose end has come --- */

/* Write the counts of short calls into the buffer, just before the end of the entry that has counted them. */
static inline void put_shorts(HieraThread *thread, HieraOpen *open, uint64_t now)
{
    for (uint32_t i = 0; i < open->n_shorts; i++) {
        HieraCountedRecord *record = (HieraCountedRecord *)(void *)thread->next;
        *record = (HieraCountedRecord){sizeof *record,        HIERA_RECORD_COUNTED,  open->shorts[i].function,
                                       open->shorts[i].count, open->shorts[i].ticks, now};
        hiera_record_take(thread, sizeof *record);
    }
    open->n_shorts = 0;
}

/* The end of an entry with counts or observers. Not inlined, so that other ends need not save registers for these
 * calls. */
static __attribute__((noinline)) void put_end_with_more(HieraThread *thread, HieraOpen *open, uint64_t now)
{
    put_shorts(thread, open, now);
    if (open->has_counters)
        hiera_region_counters_put(thread, (uint32_t)(open - thread->open));
    if (open->is_watched)
        hiera_watch_stop(thread, open, now);
    hiera_open_put_end(thread, open, now);
    hiera_own_time(thread, now);
}

/* Close the innermost entry. Make room first: that may flush, and then the begin is no longer in the buffer. Read the
 * clock afterwards: in the trace the flush comes before the end, so its time must be before that of the end. */
static bool end_last(HieraThread *thread)
{
    if (!hiera_record_room(thread, END_ROOM))
        return false;
    HieraOpen *open = &thread->open[thread->n_open - 1];
    uint64_t now = hiera_clock_ticks();
    if (HIERA_UNLIKELY(open->has_counters || open->is_watched)) {
        put_end_with_more(thread, open, now);
        return true;
    }
    put_shorts(thread, open, now);
    hiera_open_put_end(thread, open, now);
    return true;
}

static void note(HieraThread *thread, HieraImbalance what, const HieraOpen *open)
{
    if (!open->is_filtered || open->name)
        hiera_balance_note(thread, what, open->name, open->name ? open->name->site : open->function);
}

/* Close entries until `n` are left, from the innermost outwards; those that have had no end are noted as left open. */
static bool leave_down_to(HieraThread *thread, uint32_t n)
{
    while (thread->n_open > n) {
        const HieraOpen *last = &thread->open[thread->n_open - 1];
        if (!last->has_ended)
            note(thread, HIERA_IMBALANCE_LEFT, last);
        if (!end_last(thread))
            return false;
    }
    return true;
}

void hiera_open_end_ended(HieraThread *thread)
{
    while (thread->n_open > 0 && thread->open[thread->n_open - 1].has_ended && end_last(thread))
        ;
}

/* True if the end of `inner` may still come after the end of `outer`. Functions return before their callers, a plain
 * region does not outlast a scope, and variables of one stack end in reverse order. */
static bool is_to_come(HieraThread *thread, uint32_t outer, uint32_t inner)
{
    const HieraOpen *open = thread->open;
    if (open[inner].has_ended)
        return false;
    if (open[inner].function || open[outer].function)
        return true;
    return open[inner].scope != 0 &&
           !(hiera_stack_has(thread, open[outer].scope) && hiera_stack_has(thread, open[inner].scope));
}

/* Close entry `i` and the entries left open inside it. If one of these may still get an end, only mark entry `i`. */
static void end_at(HieraThread *thread, uint32_t i)
{
    HieraOpen *open = thread->open;
    bool waits = false, crosses = false;
    for (uint32_t k = i + 1; k < thread->n_open; k++)
        if (is_to_come(thread, i, k)) {
            waits = true;
            crosses |= !open[k].function && !open[i].function;
        }
    if (crosses)
        note(thread, HIERA_IMBALANCE_CROSSED, &open[i]);
    if (waits)
        open[i].has_ended = true;
    else if (leave_down_to(thread, i + 1) && end_last(thread))
        hiera_open_end_ended(thread);
}

void hiera_open_leave_inside(HieraThread *thread, const HieraOpen *open)
{
    uint32_t i = (uint32_t)(open - thread->open);
    bool waits = false;
    for (uint32_t k = i + 1; k < thread->n_open; k++)
        waits = waits || is_to_come(thread, i, k);
    if (!waits)
        leave_down_to(thread, i + 1);
}

void hiera_open_end(HieraThread *thread, uintptr_t frame, const void *site)
{
    if (hiera_unkept_end(thread, HIERA_OPEN_PLAIN, frame))
        return;
    if (HIERA_UNLIKELY(hiera_open_has_dead(thread, frame, 0)))
        hiera_open_close_unwound(thread, frame, 0);
    uint32_t n = thread->n_open;
    if (HIERA_LIKELY(n > 0 && thread->open[n - 1].scope == 0 && !thread->open[n - 1].has_ended &&
                     !thread->open[(ptrdiff_t)n - 2].has_ended)) {
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
    if (hiera_unkept_end(thread, HIERA_OPEN_PLAIN, frame))
        return;
    if (hiera_open_has_dead(thread, frame, 0))
        hiera_open_close_unwound(thread, frame, 0);
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
        hiera_open_close_unwound(thread, frame, 0);
    for (uint32_t i = thread->n_open; i-- > 0;)
        if (thread->open[i].scope == scope && !thread->open[i].function && !thread->open[i].has_ended) {
            thread->unkept =
                (HieraUnkept){0}; /* regions without an entry began inside this region, and so end with it */
            end_at(thread, i);
            return;
        }
    if (!hiera_unkept_end(thread, HIERA_OPEN_SCOPE, frame))
        hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, site);
}

/* --- calls of instrumented functions --- */

static size_t room_left(const HieraThread *thread)
{
    return (size_t)(thread->base + thread->bytes - thread->next);
}

void hiera_open_write_pending(HieraThread *thread)
{
    if (thread->is_merging)
        return;
    for (; thread->n_recorded < thread->n_open && room_left(thread) >= sizeof(HieraFunctionRecord);
         thread->n_recorded++) {
        HieraOpen *open = &thread->open[thread->n_recorded];
        HieraFunctionRecord *record = (HieraFunctionRecord *)(void *)thread->next;
        record->head = (HieraRecord){sizeof *record, open->is_filtered ? HIERA_RECORD_FILTERED : HIERA_RECORD_FUNCTION,
                                     open->start, 0, hiera_open_place(open)};
        record->function = open->function;
        open->record = &record->head;
        hiera_record_take(thread, sizeof *record);
    }
    bool has_room = thread->n_recorded == thread->n_open && thread->next < thread->end;
    thread->limit = has_room ? thread->end : thread->next;
}

bool hiera_open_prepare_function(HieraThread *thread, const void *site, uintptr_t frame)
{
    if (!hiera_open_may_keep(thread, frame) || (thread->room_open == 0 && !hiera_open_make_room(thread)))
        return false;
    if (hiera_open_has_dead(thread, frame, 0))
        hiera_open_close_unwound(thread, frame, 0);
    /* Close entries at the same stack pointer with another call site: longjmp has left them. With the same call site,
     * the entry may be the function into which this one was inlined. */
    while (thread->n_open > 0) {
        const HieraOpen *last = &thread->open[thread->n_open - 1];
        if (!last->function || last->scope != frame || last->site == site || last->has_ended)
            break;
        if (!leave_down_to(thread, thread->n_open - 1))
            return false;
    }
    if (thread->n_open - thread->n_recorded >= HIERA_UNRECORDED_MAX && !hiera_flush(thread, 1))
        return false;
    return thread->n_open < thread->room_open || hiera_open_make_room(thread);
}

void hiera_open_end_function(HieraThread *thread, const void *function, uintptr_t frame)
{
    if (hiera_unkept_end(thread, HIERA_OPEN_FUNCTION, frame))
        return;
    if (hiera_open_has_dead(thread, frame, 0))
        hiera_open_close_unwound(thread, frame, 0);
    for (uint32_t i = thread->n_open; i-- > 0;) {
        const HieraOpen *open = &thread->open[i];
        if (open->function == function && open->scope >= frame && !open->has_ended) {
            end_at(thread, i);
            return;
        }
    }
}

/* The entry to close is the outermost one of this function and call site whose stack frame is gone. */
void hiera_open_end_jumped(HieraThread *thread, const void *function, const void *site, uintptr_t frame)
{
    uintptr_t found = 0;
    for (uint32_t i = thread->n_open;
         i-- > 0 && thread->open[i].scope < frame;) { /* regions without a scope (0) are skipped */
        const HieraOpen *open = &thread->open[i];
        if (open->function == function && open->site == site && !open->has_ended)
            found = open->scope;
    }
    if (found != 0)
        hiera_open_end_function(thread, function, found);
    else
        hiera_open_end_lost(&thread->unkept, HIERA_OPEN_FUNCTION);
}

void hiera_open_put_shorts(HieraThread *thread)
{
    uint64_t now = hiera_clock_ticks();
    for (ptrdiff_t i = thread->room_open > 0 ? (ptrdiff_t)thread->n_open - 1 : -2; i >= -1; i--)
        if (room_left(thread) >= (HIERA_SHORTS + 1) * sizeof(HieraCountedRecord))
            put_shorts(thread, &thread->open[i], now);
}

/* --- names of the open regions --- */

static HieraName **name_of(HieraThread *thread, uint32_t i)
{
    return &thread->open[i].name;
}

bool hiera_open_tidy_names(HieraThread *thread)
{
    return hiera_names_tidy(thread, name_of, thread->n_open);
}

/* --- the end of a thread or of the process --- */

void hiera_open_note_all(HieraThread *thread)
{
    for (uint32_t i = 0; thread && i < thread->n_open; i++)
        if (!thread->open[i].has_ended && !thread->open[i].function)
            note(thread, HIERA_IMBALANCE_OPEN, &thread->open[i]);
}

uint32_t hiera_open_count(const HieraThread *thread)
{
    uint32_t n = thread->unkept.plain + thread->unkept.scopes;
    for (uint32_t i = 0; i < thread->n_open; i++)
        n += thread->open[i].name != NULL;
    return n;
}
