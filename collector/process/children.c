#include "children.h"

#include "attach/attach.h"
#include "base/life.h"
#include "base/lock.h"
#include "counters/counters.h"
#include "document/session_state.h"
#include "folder/claim.h"
#include "generations.h"
#include "helper/helper.h"
#include "hiera.h"
#include "loops/breakpoints.h"
#include "loops/search.h"
#include "memory/kept_heap.h"
#include "memory/kept_memory.h"
#include "probing/shared_globals.h"
#include "record/forked_regions.h"
#include "record/measured.h"
#include "record/open_regions.h"
#include "sampling/sampling.h"
#include "survive.h"
#include "threads.h"

#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

static int closings; /* how many of the increments of hiera_idle were made by in_child() */
static volatile bool
    *have_job; /* shared by parent and children: whether one of them has begun MPI; NULL: there are no children */

/* Before a fork: share a flag by which a child says that it has begun MPI; not needed if this process is a rank. */
static void prepare(void)
{
    int saved_errno = errno;
    if (!have_job && !hiera_life.joined && !hiera_life.closed) {
        void *memory = mmap(NULL, sizeof *have_job, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        have_job = memory == MAP_FAILED ? NULL : memory;
    }
    errno = saved_errno;
}

/* Close the collector in a forked child, which must never write to the file descriptors that it has of its parent. */
static void in_child(void)
{
    bool is_fresh = !hiera_life.joined && !hiera_life.closed && !hiera_session.main;
    bool has_own_memory = hiera_kept_in_child();
    hiera_kept_heap_in_child();
    if (hiera_thread) /* only for this thread: the fork may have come while another thread changed its state */
        hiera_measure_stop(hiera_thread);
    hiera_counters_end_thread();
    hiera_helper_in_child();
    hiera_globals_in_child();
    hiera_sampling_in_child();
    hiera_attach_in_child();
    hiera_breakpoints_in_child();
    hiera_search_in_child();
    hiera_forked.open += hiera_thread ? hiera_open_count(hiera_thread) : 0;
    hiera_life.closed = true;
    hiera_thread = NULL;
    hiera_trace_file_leave_to_parent(hiera_session.main);
    hiera_generations_leave_to_parent();
    hiera_claim_leave_to_parent();
    __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
    closings++;
    hiera_life.asleep = (is_fresh || hiera_life.asleep) && has_own_memory && !hiera_lock_is_own();
}

void hiera_children_load(void)
{
    pthread_atfork(prepare, NULL, in_child);
}

bool hiera_children_have_job(void)
{
    return have_job && *have_job;
}

/* Begin to record in a forked child. The parent's records, also those of this thread, stay with the parent. */
void hiera_children_wake(void)
{
    if (!hiera_life.asleep)
        return;
    hiera_life.asleep = false;
    if (have_job)
        *have_job = true;
    have_job = NULL;
    hiera_lock_renew();
    hiera_session = (HieraSession){.dir = hiera_session.dir};
    hiera_threads_renew();
    hiera_survive_renew();
    hiera_life.pid = getpid();
    hiera_life.closed = false;
    __atomic_sub_fetch(&hiera_idle, closings, __ATOMIC_ACQ_REL);
    closings = 0;
    hiera_helper_go_on();
    hiera_sampling_load();
    hiera_search_load();
    hiera_thread_attach(); /* in other processes MPI_Init does this before */
}
