/* What events of copies do to the table of times. */
#include "collector/loops/timing_table.h"
#include "dtd/plan.h"

#include <check.h>
#include <stdlib.h>

static void tell(HieraPlanEvent kind, uint32_t number)
{
    hiera_timing_tell(number * HIERA_PLAN_EVENTS + kind, (uintptr_t)&number);
}

/* A function's number is used again while an activation is in progress, as when a library's functions are moved in
 * turn. */
START_TEST(activations_keep_their_loops)
{
    ck_assert(hiera_timing_begin());
    hiera_timed_functions[1] = (HieraTimedFunction){10, 2};
    tell(HIERA_PLAN_FUNCTION_IN, 1);
    tell(HIERA_PLAN_LOOP_IN, 11);
    hiera_timed_functions[1] = (HieraTimedFunction){20, 1};
    tell(HIERA_PLAN_LOOP_OUT, 11);
    tell(HIERA_PLAN_LOOP_IN, 10);
    tell(HIERA_PLAN_FUNCTION_OUT, 1);
    ck_assert_uint_eq(hiera_timing_function(1).sum.executions, 1);
    ck_assert_uint_eq(hiera_timing_loop(10, 1).sum.executions, 1);
    ck_assert_uint_eq(hiera_timing_loop(11, 1).sum.executions, 1);
    ck_assert_uint_eq(hiera_timing_loop(20, 1).sum.executions, 0);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
    tell(HIERA_PLAN_FUNCTION_IN, 1);
    tell(HIERA_PLAN_LOOP_IN, 20);
    tell(HIERA_PLAN_FUNCTION_OUT, 1);
    ck_assert_uint_eq(hiera_timing_loop(20, 1).sum.executions, 1);
}
END_TEST

static void tell_at(HieraPlanEvent kind, uint32_t number, uintptr_t stack)
{
    hiera_timing_tell(number * HIERA_PLAN_EVENTS + kind, stack);
}

static void expect_own_within(HieraTimedTotal timed)
{
    ck_assert_uint_gt(timed.sum.own, 0);
    ck_assert_uint_ge(timed.sum.total, timed.sum.own);
    ck_assert_uint_ge(timed.sum.events, timed.sum.own_events);
}

/* Loop 12 runs only in the inner activation of a function that calls itself from loop 11: it has time all the same.
 * Loop 11 runs in both: the outer execution has the time of both. What is in progress counts. */
START_TEST(loops_of_recursion_have_their_own_time)
{
    enum { OUTER = 1 << 20, INNER = OUTER - 4096 };
    ck_assert(hiera_timing_begin());
    hiera_timed_functions[2] = (HieraTimedFunction){11, 2};
    tell_at(HIERA_PLAN_FUNCTION_IN, 2, OUTER);
    tell_at(HIERA_PLAN_LOOP_IN, 11, OUTER);
    tell_at(HIERA_PLAN_CALL, 2, OUTER);
    tell_at(HIERA_PLAN_FUNCTION_IN, 2, INNER);
    tell_at(HIERA_PLAN_LOOP_IN, 11, INNER);
    tell_at(HIERA_PLAN_LOOP_OUT, 11, INNER);
    tell_at(HIERA_PLAN_LOOP_IN, 12, INNER);
    for (int turn = 0; turn < 2; turn++) {
        HieraTimedTotal first = hiera_timing_loop(11, 2), second = hiera_timing_loop(12, 2),
                        function = hiera_timing_function(2);
        expect_own_within(first);
        expect_own_within(second);
        expect_own_within(function);
        ck_assert_uint_ge(function.sum.total, first.sum.total);
        ck_assert_uint_ge(function.sum.total, second.sum.total);
        ck_assert_uint_ge(function.sum.own, first.sum.own + second.sum.own);
        ck_assert_uint_eq(function.sum.inner, turn);
        ck_assert_uint_eq(function.sum.own_events, turn == 0 ? 5 : 9);
        ck_assert_uint_eq(function.sum.events, turn == 0 ? 5 : 9);
        if (turn > 0)
            break;
        tell_at(HIERA_PLAN_LOOP_OUT, 12, INNER);
        tell_at(HIERA_PLAN_FUNCTION_OUT, 2, INNER);
        tell_at(HIERA_PLAN_BACK, 2, OUTER);
        tell_at(HIERA_PLAN_FUNCTION_OUT, 2, OUTER);
    }
    ck_assert_uint_eq(hiera_timing_loop(11, 2).sum.inner, 1);
    ck_assert_uint_eq(hiera_timing_loop(12, 2).sum.inner, 0);
    ck_assert_uint_eq(hiera_timing_lost(), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tcase = tcase_create("events");
    tcase_add_test(tcase, activations_keep_their_loops);
    tcase_add_test(tcase, loops_of_recursion_have_their_own_time);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
