/* Pauses of recording: when it was off, and how many MPI calls came meanwhile. See pause.h.
 *
 * The writer may read in a signal handler: an entry is complete before it is counted, and nothing here waits. */
#include "pause.h"

#include "hiera.h"
#include "record.h"
#include "write/writer.h"

/* One pause, or several: the last entry takes those for which there is no other. Ticks; end 0: it lasts. */
typedef struct Pause {
    uint64_t begin, end, calls, times;
} Pause;

enum { PAUSES = 64 };

static int depth; /* of hiera_pause() */
static Pause pauses[PAUSES];
static unsigned n_pauses; /* also those that share the last entry */

static Pause *last_pause(void)
{
    unsigned n = __atomic_load_n(&n_pauses, __ATOMIC_ACQUIRE);
    return n == 0 ? NULL : &pauses[n < PAUSES ? n - 1 : PAUSES - 1];
}

static void note_begin(void)
{
    unsigned n = n_pauses;
    Pause *pause = &pauses[n < PAUSES ? n : PAUSES - 1];
    uint64_t now = hiera_clock_ticks();
    if (n < PAUSES)
        pause->begin = now;
    pause->times++;
    pause->end = 0;
    __atomic_store_n(&n_pauses, n + 1, __ATOMIC_RELEASE);
}

static void set_end(uint64_t ticks)
{
    Pause *pause = last_pause();
    if (pause)
        __atomic_store_n(&pause->end, ticks, __ATOMIC_RELEASE);
}

void hiera_pause_note_call(void)
{
    Pause *pause = __atomic_load_n(&depth, __ATOMIC_RELAXED) > 0 ? last_pause() : NULL;
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
        set_end(was == 1 ? hiera_clock_ticks() : 0); /* while this thread holds the pause: no other one has begun */
    } while (!__atomic_compare_exchange_n(&depth, &was, was - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
    if (was == 1)
        __atomic_sub_fetch(&hiera_idle, 1, __ATOMIC_ACQ_REL);
}

/* For the Fortran module: names that are not in hiera.h, so that a program may define them (hiera_fortran.c). */
HIERA_PUBLIC void hiera_fortran_pause(void) __attribute__((alias("hiera_pause")));
HIERA_PUBLIC void hiera_fortran_resume(void) __attribute__((alias("hiera_resume")));

static void put_pause(HieraStream *stream, const Pause *pause)
{
    HieraText *text = stream->text;
    uint64_t end = __atomic_load_n(&pause->end, __ATOMIC_ACQUIRE);
    HIERA_TEXT_LITERAL(text, "\n  <hieraPause start_time=\"");
    hiera_text_seconds(text, hiera_writer_time(pause->begin));
    HIERA_TEXT_LITERAL(text, "\" finish_time=\"");
    if (end != 0)
        hiera_text_seconds(text, hiera_writer_time(end));
    HIERA_TEXT_LITERAL(text, "\" count=\"");
    hiera_text_unsigned(text, __atomic_load_n(&pause->calls, __ATOMIC_RELAXED));
    if (pause->times > 1) {
        HIERA_TEXT_LITERAL(text, "\" pauses=\"");
        hiera_text_unsigned(text, pause->times);
    }
    HIERA_TEXT_LITERAL(text, "\"/>");
}

void hiera_pause_put(HieraStream *stream)
{
    unsigned n = __atomic_load_n(&n_pauses, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < n && i < PAUSES; i++)
        put_pause(stream, &pauses[i]);
}
