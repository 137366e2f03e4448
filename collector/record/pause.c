/* Times in which recording was off, and the number of MPI calls in them. See pause.h.
 *
 * The writer may read the entries in a signal handler: so an entry is complete before it is counted, and no function
 * here waits. */
#include "pause.h"

#include "base/kept.h"
#include "hiera.h"
#include "record.h"

enum { PAUSES = 64 }; /* number of entries; further pauses are added to the last entry */

int hiera_idle;

static int depth; /* how often hiera_pause() was called without hiera_resume() yet */
static HieraPause pauses[PAUSES] HIERA_KEPT;
static unsigned n_pauses HIERA_KEPT; /* number of pauses, including those added to the last entry */

static HieraPause *last_pause(void)
{
    unsigned n = __atomic_load_n(&n_pauses, __ATOMIC_ACQUIRE);
    return n == 0 ? NULL : &pauses[n < PAUSES ? n - 1 : PAUSES - 1];
}

static void note_begin(void)
{
    unsigned n = n_pauses;
    HieraPause *pause = &pauses[n < PAUSES ? n : PAUSES - 1];
    uint64_t now = hiera_clock_ticks();
    if (n < PAUSES)
        pause->begin = now;
    pause->times++;
    pause->end = 0;
    __atomic_store_n(&n_pauses, n + 1, __ATOMIC_RELEASE);
}

static void set_end(uint64_t ticks)
{
    HieraPause *pause = last_pause();
    if (pause)
        __atomic_store_n(&pause->end, ticks, __ATOMIC_RELEASE);
}

void hiera_pause_note_call(void)
{
    HieraPause *pause = __atomic_load_n(&depth, __ATOMIC_RELAXED) > 0 ? last_pause() : NULL;
    if (pause)
        __atomic_add_fetch(&pause->calls, 1, __ATOMIC_RELAXED);
}

void hiera_pause(void)
{
    if (__atomic_fetch_add(&depth, 1, __ATOMIC_ACQ_REL) != 0)
        return;
    note_begin();
    __atomic_add_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}

void hiera_resume(void)
{
    int was = __atomic_load_n(&depth, __ATOMIC_ACQUIRE);
    do {
        if (was <= 0)
            return;
        set_end(was == 1 ? hiera_clock_ticks()
                         : 0); /* 0: recording is still off because of the last pause, which hence goes on */
    } while (!__atomic_compare_exchange_n(&depth, &was, was - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (was == 1)
        __atomic_sub_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}

/* For the Fortran module. These names are not in hiera.h, so that a program may define them itself (hiera_fortran.c).
 */
HIERA_PUBLIC void hiera_fortran_pause(void) __attribute__((alias("hiera_pause")));
HIERA_PUBLIC void hiera_fortran_resume(void) __attribute__((alias("hiera_resume")));

unsigned hiera_pause_count(void)
{
    unsigned n = __atomic_load_n(&n_pauses, __ATOMIC_ACQUIRE);
    return n < PAUSES ? n : PAUSES;
}

HieraPause hiera_pause_get(unsigned i)
{
    HieraPause pause = {pauses[i].begin, __atomic_load_n(&pauses[i].end, __ATOMIC_ACQUIRE), 0, pauses[i].times};
    pause.calls = __atomic_load_n(&pauses[i].calls, __ATOMIC_RELAXED);
    return pause;
}
