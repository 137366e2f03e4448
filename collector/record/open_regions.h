/* The open regions of a thread, and the rules for ends.
 *
 * Regions of a program may fail to nest: an end is forgotten, comes too often or in the wrong order, or is skipped by
 * longjmp or an exception. The trace is a tree all the same. Each open region has an entry here, even if its record was
 * written long ago. There are plain regions (hiera_begin, hiera_end), regions of a scope, which end with a variable of
 * the program, and calls of instrumented functions. Rules:
 *
 * - A plain end closes the plain region that was opened last, and never a region of a scope. If a region of a scope is
 *   in between, the ends have crossed: the plain region is closed together with that region.
 * - The end of a scope closes its own region. With it, it closes plain regions inside that were left open, and regions
 *   of inner scopes on the same stack, which longjmp has left.
 * - A region whose scope was in a stack frame that is gone was left by longjmp. It is closed when the collector notices
 *   this. Only addresses on this thread's own stack are judged: on the stack of a coroutine such a region is closed
 *   together with the region around it.
 * - The end of a function closes the entry of its call. Regions of scopes in its frame that are still open were left by
 *   longjmp. A plain region that it opened stays open, and that is no error: a program may call hiera_begin() and
 *   hiera_end() in functions of its own.
 *
 * Begins and ends that do not match are noted (unbalanced.h).
 *
 * A call of a function gets a record only when something inside it is recorded, or when it has taken long enough; a
 * short call is only counted in its parent. So the last entries may be calls without a record (pending). While there
 * are any, the buffer pretends to be full: the next record calls hiera_flush(), which writes the pending records
 * first. */
#pragma once

#include "base/c_library.h"
#include "own_stack.h"
#include "region_names.h"
#include "unkept_regions.h"

/* Number and total time of those calls of one function that were too short for a record. */
typedef struct HieraShort {
    const void *function; /* address of the function; NULL: the entry counts several functions together */
    uint64_t count, ticks;
} HieraShort;

/* Number of functions whose short calls an entry counts one by one; one more HieraShort counts all other functions. */
enum { HIERA_SHORTS = 7 };

typedef struct HieraOpen {
    HieraRecord *record; /* the region's begin in the buffer; NULL: written to the file, or no record yet */
    HieraName *name;     /* name of the region; NULL for a call of a function */
    uintptr_t scope; /* address of the variable whose end closes the region; for a function, its caller's stack pointer;
                        0: plain region */
    uintptr_t floor; /* lowest scope of this entry and all entries around it; UINTPTR_MAX: none has a scope */
    union {
        struct {
            bool has_ended;   /* true if the region's end came while an inner one was open: both close together */
            bool is_filtered; /* true if the region is not recorded: filtered or paused */
            union {
                struct {
                    uint8_t n_shorts;
                    bool is_watched : 1;   /* true if the region's end is reported to observers (watch.h) */
                    bool has_counters : 1; /* true if counters were read at the region's begin (region_counters.h) */
                };
                uint16_t at_end; /* n_shorts and the flags together; 0: the region's end takes only the usual steps */
            };
        };
        uint32_t state; /* all flags of the entry together; 0: none is set */
    };
    const void *function, *site; /* address of the function and call site of its call; NULL for a region */
    uint64_t start; /* start of a function, in ticks; for an assertion, 1 if its thread measures the execution
                       (measured.h), else 0 */
    HieraShort shorts[HIERA_SHORTS + 1];
} HieraOpen;

/* Largest number of calls without a record yet, and the bytes reserved for their records at the end of the buffer. */
enum { HIERA_UNRECORDED_MAX = 256, HIERA_UNRECORDED_ROOM = HIERA_UNRECORDED_MAX * sizeof(HieraFunctionRecord) };

/* The return address that records have as the place of a function: where it was called from, or its own address if the
 * C library has called it. */
static inline const void *hiera_open_place(const HieraOpen *open)
{
    return hiera_is_in_c_library(open->site) ? (const char *)open->function + 1 : open->site;
}

/* Write records into the buffer for all open calls of functions that have none yet. */
void hiera_open_write_pending(HieraThread *thread);

/* Write the counts of short calls of all open entries into the buffer, because the thread or the process ends. */
void hiera_open_put_shorts(HieraThread *thread);

/* Whether a call from stack frame `frame` comes from inside an MPI call or the collector. */
static inline bool hiera_open_is_inside(HieraThread *thread, uintptr_t frame)
{
    if (HIERA_LIKELY(thread->inside == 0))
        return false;
    if (frame < thread->inside || !hiera_open_has_left_call(thread, frame))
        return true;
    hiera_call_left(thread);
    return false;
}

/* Enlarge the stack of open regions. Returns false if there is no memory. */
bool hiera_open_make_room(HieraThread *thread);

