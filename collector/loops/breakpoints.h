/* Code is changed while other threads run, by breakpoints: no thread is stopped. x86-64 alone.
 *
 * First one byte of each instruction that is to change becomes a breakpoint (int3), and all processors are told
 * (membarrier). A thread that meets one goes on where it is sent. When no thread can be at an instruction inside
 * (thread_places.h), the bytes behind the first one are written, and at last the first one, each time with the word to
 * all processors. Bytes are written through /proc/self/mem.
 *
 * Meanwhile SIGTRAP has a handler of ours; other traps do what they do without it. It goes when no thread can be on its
 * way to it. Nothing is done if the program handles SIGTRAP itself, if a thread blocks it (a breakpoint would end the
 * process), if there is a debugger, or if a child of vfork uses the memory. A thread that blocks SIGTRAP later is seen
 * some tenths of a millisecond afterwards, which ends the change: it must not execute the code before. */
#ifndef HIERA_BREAKPOINTS_H
#define HIERA_BREAKPOINTS_H

#include "dtd/plan.h"

#include <stddef.h>
#include <stdint.h>

/* Bytes of code that become others. */
typedef struct HieraRewritten {
    uintptr_t at;
    unsigned char before[HIERA_PLAN_JUMP], after[HIERA_PLAN_JUMP];
    uintptr_t to[HIERA_PLAN_JUMP]; /* where a thread goes on that is at this byte; 0: no instruction begins there. The
                                      first one is never 0 */
} HieraRewritten;

/* Rewrite all, or none. Threads may still be sent where `to` says until the next time. Not for signal handlers; one
 * thread at a time.
 *
 * @param ns  receives how long there were breakpoints; may be NULL
 * @return    NULL, or why nothing was done */
const char *hiera_breakpoints_rewrite(const HieraRewritten *all, size_t n, uint64_t *ns);

/* In a child of fork, which has breakpoints as its parent had: the code becomes what it was before. */
void hiera_breakpoints_in_child(void);

#endif
