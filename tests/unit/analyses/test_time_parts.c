/* Parts of the run for which lost time is kept apart (analyses/search/time_parts.h). */
#include "harness/harness.h"
#include "search/time_parts.h"
#include "suites.h"

#define SECOND G_GINT64_CONSTANT(1000000000)

/* Return a rank whose step number i begins at 1 + i seconds and lasts half a second; free with g_free. */
static char *steps(guint n)
{
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(
            text,
            "<hieraRegion level=\"app\" operation=\"step\" file=\"t.c\" line=\"3\" start_time=\"%u\" "
            "finish_time=\"%u.5\"/>\n",
            1 + i, 1 + i);
    return g_string_free(text, FALSE);
}

static void name_is(const HieraTimeParts *parts, guint first, guint end, const char *expected)
{
    guint8 of_part[HIERA_TIME_PARTS_MAX] = {0};
    for (guint i = first; i < end; i++)
        of_part[i] = 1;
    g_autofree char *name = hiera_time_parts_name(parts, of_part, 1);
    ck_assert_str_eq(name, expected);
}

static void with_parts(guint n_steps, void (*check)(const HieraTimeParts *parts))
{
    const HieraScope all = HIERA_SCOPE_ALL;
    g_autofree char *rank = steps(n_steps);
    Harness h = HARNESS(rank, rank);
    HieraCallPaths paths;
    HieraTimeParts parts;
    hiera_call_paths_init(&paths, h.trace, &all);
    hiera_time_parts_init(&parts, &paths, &all);
    check(&parts);
    hiera_time_parts_clear(&parts);
    hiera_call_paths_clear(&paths);
    harness_clear(&h);
}

/* An interval from the middle of one step to that of the next one: a quarter of a second in each, half a second
 * outside. */
static void check_few(const HieraTimeParts *parts)
{
    gint64 times_ns[HIERA_TIME_PARTS_MAX] = {0};
    ck_assert_uint_eq(parts->n, 6);
    ck_assert_int_eq(parts->length_ns[0], SECOND / 2);
    ck_assert_int_eq(parts->length_ns[5], parts->to_ns - parts->from_ns - 5 * SECOND / 2);
    hiera_time_parts_add(parts, 1, 2 * SECOND + SECOND / 4, 3 * SECOND + SECOND / 4, (HieraPortion){1, 1}, times_ns);
    ck_assert_int_eq(times_ns[0], 0);
    ck_assert_int_eq(times_ns[1], SECOND / 4);
    ck_assert_int_eq(times_ns[2], SECOND / 4);
    ck_assert_int_eq(times_ns[5], SECOND / 2);
    name_is(parts, 1, 2, "iteration 2");
    name_is(parts, 0, 5, "iterations 1-5");
    name_is(parts, 5, 6, "outside iterations");
}

START_TEST(each_of_few_iterations_is_a_part)
{
    with_parts(5, check_few);
}
END_TEST

/* 70 iterations are 32 parts of two or three: the first has 1 to 3, since 3 · 32 / 70 is the first to reach 1. */
static void check_many(const HieraTimeParts *parts)
{
    gint64 sum_ns = 0;
    ck_assert_uint_eq(parts->n, 33);
    for (guint i = 0; i < 32; i++)
        sum_ns += parts->length_ns[i];
    ck_assert_int_eq(sum_ns, 35 * SECOND);
    ck_assert_int_eq(parts->length_ns[0], 3 * SECOND / 2);
    ck_assert_int_eq(parts->length_ns[1], SECOND);
    name_is(parts, 0, 1, "iterations 1-3");
    name_is(parts, 1, 2, "iterations 4-5");
    name_is(parts, 1, 32, "iterations 4-70");
}

START_TEST(of_many_iterations_some_are_one_part)
{
    with_parts(70, check_many);
}
END_TEST

static void check_quarters(const HieraTimeParts *parts)
{
    ck_assert_uint_eq(parts->n, 4);
    ck_assert(!hiera_time_parts_is_outside(parts, 3));
    name_is(parts, 1, 3, "quarters 2-3");
    name_is(parts, 3, 4, "quarter 4");
}

START_TEST(without_iterations_there_are_quarters)
{
    with_parts(2, check_quarters);
}
END_TEST

TCase *time_parts_tests(void)
{
    TCase *tests = tcase_create("time_parts");
    tcase_add_test(tests, each_of_few_iterations_is_a_part);
    tcase_add_test(tests, of_many_iterations_some_are_one_part);
    tcase_add_test(tests, without_iterations_there_are_quarters);
    return tests;
}
