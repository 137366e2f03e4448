/* A plan in force: copies of functions are in memory, and the functions are redirected to them. See dtd/plan.h.
 *
 * Not for signal handlers. One thread at a time. */
#pragma once

#include "plan_check.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HieraMoved {
    const HieraPlan *plan;
    uintptr_t base; /* load address of the file whose functions are copied */
    char *area;
    size_t area_bytes; /* bytes of the mapping: copies, then their unwind information */
    bool is_in_force;
} HieraMoved;

/* Values of this process that are inserted into copies of functions. */
typedef struct HieraMovedContext {
    uint32_t first_function, first_loop; /* numbers that events use for the plan's first function and first loop */
    const void *event;                   /* address of the code that copies call at events */
    const void *unwind;                  /* address of the personality routine of copies, for exceptions */
    const ptrdiff_t *locals;             /* by HieraPlanLocal: distance from the thread pointer to number 0 */
} HieraMovedContext;

/* Put copies into memory near the file that is loaded at `base`. Nothing is redirected yet. hiera_moved_free() removes
 * them.
 *
 * @return  NULL, or why it is not possible */
const char *hiera_moved_place(HieraMoved *moved, const HieraPlan *plan, uintptr_t base,
                              const HieraMovedContext *context);

/* Redirect the functions to the copies; undo that and check that each byte is as before. No other thread may run
 * meanwhile. Copies stay where they are: a thread may return into one.
 *
 * @return  NULL, or what has failed */
const char *hiera_moved_redirect(HieraMoved *moved);
const char *hiera_moved_undo(HieraMoved *moved);

/* How other threads are kept away from code that is changed while they run: they are stopped for a moment
 * (stop_threads.h), or, where the system forbids that, breakpoints are set (breakpoints.h). The second way needs a
 * signal handler in the program for a moment. */
typedef enum HieraMovedBy { HIERA_MOVED_BY_ANY, HIERA_MOVED_BY_STOPS, HIERA_MOVED_BY_BREAKPOINTS } HieraMovedBy;
extern HieraMovedBy hiera_moved_by;

/* As above, while other threads run. A thread inside a function stays in the original until the function ends, unless
 * it comes to a jump table or a breakpoint.
 *
 * @param ns  receives for how long threads were stopped, or there were breakpoints; may be NULL */
const char *hiera_moved_redirect_running(HieraMoved *moved, uint64_t *ns);
const char *hiera_moved_undo_running(HieraMoved *moved, uint64_t *ns);

/* Unmap the copies. No thread may execute them, or return to them. */
void hiera_moved_free(HieraMoved *moved);

/* Whether an address is in a copy. If so, it is converted to the original: the same instruction or, for an address
 * inside or behind it, the address behind that instruction. Safe in a signal handler. */
bool hiera_moved_original(const HieraMoved *moved, uintptr_t *address);
