#include "own_stack.h"

#include "base/proc_maps.h"

#include <errno.h>
#include <pthread.h>
#include <sys/auxv.h>

/* Find the bounds of the thread's own stack. The main thread's stack contains the data at AT_RANDOM and may grow. The
 * stack of another thread ends at its thread descriptor. */
static void find_stack(HieraThread *thread)
{
    enum { LARGEST_MAIN = 64 << 20 };
    bool is_main = thread->number == 0;
    uintptr_t at = is_main ? (uintptr_t)getauxval(AT_RANDOM) : (uintptr_t)pthread_self();
    HieraMapping mapping;
    int saved_errno = errno;
    bool known = at != 0 && hiera_maps_find(at, &mapping);
    errno = saved_errno;
    thread->stack_begin = thread->stack_end = 1;
    if (!known)
        return;
    thread->stack_end = is_main ? mapping.end : at;
    thread->stack_begin = is_main ? mapping.end - LARGEST_MAIN : mapping.begin;
}

bool hiera_stack_has(HieraThread *thread, uintptr_t at)
{
    if (thread->stack_end == 0)
        find_stack(thread);
    return at >= thread->stack_begin && at < thread->stack_end;
}

bool hiera_open_has_left_call(HieraThread *thread, uintptr_t frame)
{
    return frame >= thread->inside && hiera_stack_has(thread, thread->inside) && hiera_stack_has(thread, frame);
}
