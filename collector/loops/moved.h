/* A plan in force: copies of functions are in memory, and the functions are redirected to them. See plan/plan.h.
 *
 * Not for signal handlers. One thread at a time. */
#ifndef HIERA_MOVED_H
#define HIERA_MOVED_H

#include "plan_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraMoved {
    const HieraPlan *plan;
    uintptr_t base; /* of the file in memory */
    char *area;
    size_t area_bytes; /* of the mapping: the copies, and behind them the frames */
    bool is_in_force;
} HieraMoved;

/* What the collector adds to a plan. */
typedef struct HieraMovedContext {
    uint32_t first_function, first_loop; /* number of the plan's first ones in events */
    const void *event;                   /* code that events call */
    const void *unwind;                  /* the personality routine of copies (HieraPlanUnwound) */
    ptrdiff_t
        counters; /* distance of the first counter (timing.h) from a thread's pointer; eight bytes for each loop */
} HieraMovedContext;

/* Put copies into memory near the file that is loaded at `base`. Nothing is redirected yet. `moved` is undone by
 * hiera_moved_free().
 *
 * @return  NULL, or why it is not possible */
const char *hiera_moved_place(HieraMoved *moved, const HieraPlan *plan, uintptr_t base,
                              const HieraMovedContext *context);

/* Redirect the functions, or undo that and look whether each byte is as it was. No other thread may run meanwhile. A
 * copy stays where it is: a thread may come back into it.
 *
 * @return  NULL, or what has failed */
const char *hiera_moved_redirect(HieraMoved *moved);
const char *hiera_moved_undo(HieraMoved *moved);

/* How threads are kept out of what is written while they run: they are stopped for a moment (stop_threads.h), or, where
 * the system does not allow that, meet breakpoints (breakpoints.h). The second way needs a signal handler in the
 * program for a moment. */
typedef enum HieraMovedBy { HIERA_MOVED_BY_ANY, HIERA_MOVED_BY_STOPS, HIERA_MOVED_BY_BREAKPOINTS } HieraMovedBy;
extern HieraMovedBy hiera_moved_by;

/* The same while other threads run. One that is in a function stays in the original until that ends, unless it meets a
 * table of jumps, or breakpoints.
 *
 * @param ns  receives how long they were stopped, or there were breakpoints; may be NULL */
const char *hiera_moved_redirect_running(HieraMoved *moved, uint64_t *ns);
const char *hiera_moved_undo_running(HieraMoved *moved, uint64_t *ns);

/* Remove the copies. No thread may be in them, or come back. */
void hiera_moved_free(HieraMoved *moved);

/* Is this address in a copy? Then it becomes that of the original: of the same instruction, or, inside of or behind it,
 * the address behind that. Safe in a signal handler. */
bool hiera_moved_original(const HieraMoved *moved, uintptr_t *address);

#endif
