/* Operations that stand for several calls: they lie beside the rows, with all that belongs to them. */
#include "harness/harness.h"
#include "hiera_summed.h"
#include "suites.h"
#include "values/value_sums.h"

#define REGION(operation, more, body)                                                                                  \
    "<hieraRegion level=\"app\" operation=\"" operation "\" file=\"t.c\" line=\"3\" start_time=\"1\" " more ">" body   \
    "</hieraRegion>\n"

static const HieraSummed *peek(const Harness *harness, guint i)
{
    ck_assert_uint_lt(i, harness->trace->summed->len);
    return g_array_index(harness->trace->summed, HieraSummedOf, i).summed;
}

START_TEST(sums_are_no_rows)
{
    Harness harness = HARNESS(CALL(1, "barrier", WORLD) REGION(
        "step", "finish_time=\"9\" calls=\"4\" time=\"6\" min=\"1\" max=\"2\"",
        "<hieraSpread of=\"time\" bins=\"30:1 31:3\"/><hieraPart comm=\"MPI_COMM_WORLD\" peer=\"0\" "
        "calls=\"3\" bytes=\"12\"/>" CALL(2, "barrier", WORLD)) CALL(9, "barrier", WORLD));
    const HieraSummed *step = peek(&harness, 0), *inside = peek(&harness, 1);
    ck_assert_uint_eq(harness.trace->n_operations, 2);
    ck_assert_uint_eq(harness.trace->summed->len, 2);
    ck_assert_int_eq(step->calls, 4);
    ck_assert_int_eq(step->time_ns, G_GINT64_CONSTANT(6000000000));
    ck_assert_uint_eq(step->times->len, 2);
    ck_assert_int_eq(g_array_index(step->times, HieraBin, 1).calls, 3);
    ck_assert_uint_eq(step->parts->len, 1);
    ck_assert_int_eq(g_array_index(step->parts, HieraPart, 0).peer, 0);
    ck_assert_uint_eq(step->before, 1);
    ck_assert_uint_eq(inside->depth, 1);
    ck_assert_int_eq(inside->calls, 1);
    ck_assert_int_eq(inside->time_ns, 500000000);
    harness_clear(&harness);
}
END_TEST

START_TEST(open_calls_last_to_the_end)
{
    const HieraSummed summed = {
        .calls = 5, .open = 2, .time_ns = 30, .open_since_ns = 100, .first_ns = 10, .last_ns = 60};
    ck_assert_int_eq(hiera_summed_time(&summed, 150), 30 + 2 * 50);
    ck_assert_int_eq(hiera_summed_time(&summed, 50), 30);
    ck_assert_int_eq(hiera_summed_time(&summed, HIERA_TOO_LARGE), HIERA_TOO_LARGE);
}
END_TEST

START_TEST(only_a_single_call_is_cut)
{
    const HieraSummed one = {.calls = 1, .time_ns = 50, .first_ns = 10, .last_ns = 60};
    const HieraSummed many = {.calls = 3, .time_ns = 20, .first_ns = 10, .last_ns = 60};
    ck_assert_int_eq(hiera_summed_time_between(&one, 40, 50), 10);
    ck_assert_int_eq(hiera_summed_time_between(&one, 60, 90), 0);
    ck_assert_int_eq(hiera_summed_time_between(&many, 40, 50), 20);
    ck_assert_int_eq(hiera_summed_time_between(&many, 0, 10), 0);
}
END_TEST

START_TEST(quartiles_are_bounded)
{
    HieraValueSums sums = {0};
    for (gint64 value = 1; value <= 8; value++) /* digits: 1, 2 2, 3 3 3 3, 4 */
        hiera_value_sums_add_value(&sums, value);
    HieraDistribution found = hiera_value_sums_distribution(&sums);
    ck_assert_int_eq(found.count, 8);
    ck_assert_int_eq(found.mean, 4);
    ck_assert_int_eq(found.q1, 3);     /* 2 */
    ck_assert_int_eq(found.median, 7); /* 4 */
    ck_assert_int_eq(found.q3, 7);     /* 6 */
    ck_assert_int_eq(found.max, 8);
}
END_TEST

START_TEST(sums_stay_too_large)
{
    HieraValueSums sums = {0}, more = {0};
    g_autoptr(GArray) bins = g_array_new(FALSE, FALSE, sizeof(HieraBin));
    g_array_append_val(bins, ((HieraBin){63, G_MAXINT64 - 1}));
    hiera_value_sums_add_bins(&sums, bins, -1, G_MAXINT64 - 1, -1, -1);
    hiera_value_sums_merge(&more, &sums);
    hiera_value_sums_merge(&more, &sums);
    HieraDistribution found = hiera_value_sums_distribution(&more);
    ck_assert_int_eq(found.count, HIERA_TOO_LARGE);
    ck_assert_int_eq(found.sum, HIERA_TOO_LARGE);
    ck_assert_int_eq(found.min, (gint64)1 << 62);
    ck_assert_int_eq(found.max, G_MAXINT64);
}
END_TEST

TCase *summed_tests(void)
{
    TCase *tests = tcase_create("summed");
    tcase_add_test(tests, sums_are_no_rows);
    tcase_add_test(tests, open_calls_last_to_the_end);
    tcase_add_test(tests, only_a_single_call_is_cut);
    tcase_add_test(tests, quartiles_are_bounded);
    tcase_add_test(tests, sums_stay_too_large);
    return tests;
}