/* Close the regions that longjmp has left, as seen from a call with `frame` as the caller's stack pointer. Also close a
 * region whose scope has the same address as the new one, `scope`. */
void hiera_open_close_unwound(HieraThread *thread, uintptr_t frame, uintptr_t scope);

/* Quick test whether longjmp may have left regions. With no open region, open[-1] is an entry without a scope. */
static inline bool hiera_open_has_dead(const HieraThread *thread, uintptr_t frame, uintptr_t scope)
{
    return thread->room_open > 0 && thread->open[(ptrdiff_t)thread->n_open - 1].floor <= (scope ? scope : frame - 1);
}

/* Push the entry of a region that has its record. There must be room for the entry. */
static inline void hiera_open_push(HieraThread *thread, HieraRegionRecord *record, uintptr_t scope)
{
    HieraOpen *open = &thread->open[thread->n_open];
    uintptr_t floor = open[-1].floor;
    open->record = &record->head;
    open->name = record->name;
    open->scope = scope;
    open->floor = scope && scope < floor ? scope : floor;
    open->state = 0;
    open->function = NULL;
    thread->n_recorded = ++thread->n_open;
}

/* Write the record of an end at `to`. */
static inline void hiera_open_fill_end(char *to, uint64_t now)
{
    HieraRecord *record = (HieraRecord *)(void *)to;
    record->bytes = HIERA_END_BYTES;
    record->call = HIERA_RECORD_END;
    record->start = now;
}

/* Write the end of the innermost entry and pop the entry. There must be room for the record of the end. */
static inline void hiera_open_put_end(HieraThread *thread, const HieraOpen *open, uint64_t now)
{
    const uint32_t n_left = thread->n_open - 1;
    if (open->record)
        __atomic_store_n(&open->record->finish, now, __ATOMIC_RELAXED); /* another thread may be writing this record */
    hiera_open_fill_end(thread->next, now);
    hiera_record_take(thread, HIERA_END_BYTES);
    thread->n_recorded = thread->n_open = n_left;
}

/* Whether the end of a region with this scope (0: a plain one) is the usual one: the end of the innermost entry, with
 * nothing else to do, and with room for its record. */
static inline bool hiera_open_end_is_usual(const HieraThread *thread, uintptr_t frame, uintptr_t scope)
{
    const HieraOpen *open = &thread->open[(ptrdiff_t)thread->n_open - 1];
    return HIERA_LIKELY(thread->n_open != 0 && thread->unkept.n == 0 && open->floor > frame - 1 &&
                        open->scope == scope && (scope == 0 || !open->function) && open->state == 0 &&
                        !open[-1].has_ended && (size_t)(thread->limit - thread->next) >= HIERA_END_BYTES);
}

/* Handle an end: of the last plain region; of the last region with that name; of the region with that scope. `site`:
 * call site of the end. */
void hiera_open_end(HieraThread *thread, uintptr_t frame, const void *site);
void hiera_open_end_named(HieraThread *thread, HieraBytes name, uintptr_t frame, const void *site);
void hiera_open_end_scope(HieraThread *thread, uintptr_t scope, uintptr_t frame, const void *site);

/* Close the regions that are open inside an entry whose end has come, unless one of them may still get its own end. */
void hiera_open_leave_inside(HieraThread *thread, const HieraOpen *open);

/* Close the innermost regions as long as their ends have already come. */
void hiera_open_end_ended(HieraThread *thread);

/* Whether `open` is a call from `site` whose stack frame is gone, as seen by a hook with this frame, and the entry
 * around it is not such a call of the same function. */
static inline bool hiera_open_is_gone(const HieraOpen *open, const void *site, uintptr_t frame)
{
    return open->site == site && open->scope < frame &&
           (open[-1].function != open->function || open[-1].scope >= frame);
}

/* Slow paths for begin and end of a function: there is no room, longjmp has left an entry, or the call needs a record.
 */
bool hiera_open_prepare_function(HieraThread *thread, const void *site, uintptr_t frame);
void hiera_open_end_function(HieraThread *thread, const void *function, uintptr_t frame);

/* Handle the end of a function that jumped to the hook of its end, whose frame then differs from that at the begin. */
void hiera_open_end_jumped(HieraThread *thread, const void *function, const void *site, uintptr_t frame);

/* Note all open regions as never ended, because the thread or the process ends. */
void hiera_open_note_all(HieraThread *thread);

/* Forget the names of regions that are not open, if there are too many names. The buffer must have no record, and the
 * lock must be held. Returns true if names were forgotten: then the remaining names have new addresses. */
bool hiera_open_tidy_names(HieraThread *thread);

void hiera_open_free(HieraThread *thread);

/* Return the number of open regions of this thread, without calls of functions. */
uint32_t hiera_open_count(const HieraThread *thread);
