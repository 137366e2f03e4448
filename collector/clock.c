/* Time: which counter gives the ticks, and how they become nanoseconds. See clock.h. */
#include "clock.h"

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

bool hiera_clock_uses_counter;

static Anchor birth;
static Anchor before; /* the last two anchors: every tick that is still to be written lies between them, */
static Anchor latest; /* or before them if an operation stayed open over a flush */
static int64_t zero_ns;

#if defined(__x86_64__)
/* The kernel watches the counter against other clocks and leaves it when it misbehaves: believe the kernel. */
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

static bool counter_is_invariant(void)
{
    unsigned a, b, c, d = 0;
    return __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d & (1u << 8)) && kernel_trusts_counter();
}
#elif defined(__aarch64__)
static bool counter_is_invariant(void)
{
    return true; /* the architecture says so of CNTVCT_EL0 */
}
#else
static bool counter_is_invariant(void)
{
    return false;
}
#endif

/* Both clocks as near to the same moment as one of a few tries gets. */
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

void hiera_clock_start(void)
{
    hiera_clock_uses_counter = counter_is_invariant();
    birth = before = latest = read_anchor();
    zero_ns = (int64_t)birth.ns;
}

void hiera_clock_anchor(void)
{
    Anchor now = read_anchor();
    /* Two anchors close together would make a poor ruler: keep the earlier end until a millisecond has passed. */
    if (latest.ns - before.ns > 1000000u)
        before = latest;
    latest = now;
}

uint64_t hiera_clock_ticks_of(uint64_t ns)
{
    if (!hiera_clock_uses_counter)
        return ns;
    Anchor now = read_anchor();
    uint64_t passed = now.ns > birth.ns ? now.ns - birth.ns : 1;
    return (uint64_t)((unsigned __int128)ns * (now.ticks - birth.ticks) / passed);
}

void hiera_clock_set_zero(int64_t monotonic_ns)
{
    zero_ns = monotonic_ns;
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
    if (!hiera_clock_uses_counter) {
        ns = (int64_t)ticks;
    } else if (latest.ticks == before.ticks) {
        ns = (int64_t)latest.ns;
    } else {
        const Anchor *from = ticks >= before.ticks || before.ticks == birth.ticks ? &before : &birth;
        const Anchor *to = from == &before ? &latest : &before;
        __int128 part = (__int128)((int64_t)(ticks - from->ticks)) * (int64_t)(to->ns - from->ns);
        ns = (int64_t)from->ns + (int64_t)(part / (int64_t)(to->ticks - from->ticks));
    }
    return ns > zero_ns ? (uint64_t)(ns - zero_ns) : 0;
}
