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

int main(void)
{
    Suite *suite = suite_create("events");
    TCase *tcase = tcase_create("events");
    tcase_add_test(tcase, activations_keep_their_loops);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
