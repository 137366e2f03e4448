/* Ticks of the processor's counter are converted to nanoseconds of CLOCK_MONOTONIC. If the counter changes its speed,
 * it is no longer used, and earlier times stay right. The clock in this test can run at double speed: then the counter
 * appears to slow down. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static int64_t begin_of_haste;

static int test_clock(clockid_t clock, struct timespec *now)
{
    int result = clock_gettime(clock, now);
    int64_t ns = now->tv_sec * INT64_C(1000000000) + now->tv_nsec;
    if (begin_of_haste != 0 && ns > begin_of_haste)
        ns += ns - begin_of_haste;
    now->tv_sec = ns / 1000000000;
    now->tv_nsec = ns % 1000000000;
    return result;
}

#define clock_gettime test_clock
#include "../../collector/base/clock.c"

enum { MOMENTS = 1000, DISTURBED_NS = 50000000 }; /* another process may run between two readings */

static uint64_t ticks[MOMENTS];
static int64_t ns[MOMENTS];
static int failures;

static void note(int i)
{
    ns[i] = (int64_t)hiera_clock_monotonic_ns();
    ticks[i] = hiera_clock_ticks();
}

/* The median of the errors, because single readings may be disturbed. */
static int compare(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

static void check(const char *what, int from, int to)
{
    static int64_t errors[MOMENTS];
    for (int i = from; i < to; i++) {
        int64_t error = (int64_t)hiera_clock_ns(ticks[i]) - ns[i];
        errors[i - from] = error < 0 ? -error : error;
    }
    qsort(errors, (size_t)(to - from), sizeof errors[0], compare);
    int64_t middle = errors[(to - from) / 2];
    printf("%s: error %lld ns, at most %lld\n", what, (long long)middle, (long long)errors[to - from - 1]);
    failures += middle > 1000 || errors[to - from - 1] > DISTURBED_NS;
}

static void pass(int64_t duration)
{
    uint64_t end = hiera_clock_monotonic_ns() + (uint64_t)duration;
    while (hiera_clock_monotonic_ns() < end)
        ;
}

static void expect(const char *what, bool actual, bool expected)
{
    if (actual != expected)
        printf("%s: expected %d, actual %d\n", what, expected, actual);
    failures += actual != expected;
}

/* A number that looks random. */
static uint64_t next_number(void)
{
    static uint64_t state = 1;
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return state >> 20;
}

/* Spans are the differences of times, to the nanosecond, and times are the same in both ways: around all anchors, and
 * with a span in both directions. */
static void check_spans(const char *what)
{
    uint64_t first = birth.ticks - 1000000, room = latest.ticks - birth.ticks + 1000000000;
    int wrong = 0, fast = 0;
    for (int i = 0; i < 1000000; i++) {
        uint64_t from = first + next_number() % room, to = from + next_number() % (i % 2 ? room : 5000);
        if (i % 100 == 0)
            to = i % 200 ? from - next_number() % 5000 : to | HIERA_TICKS_ARE_NS;
        wrong += hiera_clock_span_ns(from, to) != (int64_t)(hiera_clock_ns(to) - hiera_clock_ns(from));
        wrong += hiera_clock_soon_ns(to) != hiera_clock_ns(to);
        fast += (int64_t)from >= hiera_clock_late.first;
    }
    printf("spans, %s: %d wrong, %d after the last anchor but one\n", what, wrong, fast);
    failures += wrong != 0;
}

int main(void)
{
    hiera_clock_start("kernel");
    expect("counter where the kernel's clock is asked for", hiera_clock_uses_counter, false);
    hiera_clock_start("counter");
    bool is_steady = hiera_clock_uses_counter;
    hiera_clock_start("auto");
    expect("counter that is not steady", hiera_clock_uses_counter && !is_steady, false);
    check_spans("no anchor yet");
    hiera_clock_set_zero(0);
    bool has_counter = hiera_clock_uses_counter;
    printf("counter: %d\n", has_counter);
    for (int i = 0; i < 500; i++) {
        note(i);
        pass(100000);
        if (i % 100 == 99)
            hiera_clock_anchor();
    }
    check("steady", 400, 500);
    check("long ago", 0, 400);
    expect("counter while it is steady", hiera_clock_uses_counter, has_counter);
    check_spans("steady");
    hiera_clock_set_zero((int64_t)(before.ns + latest.ns) / 2);
    check_spans("a zero between the last two anchors");
    hiera_clock_set_zero((int64_t)before.ns);
    check_spans("a zero at the last anchor but one");
    hiera_clock_set_zero(0);
    begin_of_haste = (int64_t)hiera_clock_monotonic_ns();
    for (int i = 0; i < 2; i++) {
        pass(50000000);
        hiera_clock_anchor();
    }
    expect("counter that has another speed", hiera_clock_uses_counter, false);
    for (int i = 500; i < MOMENTS; i++)
        note(i);
    check("afterwards", 500, MOMENTS);
    check("what was before", 0, 500);
    check_spans("the counter is given up");
    return failures != 0;
}
