/* Time: records hold ticks; the writer converts them to nanoseconds on the common time scale of the job.
 *
 * Ticks come from the processor's invariant counter if the kernel uses it as its clock or the user asks for it, else
 * from CLOCK_MONOTONIC (then the bit HIERA_TICKS_ARE_NS is set). hiera_clock_anchor() reads both clocks at the same
 * moment. A tick between two anchors is interpolated, so that its error is at most the error of an anchor, even if the
 * frequency of the counter drifts. A counter that goes back or changes its speed is not used any more. */
#pragma once

#include "internal.h"

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* A comparison of this host's clock with the job's clock (that of rank 0) at one moment: the job's clock is ahead by
 * offset_ns, with an error of at most error_ns. */
typedef struct HieraClockPoint {
    int64_t at_ns; /* time at which this host's clock was compared with the job's, by CLOCK_MONOTONIC of this host */
    int64_t offset_ns;
    int64_t error_ns; /* largest error of offset_ns; HIERA_CLOCK_UNKNOWN: the two hosts' clocks were not compared */
} HieraClockPoint;

#define HIERA_CLOCK_UNKNOWN (-1)

/* Comparisons of this host's clock with the job's clock at two moments. All zero: both are the same clock. */
typedef struct HieraClockFit {
    HieraClockPoint first, last; /* last.at_ns is 0 if there was only one comparison */
    uint64_t clock;              /* id of this host's clock, the same on all ranks that read it; 0: unknown */
    int64_t scale; /* 0: time scale of the job; other values: a scale with a zero of its own, not compared with the
                      job's */
} HieraClockFit;

extern bool hiera_clock_uses_counter HIERA_INTERNAL;

#define HIERA_TICKS_ARE_NS (UINT64_C(1) << 63)

static inline uint64_t hiera_clock_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether ticks are read from the processor's counter (true) or from CLOCK_MONOTONIC. */
static inline bool hiera_clock_is_counter(void)
{
    return __builtin_expect(__atomic_load_n(&hiera_clock_uses_counter, __ATOMIC_RELAXED), 1);
}

/* Processor time of all threads of a process, also of those that have ended; pid 0: this one. 0 if it is not known. */
uint64_t hiera_clock_of_process_ns(int pid);

/* Read the processor time of a thread of this process. False if there is no such thread: then *ns is as before. */
bool hiera_clock_read_thread(int tid, uint64_t *ns);

/* Current value of the processor's counter. */
static inline __attribute__((always_inline)) uint64_t hiera_clock_counter(void)
{
    uint64_t ticks = 0;
#if defined(__x86_64__)
    ticks = __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
#endif
    return ticks;
}

/* Current time in ticks, the unit of times in records. */
static inline __attribute__((always_inline)) uint64_t hiera_clock_ticks(void)
{
    return hiera_clock_is_counter() ? hiera_clock_counter() : hiera_clock_monotonic_ns() | HIERA_TICKS_ARE_NS;
}

/* Choose the source of ticks and take the first anchor. Must be called before the other functions. source: as
 * `clock` of HIERA_MORE: `counter` (of the processor, if it is invariant), `kernel`, or `auto`: the counter if it is
 * the kernel's clock, too. */
void hiera_clock_start(const char *source);

/* Take a new anchor (counter and CLOCK_MONOTONIC together), to convert ticks up to now. The caller holds the lock. */
void hiera_clock_anchor(void);

/* Convert a duration to ticks, approximately. */
uint64_t hiera_clock_ticks_of(uint64_t ns);

/* Set the zero of the job's time scale, given in nanoseconds of this host's CLOCK_MONOTONIC. */
void hiera_clock_set_zero(int64_t monotonic_ns);

int64_t hiera_clock_zero_ns(void);

/* Time at which this process started recording, in nanoseconds of CLOCK_MONOTONIC. */
uint64_t hiera_clock_birth_ns(void);

/* A conversion of ticks that needs no lock. It is exact at the moment it was made; later, its error is that of the
 * counter's speed as measured then. */
typedef struct HieraClockPace {
    uint64_t ticks; /* counter when the conversion was made; ticks come from it, until Hiera uses the kernel's clock */
    int64_t ns, scaled_ns_per_tick;
    uint64_t until; /* tick after which a new HieraClockPace is more exact */
} HieraClockPace;

/* Return a conversion that is exact now, from the counter's mean speed since recording started. */
HieraClockPace hiera_clock_pace(void);

/* Convert ticks to nanoseconds since the common start of the job; negative before the start. Any thread may call it. */
int64_t hiera_clock_pace_ns(const HieraClockPace *pace, uint64_t ticks);

/* Convert ticks to nanoseconds since the common start of the job, at least 0. The caller holds the lock. */
uint64_t hiera_clock_ns(uint64_t ticks);
/* Return hiera_clock_ns(to) - hiera_clock_ns(from), the time between two ticks. */
int64_t hiera_clock_difference_ns(uint64_t from, uint64_t to);

/* Fast conversion to nanoseconds, for recent ticks: those after the anchor before the last one (clock.c: `before`). */
typedef struct HieraClockLate {
    int64_t first; /* first tick for which this conversion holds; earlier ticks are converted by hiera_clock_ns() */
    uint64_t anchor, anchor_ns, scaled_ns_per_tick;
} HieraClockLate;
extern HieraClockLate hiera_clock_late HIERA_INTERNAL;
enum { HIERA_CLOCK_BITS = 52 }; /* fractional bits of scaled_ns_per_tick */

/* Return hiera_clock_ns(ticks), for a tick that is not before hiera_clock_late.first. */
static inline uint64_t hiera_clock_late_at_ns(uint64_t ticks)
{
    const HieraClockLate *late = &hiera_clock_late;
    unsigned __int128 scaled = (unsigned __int128)(ticks - late->anchor) * late->scaled_ns_per_tick;
    return late->anchor_ns + (uint64_t)(scaled >> HIERA_CLOCK_BITS);
}

/* Return hiera_clock_ns(ticks), by the fast conversion for ticks from hiera_clock_late.first on. */
static inline uint64_t hiera_clock_soon_ns(uint64_t ticks)
{
    bool is_early = (int64_t)ticks < hiera_clock_late.first;
    return __builtin_expect(is_early, 0) ? hiera_clock_ns(ticks) : hiera_clock_late_at_ns(ticks);
}

/* Whether both ticks are at or after hiera_clock_late.first (the last anchor but one), and from <= to. */
static inline bool hiera_clock_is_late(uint64_t from, uint64_t to)
{
    return (int64_t)from >= hiera_clock_late.first && (int64_t)to >= (int64_t)from;
}

/* The difference in ns of two ticks for which hiera_clock_is_late() is true. Each time is rounded down, so the fraction
 * of `from` is added before rounding. */
static inline int64_t hiera_clock_late_ns(uint64_t from, uint64_t to)
{
    uint64_t scale = hiera_clock_late.scaled_ns_per_tick;
    uint64_t left = (from - hiera_clock_late.anchor) * scale & ((UINT64_C(1) << HIERA_CLOCK_BITS) - 1);
    return (int64_t)(((unsigned __int128)(to - from) * scale + left) >> HIERA_CLOCK_BITS);
}

/* Return to - from in nanoseconds, for any two ticks. The caller holds the lock. */
static inline int64_t hiera_clock_span_ns(uint64_t from, uint64_t to)
{
    bool is_late = __builtin_expect(hiera_clock_is_late(from, to), 1);
    return is_late ? hiera_clock_late_ns(from, to) : hiera_clock_difference_ns(from, to);
}
