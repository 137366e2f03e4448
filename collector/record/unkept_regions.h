/* Open regions for which there was no memory: HieraUnkept (record.h). The others are in open_regions.h. */
#ifndef HIERA_UNKEPT_REGIONS_H
#define HIERA_UNKEPT_REGIONS_H

#include "record.h"

/* Count an open region for which there is no memory. `scope` is 0 for a plain region. */
typedef enum HieraOpenKind { HIERA_OPEN_PLAIN, HIERA_OPEN_SCOPE, HIERA_OPEN_FUNCTION } HieraOpenKind;
void hiera_open_lose(HieraUnkept *unkept, HieraOpenKind kind, uintptr_t scope);

/* End one of these. Returns false if there is none of that kind: then the end belongs to an entry. */
bool hiera_open_end_lost(HieraUnkept *unkept, HieraOpenKind kind);

/* True if there are none of these when a region begins at a call from `frame`. Forgets those that longjmp has left. */
bool hiera_open_has_kept_all(HieraThread *thread, uintptr_t frame);

/* True if the region may get an entry. */
static inline bool hiera_open_may_keep(HieraThread *thread, uintptr_t frame)
{
    return HIERA_LIKELY(thread->unkept.n == 0) || hiera_open_has_kept_all(thread, frame);
}

/* An end of that kind, when there may be such regions. */
bool hiera_unkept_end_one(HieraThread *thread, HieraOpenKind kind, uintptr_t frame);

/* An end of that kind. Returns false if it belongs to an entry. */
static inline bool hiera_unkept_end(HieraThread *thread, HieraOpenKind kind, uintptr_t frame)
{
    return HIERA_UNLIKELY(thread->unkept.n != 0) && hiera_unkept_end_one(thread, kind, frame);
}

#endif
