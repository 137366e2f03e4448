/* What exact times of loops cost: functions of this program are moved to copies that time their loops, and moved back,
 * in turns, each beside the undisturbed one. Prints processor time, while they are moved and when they are back, as a
 * ratio to that before; and the time that is reported of the function and of its innermost loops: as a ratio to the
 * clock's time of the same calls, by which all noise is that of both, times the ratio before.
 * timed_loops [TURNS [WORD]]: rows whose names have the word */
#include "bench.h"
#include "collector/base/settings.h"
#include "collector/loops/moved.h"
#include "collector/loops/timed_tree.h"
#include "image/flow/no_return.h"
#include "image/move/plan_builder.h"
#include "loop_table.h"

#include <stdbool.h>
#include <string.h>

HieraSettings hiera_settings;
HieraTimedCosts hiera_timed_kept_costs;

enum { TURNS = 21, TURNS_MAX = 1000, TURN_NS = 10000000 };

static const HieraPlan *plan;

static HieraMoved move_all(void)
{
    HieraObject *object = hiera_object_open("/proc/self/exe", NULL);
    HieraFunctions *functions = hiera_functions_new(object, NULL);
    HieraDecoder *decoder = hiera_decoder_new(object, NULL);
    hiera_no_return_find(functions, decoder);
    HieraPlanBuilder *builder = hiera_plan_builder_new(functions, decoder, NULL);
    for (int i = 0; i < bench_n_loops; i++)
        if (i == 0 || strcmp(bench_loops[i].symbol, bench_loops[i - 1].symbol) != 0)
            hiera_plan_builder_add(builder, hiera_functions_named(functions, bench_loops[i].symbol), G_MAXUINT);
    plan = (const HieraPlan *)hiera_plan_builder_end(builder)->data;
    uintptr_t base =
        (uintptr_t)bench_loops[0].function -
        (hiera_functions_named(functions, bench_loops[0].symbol)->address - hiera_object_first_page(object));
    const HieraMovedContext context = {1, 1, hiera_timing_event(), hiera_timing_unwind(), hiera_timing_locals()};
    HieraMoved moved;
    hiera_timing_take(plan, 1, 1);
    const char *reason = hiera_moved_place(&moved, plan, base, &context);
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

typedef struct {
    double processor, clock;
} Spent;

/* Return the CPU time per call in ns, and that of the clock, measured over `calls` calls of the function in a row. */
static Spent measure(int row, uint64_t calls)
{
    int64_t begin = bench_processor_ns(), since = bench_now_ns();
    for (uint64_t i = 0; i < calls; i++)
        BENCH_USE(bench_loops[row].function(bench_loops[row].n));
    int64_t until = bench_now_ns();
    return (Spent){(double)(bench_processor_ns() - begin) / (double)calls, (double)(until - since) / (double)calls};
}

static uint64_t find_calls(int row)
{
    uint64_t calls = 1;
    while (measure(row, calls).processor * (double)calls < TURN_NS)
        calls *= 2;
    return calls;
}

static uint32_t number_of(int row)
{
    const HieraPlanFunction *functions = hiera_plan_part(plan, plan->functions);
    uint32_t i = 0;
    while (strcmp(hiera_plan_text(plan, functions[i].name), bench_loops[row].symbol) != 0)
        i++;
    return i;
}

/* Ticks that are reported so far: of the function of a row, and of its loops that have none inside. */
typedef struct {
    double function, innermost;
} Reported;

static Reported reported_of(int row)
{
    uint32_t number = number_of(row);
    const HieraPlanFunction *function = (const HieraPlanFunction *)hiera_plan_part(plan, plan->functions) + number;
    const HieraPlanLoop *loops = hiera_plan_part(plan, plan->loops);
    HieraTimedTree tree;
    hiera_timing_note();
    tree.function = hiera_timing_function(number + 1);
    for (uint32_t i = 0; i < function->n_loops; i++)
        tree.loops[i] = hiera_timing_loop(function->loop + i + 1, number + 1);
    hiera_timed_tree(plan, number, &tree);
    Reported reported = {(double)tree.function.total, 0};
    for (uint32_t i = function->loop; i < function->loop + function->n_loops; i++) {
        gboolean is_innermost = TRUE;
        for (uint32_t j = i; j < plan->loops.n; j++)
            is_innermost &= loops[j].parent != i;
        if (is_innermost)
            reported.innermost += (double)tree.loops[i - function->loop].total;
    }
    return reported;
}

static double ticks_a_ns(void)
{
    int64_t begin = bench_now_ns();
    uint64_t ticks = __builtin_ia32_rdtsc();
    while (bench_now_ns() - begin < 50000000)
        ;
    return (double)(__builtin_ia32_rdtsc() - ticks) / (double)(bench_now_ns() - begin);
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
    static double before[TURNS_MAX], moved_to[TURNS_MAX], back[TURNS_MAX], noise[TURNS_MAX], function[TURNS_MAX],
        innermost[TURNS_MAX];
    int turns = argc > 1 ? atoi(argv[1]) : TURNS;
    if (turns < 1 || turns > TURNS_MAX) {
        fprintf(stderr, "timed_loops: turns are 1 to %d\n", TURNS_MAX);
        return 2;
    }
    HieraMoved moved = move_all();
    hiera_timing_calibrate();
    hiera_timed_kept_costs = hiera_timed_costs;
    double pace = ticks_a_ns();
    printf("medians of %d turns, as ratios to the time before; noise: two measurements before, one after the other; an "
           "event takes %.1f ns\n",
           turns,
           (double)(hiera_timed_costs.kinds[HIERA_PLAN_LOOP_IN] + hiera_timed_costs.kinds[HIERA_PLAN_LOOP_OUT]) / 2 /
               pace);
    printf("%-28s %11s %8s %8s %8s %10s %10s\n", "", "before [ns]", "noise", "moved", "back", "reported", "innermost");
    for (int row = 0; row < bench_n_loops; row++) {
        if (argc > 2 && !strstr(bench_loops[row].name, argv[2]))
            continue;
        uint64_t calls = find_calls(row);
        for (int i = 0; i < turns; i++) {
            double again = measure(row, calls).processor;
            before[i] = measure(row, calls).processor;
            must(hiera_moved_redirect(&moved));
            Reported since = reported_of(row);
            Spent spent = measure(row, calls);
            moved_to[i] = spent.processor / before[i];
            Reported until = reported_of(row);
            must(hiera_moved_undo(&moved));
            back[i] = measure(row, calls).processor / before[i];
            noise[i] = before[i] / again;
            function[i] = (until.function - since.function) / pace / (double)calls / spent.clock;
            innermost[i] = (until.innermost - since.innermost) / pace / (double)calls / spent.clock;
        }
        double longer = median(moved_to, turns);
        printf("%-28s %11.1f %8.3f %8.3f %8.3f %10.3f %10.3f\n", bench_loops[row].name, median(before, turns),
               median(noise, turns), longer, median(back, turns), longer * median(function, turns),
               longer * median(innermost, turns));
    }
    return hiera_timing_lost() > 0;
}
