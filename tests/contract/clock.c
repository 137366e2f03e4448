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

int main(void)
{
    hiera_clock_start();
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
    return failures != 0;
}
