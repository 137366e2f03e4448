/* The steps in which a region begins and ends, shared by region.c and assertion.c. All are inlined into the functions
 * that programs call. */
#pragma once

#include "base/life.h"
#include "forked_regions.h"
#include "open_regions.h"
#include "unbalanced.h"

/* Stack pointer of the caller, which is below all variables of the caller. */
#define HIERA_FRAME ((uintptr_t)__builtin_dwarf_cfa())
#define HIERA_SITE  __builtin_return_address(0)

/* Return a Fortran text without its trailing blanks; `bytes` NULL if the argument is absent. */
static inline HieraBytes hiera_region_bytes_of_padded(const char *bytes, size_t length)
{
    while (bytes && length > 0 && bytes[length - 1] == ' ')
        length--;
    return (HieraBytes){bytes, !bytes ? 0 : length > HIERA_REGION_TEXT_MAX ? HIERA_REGION_TEXT_MAX : length};
}

/* Enter the collector. Returns false in a callback of MPI, where no region may begin or end: an MPI call has no
 * children in the trace. Until hiera_region_leave(), a signal handler records nothing. */
static inline bool hiera_region_enter(HieraThread *thread, uintptr_t frame)
{
    if (hiera_open_is_inside(thread, frame))
        return false;
    thread->inside = frame;
    return true;
}

static inline void hiera_region_leave(HieraThread *thread)
{
    thread->inside = 0;
}

/* Make room for a record with `args` bytes of arguments, and for an entry in the stack of open regions. */
static inline bool hiera_region_make_room(HieraThread *thread, size_t args, uintptr_t frame, uintptr_t scope)
{
    if (HIERA_UNLIKELY(hiera_open_has_dead(thread, frame, scope)))
        hiera_open_close_unwound(thread, frame, scope);
    return hiera_open_may_keep(thread, frame) &&
           (HIERA_LIKELY(thread->n_open < thread->room_open) || hiera_open_make_room(thread)) &&
           hiera_record_room(thread, HIERA_REGION_BYTES(args));
}

/* Where a region begins. */
typedef struct HieraRegionPlace {
    uintptr_t frame, scope; /* stack frame of the caller; address of the scope's variable, 0 for a plain region */
    const void *site;
} HieraRegionPlace;

/* Enter the collector for the usual region: one with known constant texts, with room for its record and for `args`
 * bytes of arguments, and with nothing else to do. Calls no function. Returns NULL for any other region; then the
 * collector is left again. */
static inline HieraName *hiera_region_enter_usual(HieraThread *thread, const char *level, const char *name,
                                                  HieraRegionPlace place, size_t args)
{
    if (HIERA_UNLIKELY(thread->inside != 0))
        return NULL;
    thread->inside = place.frame;
    bool has_room = thread->n_open < thread->room_open && !hiera_open_has_dead(thread, place.frame, place.scope) &&
                    thread->unkept.n == 0 && (size_t)(thread->limit - thread->next) >= HIERA_REGION_BYTES(args);
    HieraName *known = HIERA_LIKELY(has_room) ? hiera_name_of_constants(thread, place.site, level, name) : NULL;
    if (HIERA_LIKELY(known && (hiera_may_be_idle() | known->unusual) == 0))
        return known;
    hiera_region_leave(thread);
    return NULL;
}

/* The region has its entry, but recording is off or its name has flags: mark the region as not recorded, or report it
 * to its observers. Returns the new place of the record. */
HieraRegionRecord *hiera_region_open_unusual(HieraThread *thread, HieraRegionRecord *record);

/* Make the record of a region. The arguments are in it already; its time is not set, and the record is not yet taken
 * into the trace. */
static inline HieraRegionRecord *hiera_region_fill(HieraThread *thread, HieraName *name, size_t args_length)
{
    HieraRegionRecord *record = (HieraRegionRecord *)(void *)thread->next;
    record->name = name;
    record->args_length = (uint32_t)args_length;
    record->head.bytes = (uint32_t)HIERA_REGION_BYTES(args_length);
    record->head.call = HIERA_RECORD_REGION;
    record->head.site = name->site;
    record->head.finish = 0;
    record->args[args_length] = '\0';
    return record;
}

/* Make the record of a region, and its entry. */
static inline HieraRegionRecord *hiera_region_prepare(HieraThread *thread, HieraName *name, size_t args_length,
                                                      uintptr_t scope)
{
    HieraRegionRecord *record = hiera_region_fill(thread, name, args_length);
    hiera_open_push(thread, record, scope);
    return record;
}

/* Make entry and record of a region, which begins now. */
static inline void hiera_region_open(HieraThread *thread, HieraName *name, size_t args_length, uintptr_t scope)
{
    HieraRegionRecord *record = hiera_region_prepare(thread, name, args_length, scope);
    if (HIERA_UNLIKELY(hiera_may_be_idle() | name->unusual))
        record = hiera_region_open_unusual(thread, record);
    record->head.start = hiera_clock_ticks();
    hiera_record_take(thread, record->head.bytes);
}

static inline void hiera_region_lose_inside(HieraThread *thread)
{
    thread->inside_regions++;
    thread->lost_inside++;
}

static inline void hiera_region_lose_open(HieraThread *thread, uintptr_t scope)
{
    thread->lost_open++;
    hiera_open_lose(&thread->unkept, scope ? HIERA_OPEN_SCOPE : HIERA_OPEN_PLAIN, scope);
}

/* Count a region that begins while there is no memory for the state of the thread. hiera_thread_attach() has counted
 * the loss. */
static inline void hiera_region_lose_unattached(uintptr_t scope)
{
    hiera_forked.open += hiera_life.asleep;
    hiera_forked.missed += hiera_life.asleep;
    if (!hiera_life.closed)
        hiera_open_lose(&hiera_unattached, scope ? HIERA_OPEN_SCOPE : HIERA_OPEN_PLAIN, scope);
}

/* Enter the collector at the end of a region. Returns the thread; NULL: there is no region to end. */
static inline HieraThread *hiera_region_enter_end(HieraOpenKind kind, uintptr_t frame, const void *site)
{
    HieraThread *thread = hiera_thread;
    if (HIERA_UNLIKELY(!thread)) {
        if (hiera_open_end_lost(&hiera_unattached, kind))
            return NULL;
        thread = hiera_thread_attach();
    }
    if (HIERA_UNLIKELY(!thread)) {
        if (hiera_life.asleep)
            hiera_forked_end();
        return NULL;
    }
    if (HIERA_LIKELY(hiera_region_enter(thread, frame)))
        return thread;
    if (thread->inside_regions > 0)
        thread->inside_regions--;
    else
        hiera_balance_note(thread, HIERA_IMBALANCE_ALONE, NULL, site);
    return NULL;
}
