/* Waits for other threads, recorded when they are over: for libraries of wrappers (collector/levels/). Most waits are
 * too short to tell anything, and a program may have millions of them. */
#include "region_steps.h"

enum { LEAST_NS = 10000 }; /* shorter waits are not recorded */

#define EXPORTED __attribute__((visibility("default")))

EXPORTED uint64_t hiera_level_now(void);
EXPORTED void hiera_level_waited(const void *site, const char *level, const char *name, uint64_t start);

uint64_t hiera_level_now(void)
{
    return hiera_clock_ticks();
}

/* The region begins now for all who observe it; in the trace it begins when the wait began. */
static void record(HieraThread *thread, HieraName *name, uint64_t start)
{
    hiera_region_open(thread, name, 0, 0);
    HieraRecord *begin = thread->open[thread->n_open - 1].record;
    if (begin)
        begin->start = start;
}

void hiera_level_waited(const void *site, const char *level, const char *name, uint64_t start)
{
    const uintptr_t frame = HIERA_FRAME;
    if (hiera_clock_ticks() - start < hiera_clock_ticks_of(LEAST_NS))
        return;
    HieraThread *thread = hiera_thread_current();
    if (!thread || !hiera_region_enter(thread, frame)) /* an MPI call has nothing inside */
        return;
    HieraName *known = NULL;
    if (hiera_region_make_room(thread, 0, frame, 0))
        known = hiera_name_find_text(thread, site, level, name);
    if (known) {
        record(thread, known, start);
        hiera_open_end(thread, frame, site);
    } else {
        thread->lost_open++;
    }
    hiera_region_leave(thread);
}
