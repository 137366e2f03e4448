/* Functions of this program whose loops are timed, beside what they take when they are not: that lies within the time
 * that is told and its uncertainty, and the time without calls within own time and its own uncertainty. Other work on
 * the machine makes times longer, so the least of several turns counts. */
#include "collector/base/settings.h"
#include "collector/loops/timed_tree.h"
#include "collector/loops/timing_table.h"
#include "image/move/plan_builder.h"
#include "moving.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

HieraTimedCosts hiera_timed_kept_costs;

#define MOVED __attribute__((noinline, noclone, visibility("default")))

enum { TURNS = 200, TURN = 1200000, PERCENT = 100, NOISE = 6 }; /* TURN: ticks; NOISE: percent of a time */

/* Steps that wait for each other: nothing of a call goes on beside what is around it. */
static inline __attribute__((always_inline)) uint64_t steps(uint64_t a, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        a = a * 3 + (a >> 5);
        __asm__("" : "+r"(a));
    }
    return a;
}

static __attribute__((noinline, noclone)) uint64_t long_call(uint64_t a)
{
    return steps(a, 400);
}

static __attribute__((noinline, noclone)) uint64_t short_call(uint64_t a)
{
    return a ^ (a << 13);
}

uint64_t known_nest(uint64_t a), known_collatz(uint64_t a);

/* A function whose loop calls another one, and `own`, which does the same without the calls. */
#define KNOWN(name, own, turns, n, called)                                                                             \
    uint64_t name(uint64_t a), own(uint64_t a);                                                                        \
    MOVED uint64_t name(uint64_t a)                                                                                    \
    {                                                                                                                  \
        for (int i = 0; i < (turns); i++)                                                                              \
            a = called(steps(a, n));                                                                                   \
        return a;                                                                                                      \
    }                                                                                                                  \
    MOVED uint64_t own(uint64_t a)                                                                                     \
    {                                                                                                                  \
        for (int i = 0; i < (turns); i++)                                                                              \
            a = steps(a, n);                                                                                           \
        return a;                                                                                                      \
    }

KNOWN(known_calls, known_own, 100, 200, long_call)
KNOWN(known_short, known_own_short, 1000, 4, short_call)

MOVED uint64_t known_nest(uint64_t a)
{
    for (int i = 0; i < 500; i++)
        a = steps(a, 10 + (unsigned)(a & 15)) + (uint64_t)i;
    return a;
}

MOVED uint64_t known_collatz(uint64_t a)
{
    uint64_t sum = 0;
    for (uint64_t i = 1; i < 200; i++)
        for (uint64_t b = i + (a & 1); b != 1 && b != 0; b = b % 2 ? 3 * b + 1 : b / 2)
            sum += b;
    return sum;
}

/* A function, and one that does the same without its calls; NULL: it has none. */
typedef struct Known {
    const char *name;
    uint64_t (*function)(uint64_t);
    uint64_t (*own)(uint64_t);
} Known;

static const Known all[] = {{"known_calls", known_calls, known_own},
                            {"known_short", known_short, known_own_short},
                            {"known_nest", known_nest, NULL},
                            {"known_collatz", known_collatz, NULL}};

static volatile uint64_t result;

static double ticks_of(uint64_t (*function)(uint64_t), int calls)
{
    uint64_t since = __builtin_ia32_rdtsc(), a = 7;
    for (int i = 0; i < calls; i++)
        a = function(a);
    result = a;
    return (double)(__builtin_ia32_rdtsc() - since) / calls;
}

/* What Hiera tells of some calls of a function and its outermost loop. */
static HieraTimedTree tell_of(const Known *known, uint32_t number, const HieraPlan *plan, int calls)
{
    const HieraPlanFunction *of = (const HieraPlanFunction *)hiera_plan_part(plan, plan->functions) + number - 1;
    HieraTimedTree tree;
    hiera_timing_note();
    memset(hiera_timed_thread->functions, 0, sizeof hiera_timed_thread->functions);
    memset(hiera_timed_thread->loops, 0, sizeof hiera_timed_thread->loops);
    hiera_timed_thread->activations[number].cost = 0;
    HieraTimedHidden *hidden = &hiera_timed_thread->hidden[number];
    *hidden = (HieraTimedHidden){.usual = hidden->usual};
    ticks_of(known->function, calls);
    hiera_timing_note();
    tree.function = hiera_timing_function(number);
    ck_assert_uint_eq(tree.function.executions, (uint64_t)calls);
    for (uint32_t i = 0; i < of->n_loops; i++)
        tree.loops[i] = hiera_timing_loop(of->loop + i + 1, number);
    hiera_timed_tree(plan, number - 1, &tree);
    return tree;
}

static void expect_within(const char *name, const char *what, double known, double told, double uncertainty)
{
    double noise = known * NOISE / PERCENT;
    ck_assert_msg(told - uncertainty <= known + noise && told + uncertainty >= known - noise,
                  "%s: %s is %.0f, told are %.0f and %.0f", name, what, known, told, uncertainty);
}

static void try(const Known *known, HieraMoved *moved)
{
    const HieraPlan *plan = moved->plan;
    uint32_t number = moving_number(plan, known->name);
    double whole = 1e18, own = 1e18;
    HieraTimedTotal least = {.total = UINT64_MAX};
    for (int i = 0; i < TURNS; i++)
        whole = MIN(whole, ticks_of(known->function, 10));
    int calls = 1 + (int)(TURN / whole);
    for (int i = 0; i < TURNS; i++) {
        whole = MIN(whole, ticks_of(known->function, calls));
        own = known->own ? MIN(own, ticks_of(known->own, calls)) : whole;
        ck_assert_ptr_null(hiera_moved_redirect(moved));
        HieraTimedTotal function = tell_of(known, number, plan, calls).function;
        ck_assert_ptr_null(hiera_moved_undo(moved));
        least = function.timed > 0 && function.total < least.total ? function : least;
    }
    expect_within(known->name, "time", whole, (double)least.total / calls, (double)least.uncertainty / calls);
    expect_within(known->name, "own time", own, (double)least.own / calls, (double)least.own_uncertainty / calls);
    printf("%s: time %.0f, told %.0f \302\261 %.0f; own %.0f, told %.0f \302\261 %.0f\n", known->name, whole,
           (double)least.total / calls, (double)least.uncertainty / calls, own, (double)least.own / calls,
           (double)least.own_uncertainty / calls);
}

START_TEST(true_times_are_within_the_uncertainty)
{
    const char *names[G_N_ELEMENTS(all)];
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        names[i] = all[i].name;
    HieraObject *object = hiera_object_open("/proc/self/exe", NULL);
    HieraFunctions *functions = hiera_functions_new(object, NULL);
    uintptr_t base = (uintptr_t)all[0].function -
                     (hiera_functions_named(functions, names[0])->address - hiera_object_first_page(object));
    MovingSubject subject = moving_plan("/proc/self/exe", base, names, G_N_ELEMENTS(all));
    HieraMoved moved = moving_place(&subject);
    hiera_timed_kept_costs = hiera_timed_costs;
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        try(&all[i], &moved);
    hiera_moved_free(&moved);
    g_byte_array_unref(subject.plan);
    hiera_functions_free(functions);
    hiera_object_free(object);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("known times");
    TCase *tcase = tcase_create("known times");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, true_times_are_within_the_uncertainty);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
