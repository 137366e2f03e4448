/* Numbers, times and lists of ranks. */
#include "base/key_index.h"
#include "base/parse_numbers.h"
#include "base/ranks.h"
#include "suites.h"
#include "text/hash.h"
#include <string.h>

static void expect_seconds(const char *text, gint64 expected)
{
    gint64 actual = -12345;
    ck_assert_msg(hiera_seconds_parse(text, strlen(text), &actual), "'%s' was refused", text);
    ck_assert_msg(actual == expected, "'%s': expected %" G_GINT64_FORMAT " ns, actual %" G_GINT64_FORMAT, text,
                  expected, actual);
}

START_TEST(times_are_exact_to_the_nanosecond)
{
    expect_seconds("0", 0);
    expect_seconds("0.000000001", 1);
    expect_seconds("1.969060114", 1969060114);
    expect_seconds("0.01229", 12290000);
    expect_seconds("134.766716", 134766716000);
    expect_seconds("9007199254.740993001", 9007199254740993001); /* a double cannot hold this */
    expect_seconds("-0.5", -500000000);
}
END_TEST

START_TEST(the_tenth_digit_of_a_time_rounds)
{
    expect_seconds("0.0000000014", 1);
    expect_seconds("0.0000000015", 2);
    expect_seconds("0.9999999999", 1000000000);
}
END_TEST

START_TEST(invalid_times_are_refused)
{
    static const char *const texts[] = {"",
                                        "-",
                                        ".",
                                        ".5",
                                        "1.",
                                        "NaN",
                                        "inf",
                                        "1e3",
                                        "1e999",
                                        "0x10",
                                        " 1",
                                        "1 ",
                                        "1,5",
                                        "--1",
                                        "1.5s",
                                        "9223372036.854775807",
                                        "99999999999999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        gint64 ns = 7;
        ck_assert_msg(!hiera_seconds_parse(texts[i], strlen(texts[i]), &ns), "'%s' was taken as %" G_GINT64_FORMAT,
                      texts[i], ns);
        ck_assert_int_eq(ns, 7);
    }
}
END_TEST

/* Numbers with more than 18 digits are checked for overflow. */
START_TEST(numbers_of_any_length_are_read)
{
    for (gsize length = 1; length <= 18; length++) {
        char text[20];
        gint64 actual = -1;
        for (gsize i = 0; i < length; i++)
            text[i] = (char)('0' + (i + 1) % 10);
        ck_assert(hiera_number_parse(text, length, &actual));
        text[length] = '\0';
        ck_assert_int_eq(actual, g_ascii_strtoll(text, NULL, 10));
        for (gsize odd = 0; odd < length; odd++)
            for (guint c = 0; c < 256; c++) {
                char kept = text[odd];
                text[odd] = (char)c;
                ck_assert_int_eq(hiera_number_parse(text, length, &actual),
                                 g_ascii_isdigit(c) || (c == '-' && odd == 0 && length > 1));
                text[odd] = kept;
            }
    }
}
END_TEST

START_TEST(names_of_processors)
{
    gint64 rank = -1;
    ck_assert(hiera_number_parse_processor("P0", 2, &rank) && rank == 0);
    ck_assert(hiera_number_parse_processor("P131071", 7, &rank) && rank == 131071);
    static const char *const wrong[] = {"", "P", "0", "p1", "P-1", "P1x", "P 1", "P99999999999"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
        ck_assert_msg(!hiera_number_parse_processor(wrong[i], strlen(wrong[i]), &rank), "'%s' was taken", wrong[i]);
}
END_TEST

START_TEST(numbers_of_base_16)
{
    gint64 number = -1;
    ck_assert(hiera_number_parse_hex("0", 1, &number) && number == 0);
    ck_assert(hiera_number_parse_hex("1a2Bz", 4, &number) && number == 0x1a2b);
    ck_assert(hiera_number_parse_hex("7fffffffffffffff", 16, &number) && number == G_MAXINT64);
    static const char *const wrong[] = {"", "-1", "+1", "0x1", " 1", "1g", "8000000000000000", "10000000000000000"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++)
        ck_assert_msg(!hiera_number_parse_hex(wrong[i], strlen(wrong[i]), &number), "'%s' was taken", wrong[i]);
    ck_assert_int_eq(number, G_MAXINT64);
}
END_TEST

START_TEST(lists_of_ranks_have_ranges_and_strides)
{
    static const gint32 expected[] = {0, 2, 4, 6, 9, 7};
    g_autoptr(HieraRanks) ranks = hiera_ranks_parse("0-6:2 9,7", NULL);
    ck_assert_ptr_nonnull(ranks);
    ck_assert_int_eq(hiera_ranks_count(ranks), 6);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        ck_assert_int_eq(hiera_ranks_at(ranks, i), expected[i]);
        ck_assert_int_eq(hiera_ranks_find(ranks, expected[i]), (gint32)i);
    }
    ck_assert_int_eq(hiera_ranks_at(ranks, 6), HIERA_ABSENT);
    ck_assert_int_eq(hiera_ranks_at(ranks, -1), HIERA_ABSENT);
    ck_assert(!hiera_ranks_contain(ranks, 1) && !hiera_ranks_contain(ranks, 8));
}
END_TEST

