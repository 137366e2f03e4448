/* A thread that computes has samples at its code, for all the time that it takes, in the order of time: by the kernel
 * where that lets us, and by a timer. */
#include "sampling/sample_ring.h"

#include "base/clock.h"
#include "base/settings.h"
#include "harness/plain.h"
#include "sampling/sample_timer.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

HieraSettings hiera_settings;

enum { PERIOD_NS = 2000000 };

extern const char __start_computing[], __stop_computing[]; /* by the linker: the section */
static volatile unsigned sum;

__attribute__((noinline, section("computing"))) static void compute(void)
{
    for (unsigned i = 0; i < 20000000; i++)
        sum += i;
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

typedef struct Seen {
    uint64_t all, computing, ns, n_backwards;
} Seen;

/* Take all samples that are there. */
static void take(HieraSampleRing *ring, Seen *seen, uint64_t *last)
{
    HieraSample sample;
    while (hiera_sample_ring_peek(ring, &sample)) {
        const char *at = sample.address;
        seen->all++;
        seen->computing += at >= __start_computing && at < __stop_computing;
        seen->ns += (uint64_t)sample.periods * PERIOD_NS;
        seen->n_backwards += sample.ticks < *last || sample.ticks > hiera_clock_ticks();
        *last = sample.ticks;
        hiera_sample_ring_take(ring);
    }
}

static void check_thread(HieraSampleSource source)
{
    HieraSampleRing ring;
    Seen seen = {0, 0, 0, 0};
    uint64_t last = hiera_clock_ticks(), began = cpu_ns();
    hiera_settings.sample.by_timer = source == HIERA_SAMPLES_TIMER;
    EXPECT(1, hiera_sample_ring_open(&ring, (pid_t)syscall(SYS_gettid), PERIOD_NS));
    if (source == HIERA_SAMPLES_KERNEL && hiera_sample_ring_refusal() != 0) {
        printf("the kernel refuses: %s\n", strerror(hiera_sample_ring_refusal()));
        source = HIERA_SAMPLES_TIMER;
    }
    EXPECT(source, ring.source);
    EXPECT(0, hiera_sample_ring_is_blocked(&ring));
    while (cpu_ns() - began < 400000000) {
        compute();
        take(&ring, &seen, &last);
    }
    uint64_t passed = cpu_ns() - began;
    hiera_sample_ring_close(&ring);
    printf("by %s: %llu samples, %llu of them where it computes, for %.3f of %.3f s\n",
           source == HIERA_SAMPLES_KERNEL ? "the kernel" : "a timer", (unsigned long long)seen.all,
           (unsigned long long)seen.computing, (double)seen.ns / 1e9, (double)passed / 1e9);
    EXPECT(0, seen.n_backwards);
    EXPECT(0, ring.lost);
    EXPECT(1, 10 * seen.computing >= 8 * seen.all);
    EXPECT(1, seen.all >= 20); /* the tick of a slow kernel: 100 in a second */
    EXPECT(1, 10 * seen.ns >= 8 * passed && 8 * seen.ns <= 10 * passed);
}

static void on_urgent(int number)
{
    (void)number;
}

/* A program that uses the signal keeps it. */
static void check_program_that_uses_it(void)
{
    HieraSampleRing ring;
    signal(SIGURG, on_urgent);
    hiera_settings.sample.by_timer = true;
    EXPECT(0, hiera_sample_ring_open(&ring, (pid_t)syscall(SYS_gettid), PERIOD_NS));
    EXPECT(1, signal(SIGURG, SIG_DFL) == on_urgent);
}

int main(void)
{
    hiera_clock_start("auto");
    check_program_that_uses_it();
    check_thread(HIERA_SAMPLES_KERNEL);
    check_thread(HIERA_SAMPLES_TIMER);
    return n_failed > 0;
}
