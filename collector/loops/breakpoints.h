/* Changes code with breakpoints while other threads run: no thread is stopped. Only on x86-64.
 *
 * First one byte of each instruction that is to change becomes a breakpoint (int3), and all processors are notified
 * (membarrier). A thread that executes one continues at an address that the caller gives. When no thread can be at an
 * instruction inside (thread_places.h), the bytes behind the first one are written, and at last the first one; each
 * time all processors are notified. Bytes are written through /proc/self/mem.
 *
 * Meanwhile SIGTRAP has a handler of Hiera's; other traps have their usual effect. The handler is removed when no
 * thread can be about to enter it. Nothing is done if the program handles SIGTRAP itself, if a thread blocks it (a
 * breakpoint would end the process), if there is a debugger, or if a child of vfork uses the memory. A thread that
 * blocks SIGTRAP later is noticed some tenths of a millisecond afterwards, which ends the change: it must not execute
 * the code before. */
#pragma once

#include "dtd/plan.h"

#include <stddef.h>
#include <stdint.h>

/* A place in the code whose HIERA_PLAN_JUMP bytes are replaced. */
typedef struct HieraRewritten {
    uintptr_t at;
    unsigned char before[HIERA_PLAN_JUMP], after[HIERA_PLAN_JUMP];
    uintptr_t to[HIERA_PLAN_JUMP]; /* for each byte, where a thread continues that is at this byte; 0: no instruction
                                      begins there. The first one is never 0 */
} HieraRewritten;

/* Rewrite all places, or none. Threads may still be sent to addresses in `to` until the next call. Not for signal
 * handlers; one thread at a time.
 *
 * @param ns  receives for how long there were breakpoints; may be NULL
 * @return    NULL, or why nothing was done */
const char *hiera_breakpoints_rewrite(const HieraRewritten *all, size_t n, uint64_t *ns);

/* In a child of fork: undo the breakpoints that the parent had set at the moment of the fork. */
void hiera_breakpoints_in_child(void);
