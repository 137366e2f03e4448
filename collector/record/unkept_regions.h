/* Open regions for which there was no memory: HieraUnkept (record.h). Regions with an entry are in open_regions.h. */
#pragma once

#include "record.h"

/* Count an open region for which there is no memory. `scope` is 0 for a plain region. */
typedef enum HieraOpenKind { HIERA_OPEN_PLAIN, HIERA_OPEN_SCOPE, HIERA_OPEN_FUNCTION } HieraOpenKind;
void hiera_open_lose(HieraUnkept *unkept, HieraOpenKind kind, uintptr_t scope);

/* End one region of that kind that has no entry. Returns false if there is none: then the end belongs to an entry. */
bool hiera_open_end_lost(HieraUnkept *unkept, HieraOpenKind kind);

/* True if no region around a region that begins at a call from `frame` lacks an entry. Forgets regions that longjmp has
 * left. */
bool hiera_open_has_kept_all(HieraThread *thread, uintptr_t frame);

/* True if a region that begins now may get an entry. */
static inline bool hiera_open_may_keep(HieraThread *thread, uintptr_t frame)
{
    return HIERA_LIKELY(thread->unkept.n == 0) || hiera_open_has_kept_all(thread, frame);
}

/* Handle an end of that kind, when there may be regions without an entry. */
bool hiera_unkept_end_one(HieraThread *thread, HieraOpenKind kind, uintptr_t frame);

/* Handle an end of that kind. Returns false if it belongs to an entry. */
static inline bool hiera_unkept_end(HieraThread *thread, HieraOpenKind kind, uintptr_t frame)
{
    return HIERA_UNLIKELY(thread->unkept.n != 0) && hiera_unkept_end_one(thread, kind, frame);
}
