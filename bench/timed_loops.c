/* What exact times of loops cost: functions of this program are moved to copies that time their loops, and moved back,
 * in turns. Prints nanoseconds a call before, while and after they are moved, for each event, and the ratio of after to
 * before: what is left when they are back. timed_loops [TURNS] */
#include "bench.h"
#include "collector/base/settings.h"
#include "collector/loops/moved.h"
#include "collector/loops/timing.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"

#include <stdbool.h>
#include <string.h>

#define MOVED __attribute__((noinline, visibility("default")))

HieraSettings hiera_settings;

enum { TURNS = 21, TURNS_MAX = 1000, TURN_NS = 4000000 };

/* Not static, because the functions to move are found by their names in the symbol table. */
uint64_t bench_no_loop(uint64_t n);
uint64_t bench_short_loop(uint64_t n);
uint64_t bench_nested_loops(uint64_t n);
uint64_t bench_calls(uint64_t n);

static volatile uint64_t seed = 5;

/* A function that is called by a moved function but not moved itself. */
__attribute__((noinline)) static uint64_t step(uint64_t a)
{
    a ^= a << 13;
    a ^= a >> 7;
    return a ^ (a << 17);
}

MOVED uint64_t bench_no_loop(uint64_t n)
{
    return n * 5 + seed;
}

MOVED uint64_t bench_short_loop(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 3 + (sum >> 5);
    return sum;
}

MOVED uint64_t bench_nested_loops(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        for (uint64_t j = 0; j < 20; j++)
            sum = sum * 3 + (sum >> 5);
    return sum;
}

MOVED uint64_t bench_calls(uint64_t n)
{
    uint64_t sum = seed;
    for (uint64_t i = 0; i < n; i++)
        sum = step(sum);
    return sum;
}

static const struct {
    const char *symbol, *name;
    uint64_t (*function)(uint64_t), n;
    unsigned events; /* number of events in a call of the function; 0: iterations cost more than events */
} rows[] = {{"bench_no_loop", "no loop", bench_no_loop, 1, 2},
            {"bench_short_loop", "loop of 10 iterations", bench_short_loop, 10, 4},
            {"bench_short_loop", "loop of 10000 iterations", bench_short_loop, 10000, 0},
            {"bench_nested_loops", "100 loops of 20 in a loop", bench_nested_loops, 100, 204},
            {"bench_calls", "loop of 100 calls", bench_calls, 100, 204}};

enum { ROWS = sizeof rows / sizeof rows[0] };

static HieraMoved move_all(void)
{
    HieraObject *object = hiera_object_open("/proc/self/exe", NULL);
    HieraFunctions *functions = hiera_functions_new(object, NULL);
    HieraDecoder *decoder = hiera_decoder_new(object, NULL);
    hiera_no_return_find(functions, decoder);
    HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, NULL);
    for (int i = 0; i < ROWS; i++)
        if (i == 0 || strcmp(rows[i].symbol, rows[i - 1].symbol) != 0)
            hiera_plan_builder_add(builder, hiera_functions_named(functions, rows[i].symbol), G_MAXUINT);
    const HieraPlan *plan = (const HieraPlan *)hiera_plan_builder_end(builder)->data;
    const HieraPlanFunction *moved_functions = hiera_plan_part(plan, plan->functions);
    uintptr_t base = (uintptr_t)bench_calls -
                     (hiera_functions_named(functions, "bench_calls")->address - hiera_object_first_page(object));
    const HieraMovedContext context = {1, 1, hiera_timing_event(), hiera_timing_unwind(), hiera_timing_counters()};
    HieraMoved moved;
    for (uint32_t i = 0; i < plan->functions.n; i++)
        hiera_timed_functions[i + 1] = (HieraTimedFunction){moved_functions[i].loop + 1, moved_functions[i].n_loops};
    const char *reason = !hiera_timing_begin() ? "no memory" : hiera_moved_place(&moved, plan, base, &context);
    if (reason || plan->refused.n > 0) {
        fprintf(stderr, "timed_loops: %s\n", reason ? reason : "a function cannot be moved");
        exit(1);
    }
    return moved;
}

static void must(const char *reason)
{
    if (reason) {
        fprintf(stderr, "timed_loops: %s\n", reason);
        exit(1);
    }
}

/* Return the CPU time per call in ns, measured over `calls` calls of the function in a row of `rows`. */
static double measure(int row, uint64_t calls)
{
    int64_t begin = bench_processor_ns();
    for (uint64_t i = 0; i < calls; i++)
        BENCH_USE(rows[row].function(rows[row].n));
    return (double)(bench_processor_ns() - begin) / (double)calls;
}

static uint64_t find_calls(int row)
{
    uint64_t calls = 1;
    while (measure(row, calls) * (double)calls < TURN_NS)
        calls *= 2;
    return calls;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *numbers, int n)
{
    qsort(numbers, (size_t)n, sizeof *numbers, compare);
    return numbers[n / 2];
}

int main(int argc, char **argv)
{
    static double before[TURNS_MAX], moved_ns[TURNS_MAX], after[TURNS_MAX], ratios[TURNS_MAX], noise[TURNS_MAX];
    int turns = argc > 1 ? atoi(argv[1]) : TURNS;
    if (turns < 1 || turns > TURNS_MAX) {
        fprintf(stderr, "timed_loops: turns are 1 to %d\n", TURNS_MAX);
        return 2;
    }
    HieraMoved moved = move_all();
    printf("medians of %d turns; noise: two measurements before, one after the other\n", turns);
    printf("%-28s %11s %11s %8s %10s %24s %24s\n", "", "before [ns]", "moved [ns]", "events", "event [ns]",
           "after : before", "noise");
    for (int row = 0; row < ROWS; row++) {
        uint64_t calls = find_calls(row);
        for (int i = 0; i < turns; i++) {
            double again = measure(row, calls);
            before[i] = measure(row, calls);
            must(hiera_moved_redirect(&moved));
            moved_ns[i] = measure(row, calls);
            must(hiera_moved_undo(&moved));
            after[i] = measure(row, calls);
            ratios[i] = after[i] / before[i];
            noise[i] = before[i] / again;
        }
        double plain = median(before, turns), timed = median(moved_ns, turns), ratio = median(ratios, turns);
        double usual = median(noise, turns);
        char event[32] = "-";
        if (rows[row].events > 0)
            snprintf(event, sizeof event, "%.1f", (timed - plain) / rows[row].events);
        printf("%-28s %11.1f %11.1f %8u %10s  %6.3f (%.3f to %.3f)  %6.3f (%.3f to %.3f)\n", rows[row].name, plain,
               timed, rows[row].events, event, ratio, ratios[0], ratios[turns - 1], usual, noise[0], noise[turns - 1]);
    }
    return hiera_timing_lost() > 0;
}
