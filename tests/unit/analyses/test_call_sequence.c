/* Sequences of calls in little memory (analyses/calls/call_sequence.h). */
#include "calls/call_sequence.h"
#include "harness/harness.h"
#include "suites.h"
#include <string.h>

/* Keep calls in at most so many bytes, and return those that were kept, as a text like "1 2 3", with " …" behind them
 * if the sequence is cut. */
static char *keep(const guint32 *calls, guint n, gsize bytes_max)
{
    HieraCallSequence *sequence = hiera_call_sequence_new(bytes_max);
    HieraCallWalk walk;
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        hiera_call_sequence_append(sequence, calls[i]);
    hiera_call_sequence_finish(sequence);
    hiera_call_walk_init(&walk, sequence);
    for (guint32 call; (call = hiera_call_walk_next(&walk)) != 0;)
        g_string_append_printf(text, "%s%u", text->len > 0 ? " " : "", call);
    g_string_append(text, hiera_call_sequence_is_cut(sequence) ? " …" : "");
    hiera_call_walk_clear(&walk);
    hiera_call_sequence_free(sequence);
    return g_string_free(text, FALSE);
}

static void expect_kept(const guint32 *calls, guint n, gsize bytes_max, const char *expected)
{
    g_autofree char *kept = keep(calls, n, bytes_max);
    ck_assert_str_eq(kept, expected);
}
#define EXPECT_KEPT(bytes_max, expected, ...)                                                                          \
    expect_kept((const guint32[]){__VA_ARGS__}, G_N_ELEMENTS(((const guint32[]){__VA_ARGS__})), bytes_max, expected)

START_TEST(calls_come_back_in_their_order)
{
    expect_kept(NULL, 0, 100, "");
    EXPECT_KEPT(100, "7", 7);
    EXPECT_KEPT(100, "1 2 1 3 1 2", 1, 2, 1, 3, 1, 2);
    EXPECT_KEPT(100, "1 1 1 2 1 1 1 2", 1, 1, 1, 2, 1, 1, 1, 2);
    EXPECT_KEPT(100, "128 16384 2000000 128", 128, 16384, 2000000, 128);
}
END_TEST

/* The pairs: (0, 1), (0, 2), (0, 1), then 1996 as expected, and (1996, 3): 6 bytes before the last pair. */
START_TEST(a_loop_takes_no_memory)
{
    guint32 calls[2000];
    for (guint i = 0; i < G_N_ELEMENTS(calls); i++)
        calls[i] = i + 1 < G_N_ELEMENTS(calls) ? 1 + i % 2 : 3;
    g_autofree char *kept = keep(calls, G_N_ELEMENTS(calls), 7), *all = keep(calls, G_N_ELEMENTS(calls), 1000);
    ck_assert_str_eq(kept, all);
    ck_assert_uint_eq(strlen(kept), 2 * G_N_ELEMENTS(calls) - 1);
}
END_TEST

/* After four bytes no other pair begins, and what comes later is not kept either, though it is as expected. */
START_TEST(a_sequence_is_cut_where_its_memory_ends)
{
    EXPECT_KEPT(4, "1 2 …", 1, 2, 3, 1, 2);
    EXPECT_KEPT(4, "1 2", 1, 2);
    EXPECT_KEPT(0, " …", 1);
}
END_TEST

TCase *call_sequence_tests(void)
{
    TCase *tests = tcase_create("call_sequence");
    tcase_add_test(tests, calls_come_back_in_their_order);
    tcase_add_test(tests, a_loop_takes_no_memory);
    tcase_add_test(tests, a_sequence_is_cut_where_its_memory_ends);
    return tests;
}
