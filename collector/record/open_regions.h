/* What is open in a thread, and what an end ends.
 *
 * Regions of a program need not nest: ends are forgotten, come too often or in the wrong order, and longjmp and
 * exceptions pass them by. The trace is a tree all the same. Each open region has an entry here, also when its record
 * was written long ago, and the rules are:
 *
 * - A plain end (hiera_end) ends the plain region that was opened last. It never ends one that ends by itself, with its
 *   scope: if such a one is in between, the ends crossed, and the plain region ends together with that.
 * - The end of a scope ends its own region, and with it the plain ones in it that were left open, and those of scopes
 * of the same stack: they were left by longjmp.
 * - A region whose scope lay in a stack frame that is gone was left by longjmp: it ends when that is seen. Only
 * addresses of this thread's own stack tell: on stacks of coroutines nothing is concluded, and such a region ends with
 * what is around it.
 *
 * - The end of a function ends the entry of its own call; what its frame held and is still open was left by longjmp. A
 *   plain region that it opened, or ended, outlasts it: functions of the program may stand around hiera_begin() and
 *   hiera_end(), and then nothing is wrong.
 *
 * What did not fit is noted (unbalanced.h).
 *
 * A call of a function has no record until something is recorded in it or it has taken long enough: a short one leaves
 * nothing but a count in its parent. So the last entries may be such calls; a record that is begun anywhere finds no
 * room in the buffer as long as they are there, and hiera_flush() has them told first. */
#ifndef HIERA_OPEN_REGIONS_H
#define HIERA_OPEN_REGIONS_H

#include "region_names.h"

/* Calls of a function that were too short. */
typedef struct HieraShort {
    const void *function; /* NULL: of several */
    uint64_t count, ticks;
} HieraShort;

/* Functions that are counted one by one in each parent, and all others. */
enum { HIERA_SHORTS = 7 };

typedef struct HieraOpen {
    HieraRecord *record; /* NULL: no longer in the buffer, or not yet */
    HieraName *name;     /* of a region, else NULL */
    uintptr_t
        scope; /* where the variable lies that ends it; of a function its caller's stack pointer; 0: it is plain */
    uintptr_t floor; /* the lowest of the scopes from here outwards; UINTPTR_MAX without any */
    bool has_ended;  /* it ends with the next one */
    bool is_hidden;  /* a function that is not to be recorded */
    uint8_t n_shorts;
    const void *function, *site; /* of a function, else NULL */
    uint64_t start;
    HieraShort shorts[HIERA_SHORTS + 1];
} HieraOpen;

/* Calls that have no record yet, and what is kept for them at the end of the buffer. */
enum { HIERA_UNTOLD_MAX = 256, HIERA_UNTOLD_ROOM = HIERA_UNTOLD_MAX * sizeof(HieraFunctionRecord) };

/* Give them their records. */
void hiera_open_write_pending(HieraThread *thread);

/* What was counted, in all that is open: the thread or the process ends. */
void hiera_open_put_shorts(HieraThread *thread);

/* Was the MPI call in progress left by longjmp, so that a call from `frame` is not within it? Not known on another
 * stack than the thread's own, on which a signal handler may run: then it was not. */
bool hiera_open_has_left_call(HieraThread *thread, uintptr_t frame);

/* Is a call from `frame` within an MPI call, or within the collector? */
static inline bool hiera_open_is_inside(HieraThread *thread, uintptr_t frame)
{
    return HIERA_UNLIKELY(thread->inside != 0) && (frame < thread->inside || !hiera_open_has_left_call(thread, frame));
}

/* Room for one more; false without memory. */
bool hiera_open_make_room(HieraThread *thread);

/* One more is open that could not be kept: plain (scope 0), of a scope, a function. It is lost. */
typedef enum HieraOpenKind { HIERA_OPEN_PLAIN, HIERA_OPEN_SCOPE, HIERA_OPEN_FUNCTION } HieraOpenKind;
void hiera_open_lose(HieraUnkept *unkept, HieraOpenKind kind, uintptr_t scope);

/* Has one of them ended? Then nothing else has. */
bool hiera_open_end_lost(HieraUnkept *unkept, HieraOpenKind kind);

/* Are there none of them, now that a region begins at a call from `frame`? Those that longjmp has left do not count. */
bool hiera_open_has_kept_all(HieraThread *thread, uintptr_t frame);

/* May that region be kept? */
static inline bool hiera_open_may_keep(HieraThread *thread, uintptr_t frame)
{
    return HIERA_LIKELY(thread->unkept.n == 0) || hiera_open_has_kept_all(thread, frame);
}

/* End those that were left by longjmp, as seen from a call from `frame`, the caller's stack pointer; a scope that is
 * opened where one still is, too. */
void hiera_open_close_unwound(HieraThread *thread, uintptr_t frame, uintptr_t scope);

/* May there be any? Beside the outermost entry stands one for what is around it, without a scope. */
static inline bool hiera_open_has_dead(const HieraThread *thread, uintptr_t frame, uintptr_t scope)
{
    return thread->room_open > 0 && thread->open[(ptrdiff_t)thread->n_open - 1].floor <= (scope ? scope : frame - 1);
}

/* Open a region whose record has been made. The room for it is there. */
static inline void hiera_open_push(HieraThread *thread, HieraRegionRecord *record, uintptr_t scope)
{
    HieraOpen *open = &thread->open[thread->n_open];
    uintptr_t floor = open[-1].floor;
    open->record = &record->head;
    open->name = record->name;
    open->scope = scope;
    open->floor = scope && scope < floor ? scope : floor;
    open->has_ended = false;
    open->n_shorts = 0;
    open->function = NULL;
    thread->n_told = ++thread->n_open;
}

/* Ends: a plain one; of the region of that name, opened last; of that scope. `site` is where it stands. */
void hiera_open_end(HieraThread *thread, uintptr_t frame, const void *site);
void hiera_open_end_named(HieraThread *thread, HieraBytes name, uintptr_t frame, const void *site);
void hiera_open_end_scope(HieraThread *thread, uintptr_t scope, uintptr_t frame, const void *site);

/* End those whose end was before, now that nothing is open in them. */
void hiera_open_end_ended(HieraThread *thread);

/* Begin and end of a call of a function, where it is not the usual case: room is missing, something is left over, or it
 * needs a record. */
bool hiera_open_prepare_function(HieraThread *thread, const void *site, uintptr_t frame);
void hiera_open_end_function(HieraThread *thread, const void *function, uintptr_t frame);

/* The thread or the process ends: note what is open. */
void hiera_open_note_all(HieraThread *thread);

/* No record of the buffer is left: forget the names of regions that are not open, if there are too many. Returns
 * whether it did: then none stands where it stood. With the session's lock held. */
bool hiera_open_tidy_names(HieraThread *thread);

void hiera_open_free(HieraThread *thread);

#endif
