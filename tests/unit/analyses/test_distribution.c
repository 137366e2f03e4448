/* Distributions of values, compared with what sorting gives. */
#include "suites.h"
#include "values/distribution.h"
#include <stdlib.h>

static int compare(const void *left, const void *right)
{
    gint64 a = *(const gint64 *)left, b = *(const gint64 *)right;
    return (a > b) - (a < b);
}

static void expect_sorted(const gint64 *values, gsize n)
{
    g_autofree gint64 *sorted = g_memdup2(values, n * sizeof *values), *given = g_memdup2(values, n * sizeof *values);
    qsort(sorted, n, sizeof *sorted, compare);
    HieraDistribution found = hiera_distribution_of(given, n);
    ck_assert_int_eq(found.count, (gint64)n);
    ck_assert_int_eq(found.min, sorted[0]);
    ck_assert_int_eq(found.q1, sorted[(n + 3) / 4 - 1]);
    ck_assert_int_eq(found.median, sorted[(n + 1) / 2 - 1]);
    ck_assert_int_eq(found.q3, sorted[(3 * n + 3) / 4 - 1]);
    ck_assert_int_eq(found.max, sorted[n - 1]);
}

START_TEST(quartiles_are_those_of_sorted_values)
{
    gint64 values[200];
    for (guint range = 1; range < 1000; range *= 3) {
        for (gsize n = 1; n <= G_N_ELEMENTS(values); n++) {
            for (gsize i = 0; i < n; i++)
                values[i] = g_random_int_range(-(gint32)range, (gint32)range);
            expect_sorted(values, n);
        }
    }
}
END_TEST

START_TEST(quartiles_of_ordered_values)
{
    gint64 values[1000];
    for (gint64 step = -1; step <= 1; step++) {
        for (gsize i = 0; i < G_N_ELEMENTS(values); i++)
            values[i] = (gint64)i * step;
        expect_sorted(values, G_N_ELEMENTS(values));
    }
}
END_TEST

START_TEST(moments_are_exact)
{
    gint64 values[] = {2, 4, 4, 4, 5, 5, 7, 9};
    HieraDistribution found = hiera_distribution_of(values, G_N_ELEMENTS(values));
    ck_assert_int_eq(found.sum, 40);
    ck_assert_int_eq(found.mean, 5);
    ck_assert_int_eq(found.deviation, 2);
    gint64 two[] = {0, 999999999999999999};
    found = hiera_distribution_of(two, G_N_ELEMENTS(two));
    ck_assert_int_eq(found.mean, 499999999999999999);
    ck_assert_int_eq(found.deviation, 499999999999999999);
    found = hiera_distribution_of(NULL, 0);
    ck_assert_int_eq(found.count, 0);
    ck_assert_int_eq(found.max, 0);
}
END_TEST

START_TEST(absurd_values_do_not_overflow)
{
    gint64 values[] = {G_MAXINT64, G_MAXINT64, G_MININT64, G_MININT64, G_MAXINT64, G_MININT64};
    HieraDistribution found = hiera_distribution_of(values, G_N_ELEMENTS(values));
    ck_assert_int_eq(found.sum, -3);
    ck_assert_int_eq(found.mean, -1);
    ck_assert_int_eq(found.deviation, HIERA_TOO_LARGE);
    gint64 large[] = {G_MAXINT64, 1};
    ck_assert_int_eq(hiera_distribution_of(large, 2).sum, HIERA_TOO_LARGE);
}
END_TEST

TCase *distribution_tests(void)
{
    TCase *tests = tcase_create("distribution");
    tcase_add_test(tests, quartiles_are_those_of_sorted_values);
    tcase_add_test(tests, quartiles_of_ordered_values);
    tcase_add_test(tests, moments_are_exact);
    tcase_add_test(tests, absurd_values_do_not_overflow);
    return tests;
}
