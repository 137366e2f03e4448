/* Time: raw ticks on the call path, nanoseconds of the job's common scale when a trace is written.
 *
 * Ticks are the processor's invariant counter where the kernel itself trusts it, else CLOCK_MONOTONIC in nanoseconds,
 * with a bit that says so. hiera_clock_anchor() reads both clocks; a tick between two anchors is interpolated, so the
 * error never exceeds that of reading an anchor, whatever the counter's frequency does in the long run. A counter that
 * goes back or changes its speed is left for good. */
#ifndef HIERA_CLOCK_H
#define HIERA_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* What is known of this host's clock at one moment: the job's clock, that of rank 0, is ahead of it by offset_ns, and
 * that is wrong by error_ns at most. */
typedef struct HieraClockPoint {
    int64_t at_ns; /* CLOCK_MONOTONIC of this host */
    int64_t offset_ns;
    int64_t error_ns; /* HIERA_CLOCK_UNKNOWN: nothing is known */
} HieraClockPoint;

#define HIERA_CLOCK_UNKNOWN (-1)

/* The same at two moments. All zero: it is the job's clock. */
typedef struct HieraClockFit {
    HieraClockPoint first, last; /* last.at_ns 0: there is no second moment */
    uint64_t clock;              /* which one: the same on all ranks that read it; 0: not known */
    int64_t scale; /* 0: the job's; otherwise times that nobody has compared with the job's count from a zero of their
                      own */
} HieraClockFit;

extern bool hiera_clock_uses_counter;

#define HIERA_TICKS_ARE_NS (UINT64_C(1) << 63)

static inline uint64_t hiera_clock_monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The current time in ticks: what a record holds. */
static inline uint64_t hiera_clock_ticks(void)
{
    if (__builtin_expect(__atomic_load_n(&hiera_clock_uses_counter, __ATOMIC_RELAXED), 1)) {
#if defined(__x86_64__)
        return __builtin_ia32_rdtsc();
#elif defined(__aarch64__)
        uint64_t ticks;
        __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
        return ticks;
#endif
    }
    return hiera_clock_monotonic_ns() | HIERA_TICKS_ARE_NS;
}

/* Choose the source of ticks and take the first anchor. Before any other use. */
void hiera_clock_start(void);

/* Take a new anchor: ticks up to now can be converted. Called with the writer's lock held. */
void hiera_clock_anchor(void);

/* How many ticks that takes, about. */
uint64_t hiera_clock_ticks_of(uint64_t ns);

/* Set the zero of the job's scale, in nanoseconds of this host's CLOCK_MONOTONIC. */
void hiera_clock_set_zero(int64_t monotonic_ns);

int64_t hiera_clock_zero_ns(void);

/* When this process started recording, in nanoseconds of CLOCK_MONOTONIC. */
uint64_t hiera_clock_birth_ns(void);

/* Ticks -> nanoseconds since the job's common start; never negative. Called with the writer's lock held. */
uint64_t hiera_clock_ns(uint64_t ticks);

#endif
