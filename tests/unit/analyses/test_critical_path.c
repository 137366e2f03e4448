/* The critical path (analyses/paths/critical_path.c) of small traces, worked out by hand. */
#include "harness/answers.h"
#include "suites.h"

/* Check the time of each rank on the path in seconds, the most first: "P0 computation 3; …". */
static void expect_path(Harness h, const char *expected)
{
    const HieraMeasure *measure = &hiera_measure_critical_path;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, "rank");
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        g_string_append_printf(text, "%sP%s %s %g", row ? "; " : "", cells[2].text, cells[3].text,
                               (double)number_at(table, measure, row, "time") / 1e9);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

START_TEST(without_waits_the_path_stays_on_the_rank_that_ends_last)
{
    expect_path(HARNESS("", SPAN("1", "3", "barrier", "")), "P0 computation 100");
}
END_TEST

/* P1 waits from 2 to 5 for P0's send; P0's computation before is on the path, and P1's receive behind it. */
START_TEST(a_late_sender_takes_the_path_to_its_rank)
{
    expect_path(HARNESS(SEND_AT("5", "6", 1) BARRIER_AT("7", "9"), RECEIVE_AT("2", "7", 0) BARRIER_AT("8", "9")),
                "P0 computation 96; P1 communication 2; P0 communication 1; P1 computation 1");
}
END_TEST

/* The last to come is P2, after it waited for P1: from P0 over P2 to P1. */
START_TEST(a_chain_of_waits_is_followed)
{
    expect_path(HARNESS(BARRIER_AT("1", "9"), SEND_AT("4", "4.5", 2) BARRIER_AT("5", "9"),
                        RECEIVE_AT("2", "6", 1) BARRIER_AT("8", "9")),
                "P0 computation 91; P1 computation 4; P2 computation 2; P2 communication 2; P0 communication 1");
}
END_TEST

/* By the clocks, P1 receives before P0 sends, and P0 has left the barrier before P1 comes. The path goes over at the
 * ends of these calls: P0 from 62 on, P1 from 2 on, P0. */
START_TEST(wrong_clocks_keep_the_time_of_the_path)
{
    expect_path(HARNESS(SEND_AT("50", "60", 1) BARRIER_AT("61", "62"), RECEIVE_AT("1", "2", 0) BARRIER_AT("70", "71")),
                "P1 computation 60; P0 computation 40");
}
END_TEST

/* Each waits for the other: P0 from 1 to 4 for the send at 4, P1 from 1 to 4 for that at 5. At 4 the path goes over to
 * P1 and back; P0's wait was left already, so it counts as part of the path. */
START_TEST(a_circle_of_waits_ends)
{
    expect_path(HARNESS(RECEIVE_AT("1", "4", 1) SEND_AT("5", "6", 1), RECEIVE_AT("1", "4", 0) SEND_AT("4", "6", 0)),
                "P0 computation 96; P0 communication 4");
}
END_TEST

TCase *critical_path_tests(void)
{
    TCase *tests = tcase_create("critical path");
    tcase_add_test(tests, without_waits_the_path_stays_on_the_rank_that_ends_last);
    tcase_add_test(tests, a_late_sender_takes_the_path_to_its_rank);
    tcase_add_test(tests, a_chain_of_waits_is_followed);
    tcase_add_test(tests, wrong_clocks_keep_the_time_of_the_path);
    tcase_add_test(tests, a_circle_of_waits_ends);
    return tests;
}
