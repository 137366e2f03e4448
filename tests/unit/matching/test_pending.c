/* Tests in vain and what they could have completed (transform/matching/match_pending.c), worked out by hand. */
#include "harness/harness.h"
#include "suites.h"

#define IRECV(time, number) CALL(time, "irecv", "rem=\"1\" tag=\"0\" request=\"" #number "\"" WORLD)
#define TEST(time, pending) CALL(time, "testall", "pending=\"" pending "\" flag=\"0\"")
#define WAIT(time, number)  CALL(time, "wait", "requests=\"" #number "\"")

static void append_test(const HieraTestInVain *test, gpointer user)
{
    GString *text = user;
    g_string_append_printf(text, "%s%u:", text->len > 0 ? "; " : "", test->row);
    for (guint i = 0; i < test->n; i++)
        g_string_append_printf(text, " %u", test->starts[i]);
    g_string_append_printf(text, "%s%s", test->whole ? "" : " ?", test->again ? " again" : "");
}

/* Check the tests: "2: 0 1" if row 2 tested what rows 0 and 1 started; with "?" if it tested more, that is not known;
 * with "again" if it is the same as in the test before. */
static void expect_tests(Harness h, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hiera_match_visit_tests(hiera_graph_peek_match(h.graph), append_test, text);
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

START_TEST(a_test_names_what_started_its_requests)
{
    expect_tests(HARNESS(IRECV(1, 1) IRECV(2, 2) TEST(3, "1..2") TEST(4, "2") WAIT(5, 1) WAIT(6, 2), ""),
                 "2: 0 1; 3: 1");
}
END_TEST

START_TEST(a_loop_tests_the_same_again)
{
    expect_tests(HARNESS(IRECV(1, 1) TEST(2, "1") TEST(3, "1") IRECV(4, 2) TEST(5, "1") WAIT(6, 1), ""),
                 "1: 0; 2: 0 again; 4: 0");
}
END_TEST

START_TEST(what_was_completed_or_never_made_is_not_known)
{
    expect_tests(HARNESS(IRECV(1, 1) IRECV(2, 2) WAIT(3, 1) TEST(4, "1..2"), ""), "3: 1 ?");
    expect_tests(HARNESS(IRECV(1, 5) TEST(2, "1..1000000"), ""), "1: 0 ?");
}
END_TEST

/* Numbers are used again: the operation is the one that started the request last. */
START_TEST(the_last_start_of_a_number_counts)
{
    expect_tests(HARNESS(IRECV(1, 1) WAIT(2, 1) IRECV(3, 1) TEST(4, "1"), ""), "3: 2");
}
END_TEST

/* A persistent request that is not started, or complete, is no reason to wait. */
START_TEST(persistent_requests_count_while_they_are_active)
{
    expect_tests(HARNESS(CALL(1, "recv_init", "rem=\"1\" tag=\"0\" request=\"1\"" WORLD) TEST(2, "1")
                             CALL(3, "start", "requests=\"1\"") TEST(4, "1") WAIT(5, 1) TEST(6, "1"),
                         ""),
                 "1:; 3: 2; 5:");
}
END_TEST

TCase *pending_tests(void)
{
    TCase *tests = tcase_create("pending");
    tcase_add_test(tests, a_test_names_what_started_its_requests);
    tcase_add_test(tests, a_loop_tests_the_same_again);
    tcase_add_test(tests, what_was_completed_or_never_made_is_not_known);
    tcase_add_test(tests, the_last_start_of_a_number_counts);
    tcase_add_test(tests, persistent_requests_count_while_they_are_active);
    return tests;
}
