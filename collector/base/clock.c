/* Choose the source of ticks (processor's counter or kernel's clock), and convert ticks to nanoseconds. */
#include "clock.h"

#include "kept.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

typedef struct Anchor {
    uint64_t ticks;
    uint64_t ns;
} Anchor;

bool hiera_clock_uses_counter HIERA_KEPT;

/* Conversion of ticks after the anchor `from` to nanoseconds, by a multiplication instead of a division. */
typedef struct Ruler {
    Anchor from;
    int64_t ns_per_tick; /* nanoseconds per tick, multiplied by 2^RULER_BITS */
} Ruler;

enum { RULER_BITS = HIERA_CLOCK_BITS };

static Anchor birth HIERA_KEPT;
static Anchor before HIERA_KEPT; /* last anchor but one (counter and ns); most ticks not yet written are later */
static Anchor latest HIERA_KEPT; /* last anchor (counter and ns); ticks not yet written to the trace are earlier */
static Ruler early HIERA_KEPT, late HIERA_KEPT;
static int64_t zero_ns HIERA_KEPT;
HieraClockLate hiera_clock_late HIERA_KEPT = {.first = INT64_MAX};

#if defined(__x86_64__)
/* Whether the kernel's clock is the processor's counter, which the kernel then checks against other clocks. */
static bool kernel_trusts_counter(void)
{
    char name[32] = "";
    int fd = open("/sys/devices/system/clocksource/clocksource0/current_clocksource", O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t n = read(fd, name, sizeof name - 1);
    close(fd);
    return n >= 3 && strncmp(name, "tsc", 3) == 0;
}

/* Whether cpuid says that the processor's counter has one speed on all cores and in all power states. */
static bool counter_is_invariant(void)
{
    unsigned a, b, c, d = 0;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8));
}
#else
static bool kernel_trusts_counter(void)
{
    return true;
}

static bool counter_is_invariant(void)
{
#if defined(__aarch64__)
    return true; /* the architecture guarantees that CNTVCT_EL0 is invariant */
#else
    return false;
#endif
}
#endif

/* Read counter and CLOCK_MONOTONIC at nearly the same moment; of three tries, return the shortest. */
static Anchor read_anchor(void)
{
    Anchor best = {0, 0};
    uint64_t shortest = UINT64_MAX;
    for (int i = 0; i < 3; i++) {
        uint64_t first = hiera_clock_ticks();
        uint64_t ns = hiera_clock_monotonic_ns();
        uint64_t last = hiera_clock_ticks();
        if (last - first < shortest) {
            shortest = last - first;
            best = (Anchor){first + (last - first) / 2, ns};
        }
    }
    return best;
}

/* Set hiera_clock_late: the fast conversion of ticks, from the ruler `late`, and the first tick for which it holds. */
static void set_late(void)
{
    bool may = latest.ticks != birth.ticks && (int64_t)late.from.ns >= zero_ns && (int64_t)late.from.ticks >= 0;
    hiera_clock_late = (HieraClockLate){.first = may ? (int64_t)late.from.ticks : INT64_MAX,
                                        .anchor = late.from.ticks,
                                        .anchor_ns = late.from.ns - (uint64_t)zero_ns,
                                        .scaled_ns_per_tick = (uint64_t)late.ns_per_tick};
}

void hiera_clock_start(const char *source)
{
    bool wanted = strcmp(source, "kernel") != 0 && (strcmp(source, "counter") == 0 || kernel_trusts_counter());
    hiera_clock_uses_counter = wanted && counter_is_invariant();
    birth = before = latest = read_anchor();
    zero_ns = (int64_t)birth.ns;
    set_late();
}

static Ruler ruler(Anchor from, Anchor to)
{
    uint64_t ticks = to.ticks - from.ticks, ns = to.ns - from.ns;
    return (Ruler){from, ticks == 0 ? 0 : (int64_t)(((unsigned __int128)ns << RULER_BITS) / ticks)};
}

/* Whether the counter's speed from `from` to `to` differs from its speed from `birth` to `from`. */
static bool has_other_speed(Anchor from, Anchor to)
{
    enum { TOLERATED_PART = 50 }; /* tolerates 1/50, since CLOCK_MONOTONIC itself may be adjusted by a thousandth */
    unsigned __int128 here = (unsigned __int128)(to.ticks - from.ticks) * (from.ns - birth.ns);
    unsigned __int128 there = (unsigned __int128)(from.ticks - birth.ticks) * (to.ns - from.ns);
    return (here > there ? here - there : there - here) > there / TOLERATED_PART;
}

