/* Counts open regions (HieraUnkept, record.h) for whose entries (open_regions.h) there is no memory. */
#pragma once

#include "record.h"

/* How an open region ends: by hiera_end(), with a variable of the program, or with an instrumented function. */
typedef enum HieraOpenKind { HIERA_OPEN_PLAIN, HIERA_OPEN_SCOPE, HIERA_OPEN_FUNCTION } HieraOpenKind;

/* Count an open region for which there is no memory. `scope` is 0 for a plain region. */
void hiera_open_lose(HieraUnkept *unkept, HieraOpenKind kind, uintptr_t scope);

/* Count the end of a region of this kind that has no entry. Returns false if all of this kind have entries. */
bool hiera_open_end_lost(HieraUnkept *unkept, HieraOpenKind kind);

/* True if no region around a region that begins at a call from `frame` lacks an entry. Forgets regions that longjmp has
 * left. */
bool hiera_open_has_kept_all(HieraThread *thread, uintptr_t frame);

/* Whether a region that begins now may get an entry in the stack of open regions: all regions around it have one. */
static inline bool hiera_open_may_keep(HieraThread *thread, uintptr_t frame)
{
    return HIERA_LIKELY(thread->unkept.n == 0) || hiera_open_has_kept_all(thread, frame);
}

/* Count the end of a region of this kind when some regions may have no entry. Returns false if its region has one. */
bool hiera_unkept_end_one(HieraThread *thread, HieraOpenKind kind, uintptr_t frame);

/* Count the end of a region of this kind that has no entry. Returns false if its region has an entry. */
static inline bool hiera_unkept_end(HieraThread *thread, HieraOpenKind kind, uintptr_t frame)
{
    return HIERA_UNLIKELY(thread->unkept.n != 0) && hiera_unkept_end_one(thread, kind, frame);
}
