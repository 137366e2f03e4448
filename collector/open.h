/* What is open in a thread, and what an end ends.
 *
 * Regions of a program need not nest: ends are forgotten, come too often or in the wrong order, and longjmp and
 * exceptions pass them by. The trace is a tree all the same. Each open region has an entry here, also when its record
 * was written long ago, and the rules are:
 *
 * - A plain end (hiera_end) ends the plain region that was opened last. It never ends one that ends by itself, with its
 *   scope: if such a one is in between, the ends crossed, and the plain region ends together with that.
 * - The end of a scope ends its own region, and with it the plain ones in it that were left open, and those of scopes of
 *   the same stack: they were left by longjmp.
 * - A region whose scope lay in a stack frame that is gone was left by longjmp: it ends when that is seen. Only
 * addresses of this thread's own stack tell: on stacks of coroutines nothing is concluded, and such a region ends with
 * what is around it.
 *
 * What did not fit is noted (balance.h). */
#ifndef HIERA_OPEN_H
#define HIERA_OPEN_H

#include "names.h"

typedef struct HieraOpen {
    HieraRegionRecord *record; /* NULL: no longer in the buffer */
    HieraName *name;
    uintptr_t scope; /* where the variable lies that ends it; 0: it is plain */
    uintptr_t floor; /* the lowest of the scopes from here outwards; UINTPTR_MAX without any */
    bool has_ended;  /* it ends with the next one */
} HieraOpen;

/* Room for one more; false without memory. */
bool hiera_open_make_room(HieraThread *thread);

/* End those that were left by longjmp, as seen from a call from `frame`, the caller's stack pointer; a scope that is
 * opened where one still is, too. */
void hiera_open_bury(HieraThread *thread, uintptr_t frame, uintptr_t scope);

/* May there be any? */
static inline bool hiera_open_has_dead(const HieraThread *thread, uintptr_t frame, uintptr_t scope)
{
    return thread->n_open > 0 && thread->open[thread->n_open - 1].floor <= (scope ? scope : frame - 1);
}

/* Open one whose record has been made. The room for it is there. */
static inline void hiera_open_push(HieraThread *thread, HieraRegionRecord *record, uintptr_t scope)
{
    HieraOpen *open = &thread->open[thread->n_open];
    uintptr_t floor = thread->n_open > 0 ? open[-1].floor : UINTPTR_MAX;
    *open = (HieraOpen){.record = record, .name = record->name, .scope = scope};
    open->floor = scope && scope < floor ? scope : floor;
    thread->n_open++;
}

/* Ends: a plain one; of the region of that name, opened last; of that scope. `site` is where it stands. */
void hiera_open_end(HieraThread *thread, uintptr_t frame, const void *site);
void hiera_open_end_named(HieraThread *thread, HieraBytes name, uintptr_t frame, const void *site);
void hiera_open_end_scope(HieraThread *thread, uintptr_t scope, uintptr_t frame, const void *site);

/* The thread or the process ends: note what is open. */
void hiera_open_note_all(HieraThread *thread);

void hiera_open_free(HieraThread *thread);

#endif