/* True if the counter goes forward at its first speed. A single wrong reading (the thread was interrupted) is
 * tolerated. */
static bool is_sound(Anchor now)
{
    enum { APART_NS = 10000000, PROOF = 2 };
    static unsigned n_other;
    static Anchor last;
    if (now.ticks < latest.ticks)
        return false;
    if (last.ns < birth.ns + APART_NS) {
        last = now;
    } else if (now.ns - last.ns >= APART_NS) {
        bool other = has_other_speed(last, now);
        n_other = other ? n_other + 1 : 0;
        if (!other)
            last = now;
    }
    return n_other < PROOF;
}

void hiera_clock_anchor(void)
{
    if (!hiera_clock_uses_counter)
        return;
    Anchor now = read_anchor();
    if (!is_sound(now)) {
        __atomic_store_n(&hiera_clock_uses_counter, false,
                         __ATOMIC_RELAXED); /* ticks read earlier can still be converted */
        return;
    }
    /* A ruler between two close anchors is inexact, so keep `before` until they are a millisecond apart. */
    if (latest.ns - before.ns > 1000000u)
        before = latest;
    latest = now;
    early = ruler(birth, before);
    late = ruler(before, latest);
    set_late();
}

uint64_t hiera_clock_ticks_of(uint64_t ns)
{
    if (!hiera_clock_uses_counter)
        return ns;
    Anchor now = read_anchor();
    uint64_t passed = now.ns > birth.ns ? now.ns - birth.ns : 1;
    return (uint64_t)((unsigned __int128)ns * (now.ticks - birth.ticks) / passed);
}

HieraClockPace hiera_clock_pace(void)
{
    Anchor now = read_anchor();
    uint64_t passed = now.ticks > birth.ticks ? now.ticks - birth.ticks : 1;
    return (HieraClockPace){now.ticks, (int64_t)now.ns, ruler(birth, now).ns_per_tick, now.ticks + passed / 4};
}

int64_t hiera_clock_pace_ns(const HieraClockPace *pace, uint64_t ticks)
{
    if (ticks & HIERA_TICKS_ARE_NS)
        return ((int64_t)(ticks << 1) >> 1) - zero_ns;
    __int128 part = (__int128)(int64_t)(ticks - pace->ticks) * pace->scaled_ns_per_tick;
    return pace->ns + (int64_t)(part >> RULER_BITS) - zero_ns;
}

void hiera_clock_set_zero(int64_t monotonic_ns)
{
    zero_ns = monotonic_ns;
    set_late();
}

int64_t hiera_clock_zero_ns(void)
{
    return zero_ns;
}

uint64_t hiera_clock_birth_ns(void)
{
    return birth.ns;
}

uint64_t hiera_clock_ns(uint64_t ticks)
{
    int64_t ns;
    if (ticks & HIERA_TICKS_ARE_NS) {
        ns = (int64_t)(ticks << 1) >> 1; /* remove the flag HIERA_TICKS_ARE_NS; the next bit is the sign */
    } else if (latest.ticks == birth.ticks) {
        ns = (int64_t)latest.ns;
    } else {
        const Ruler *by = ticks < before.ticks && before.ticks != birth.ticks ? &early : &late;
        __int128 part = (__int128)(int64_t)(ticks - by->from.ticks) * by->ns_per_tick;
        ns = (int64_t)by->from.ns + (int64_t)(part >> RULER_BITS);
    }
    return ns > zero_ns ? (uint64_t)(ns - zero_ns) : 0;
}

int64_t hiera_clock_difference_ns(uint64_t from, uint64_t to)
{
    return (int64_t)(hiera_clock_ns(to) - hiera_clock_ns(from));
}

/* The numbers of these clocks are made as clock_getcpuclockid() and pthread_getcpuclockid() make them. The latter must
 * not be asked about a thread that has ended. */
enum { OF_THREAD = 4, EXACT = 2 };

static bool read_clock(unsigned number, uint64_t *ns)
{
    struct timespec time;
    if (clock_gettime((clockid_t)number, &time) != 0)
        return false;
    *ns = (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
    return true;
}

uint64_t hiera_clock_of_process_ns(int pid)
{
    uint64_t ns = 0;
    read_clock(~(unsigned)pid << 3 | EXACT, &ns);
    return ns;
}

bool hiera_clock_read_thread(int tid, uint64_t *ns)
{
    return read_clock(~(unsigned)tid << 3 | OF_THREAD | EXACT, ns);
}
