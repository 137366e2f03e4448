/* Libraries that are loaded when they are needed. */
#include "base/on_demand.h"
#include "suites.h"

START_TEST(a_function_is_found_in_its_library)
{
    double (*cosine)(double) = (double (*)(double))hiera_on_demand("libm.so.6", "cos");
    ck_assert_double_eq(cosine(0), 1);
}
END_TEST

START_TEST(a_missing_library_ends_the_program)
{
    hiera_on_demand("libhiera-is-not-there.so.1", "cos");
}
END_TEST

START_TEST(a_missing_function_ends_the_program)
{
    hiera_on_demand("libm.so.6", "hiera_is_not_there");
}
END_TEST

TCase *on_demand_tests(void)
{
    enum { UNREADABLE = 3 };
    TCase *tests = tcase_create("on demand");
    tcase_add_test(tests, a_function_is_found_in_its_library);
    tcase_add_exit_test(tests, a_missing_library_ends_the_program, UNREADABLE);
    tcase_add_exit_test(tests, a_missing_function_ends_the_program, UNREADABLE);
    return tests;
}
