/* Open regions for which there was no memory: HieraUnkept (record.h). The others are in open_regions.h.
 * And those of a child of fork from before it began MPI: of its parent, or not recorded (process/children.h). */
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

/* Of a child of fork. Their ends come when no later region is open any more. */
typedef struct HieraForked {
    uint32_t open;
    uint64_t missed; /* how many began while it slept */
} HieraForked;
extern HieraForked hiera_forked;

/* In the child: this thread goes on with the open regions of the parent's. NULL: there was none. */
void hiera_forked_take_open(const HieraThread *thread);

/* An end. Returns whether it is of one of these. */
bool hiera_forked_end(void);

#endif