START_TEST(huge_lists_of_ranks_need_no_memory)
{
    g_autoptr(HieraRanks) ranks = hiera_ranks_parse("0-2147483646", NULL);
    ck_assert_ptr_nonnull(ranks);
    ck_assert_int_eq(hiera_ranks_at(ranks, 2147483646), 2147483646);
}
END_TEST

START_TEST(invalid_lists_of_ranks_are_refused)
{
    static const char *const texts[] = {"",    " ",     "a",    "3-1",           "1-",  "-1",
                                        "1:2", "1-5:0", "1-5:", "0-99999999999", "1--2"};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++) {
        HieraRanks *ranks = hiera_ranks_parse(texts[i], NULL);
        ck_assert_msg(!ranks, "'%s' was taken", texts[i]);
    }
}
END_TEST

START_TEST(gaps_between_ranks)
{
    const gint64 present[] = {0, 3, 4, 9};
    g_autofree char *some = hiera_ranks_format_gaps(present, 4, 12);
    ck_assert_str_eq(some, "1-2 5-8 10-11");
    g_autofree char *none = hiera_ranks_format_gaps(present, 1, 1);
    ck_assert_str_eq(none, "");
    g_autofree char *unknown = hiera_ranks_format_gaps(present, 4, 0);
    ck_assert_str_eq(unknown, "");
}
END_TEST

/* Keys at distances of 1, 16 and a million, as numbers of requests and addresses. Keys of two words differ in both. */
START_TEST(keys_are_numbered_in_order_of_appearance)
{
    static const guint64 steps[] = {1, 16, 1000000, G_GUINT64_CONSTANT(1) << 32};
    g_autoptr(HieraKeyIndex) index = hiera_key_index_new(2);
    guint32 expected = 0;
    for (guint step = 0; step < G_N_ELEMENTS(steps); step++) {
        for (guint64 i = 1; i <= 10000; i++, expected++) {
            const guint64 key = i * steps[step] + ((guint64)step << 60);
            ck_assert_uint_eq(hiera_key_index_add(index, &key), expected);
        }
    }
    const guint64 again = 16 * 77 + (G_GUINT64_CONSTANT(1) << 60);
    ck_assert_uint_eq(hiera_key_index_add(index, &again), 10000 + 77 - 1);
    ck_assert_mem_eq(hiera_key_index_peek(index, 10000 + 77 - 1), &again, sizeof again);
}
END_TEST

START_TEST(names_have_the_order_of_their_numbers)
{
    static const char *const rising[] = {"",
                                         "a/trace10.xml",
                                         "b/trace.xml",
                                         "b/trace2.xml",
                                         "b/trace010.xml",
                                         "b/trace10.xml.gz",
                                         "b/trace11.xml",
                                         "b/trace100000000000000000000.xml",
                                         "b/trace200000000000000000000.xml",
                                         "b/tracf"};
    for (guint i = 0; i < G_N_ELEMENTS(rising); i++) {
        for (guint j = 0; j < G_N_ELEMENTS(rising); j++) {
            int order = hiera_names_compare(rising[i], rising[j]);
            ck_assert_int_eq((order > 0) - (order < 0), (i > j) - (i < j));
        }
    }
}
END_TEST

START_TEST(pairs_that_share_a_number_have_hashes_of_their_own)
{
    enum { N = 1000 };
    g_autoptr(GHashTable) hashes = g_hash_table_new(NULL, NULL);
    for (guint32 i = 0; i < N; i++) {
        g_hash_table_add(hashes, GUINT_TO_POINTER(hiera_hash_pair(hiera_pair(i, 7))));
        g_hash_table_add(hashes, GUINT_TO_POINTER(hiera_hash_pair(hiera_pair(7, i + N))));
    }
    ck_assert_uint_ge(g_hash_table_size(hashes), 2 * N - 2);
}
END_TEST

TCase *numbers_tests(void)
{
    TCase *tests = tcase_create("numbers");
    tcase_add_test(tests, times_are_exact_to_the_nanosecond);
    tcase_add_test(tests, the_tenth_digit_of_a_time_rounds);
    tcase_add_test(tests, invalid_times_are_refused);
    tcase_add_test(tests, numbers_of_any_length_are_read);
    tcase_add_test(tests, numbers_of_base_16);
    tcase_add_test(tests, names_of_processors);
    tcase_add_test(tests, names_have_the_order_of_their_numbers);
    tcase_add_test(tests, lists_of_ranks_have_ranges_and_strides);
    tcase_add_test(tests, huge_lists_of_ranks_need_no_memory);
    tcase_add_test(tests, invalid_lists_of_ranks_are_refused);
    tcase_add_test(tests, gaps_between_ranks);
    tcase_add_test(tests, keys_are_numbered_in_order_of_appearance);
    tcase_add_test(tests, pairs_that_share_a_number_have_hashes_of_their_own);
    return tests;
}
