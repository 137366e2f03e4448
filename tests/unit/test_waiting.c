/* Waiting times (analyses/waiting.h) of small traces, worked out by hand. */
#include "harness.h"
#include "suites.h"
#include "waiting.h"

/* Check the waiting times of all operations, in seconds by rank: "r0: 0 3; r1: 1". */
static void expect_waiting(Harness h, const char *expected)
{
    g_autofree gint64 *waiting = hiera_waiting_compute(h.graph);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint32 i = 0; i < h.trace->n_processors; i++) {
        const HieraProcessor *processor = &h.trace->processors[i];
        g_string_append_printf(text, "%sr%u:", i ? "; " : "", processor->rank);
        for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++)
            g_string_append_printf(text, " %g", (double)waiting[row] / 1e9);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

#define SEND_AT(start, finish, to)      SPAN(start, finish, "send", "dest=\"" #to "\" tag=\"0\"" WORLD)
#define RECEIVE_AT(start, finish, from) SPAN(start, finish, "receive", "rem=\"" #from "\" tag=\"0\"" WORLD)
#define ISEND_AT(start, finish, to)     SPAN(start, finish, "isend", "dest=\"" #to "\" tag=\"0\" request=\"1\"" WORLD)
#define IRECV_AT(start, finish, from)   SPAN(start, finish, "irecv", "rem=\"" #from "\" tag=\"0\" request=\"1\"" WORLD)
#define WAIT_AT(start, finish)          SPAN(start, finish, "wait", "requests=\"1\"")
#define BARRIER_AT(start, finish)       SPAN(start, finish, "barrier", WORLD)
#define ROOTED_AT(start, finish, name)  SPAN(start, finish, name, "root=\"0\"" WORLD)
#define SCAN_AT(start, finish)          SPAN(start, finish, "scan", WORLD)

START_TEST(late_sender)
{
    expect_waiting(HARNESS(SEND_AT("5", "6", 1), RECEIVE_AT("2", "7", 0)), "r0: 0; r1: 3");
}
END_TEST

START_TEST(a_send_that_was_over_before_the_receive_waited_for_nobody)
{
    expect_waiting(HARNESS(SEND_AT("1", "2", 1), RECEIVE_AT("5", "6", 0)), "r0: 0; r1: 0");
}
END_TEST

START_TEST(late_receiver)
{
    expect_waiting(HARNESS(SEND_AT("1", "6", 1), RECEIVE_AT("4", "6", 0)), "r0: 3; r1: 0");
}
END_TEST

START_TEST(non_blocking_operations_wait_where_they_are_completed)
{
    expect_waiting(HARNESS(SEND_AT("5", "6", 1), IRECV_AT("1", "1.5", 0) WAIT_AT("2", "7")), "r0: 0; r1: 0 3");
    expect_waiting(HARNESS(ISEND_AT("1", "1.5", 1) WAIT_AT("2", "6"), RECEIVE_AT("4", "6", 0)), "r0: 0 2; r1: 0");
    expect_waiting(HARNESS(SPAN("1", "1.5", "ibarrier", "request=\"1\"" WORLD) WAIT_AT("2", "8"),
                           SPAN("6", "6.5", "ibarrier", "request=\"1\"" WORLD) WAIT_AT("7", "8")),
                   "r0: 0 4; r1: 0 0");
}
END_TEST

START_TEST(all_members_of_a_barrier_wait_for_the_last)
{
    expect_waiting(HARNESS(BARRIER_AT("1", "6"), BARRIER_AT("2", "6"), BARRIER_AT("5", "6")), "r0: 4; r1: 3; r2: 0");
    expect_waiting(HARNESS(BARRIER_AT("1", "6"), BARRIER_AT("2", "6")), "r0: 1; r1: 0");
}
END_TEST

START_TEST(late_broadcast_and_early_reduce)
{
    expect_waiting(
        HARNESS(ROOTED_AT("4", "5", "broadcast"), ROOTED_AT("1", "5", "broadcast"), ROOTED_AT("4.5", "5", "broadcast")),
        "r0: 0; r1: 3; r2: 0");
    expect_waiting(HARNESS(ROOTED_AT("1", "6", "reduce"), ROOTED_AT("5", "5.5", "reduce")), "r0: 4; r1: 0");
}
END_TEST

START_TEST(a_prefix_waits_for_all_lower_ranks)
{
    expect_waiting(HARNESS(SCAN_AT("5", "6"), SCAN_AT("1", "6"), SCAN_AT("2", "6")), "r0: 0; r1: 4; r2: 3");
}
END_TEST

/* The clocks differ: the message is received before it was sent. */
START_TEST(nobody_waits_longer_than_the_call_lasts)
{
    expect_waiting(HARNESS(SEND_AT("5", "6", 1), RECEIVE_AT("1", "2", 0)), "r0: 0; r1: 1");
}
END_TEST

TCase *waiting_tests(void)
{
    TCase *tests = tcase_create("waiting");
    tcase_add_test(tests, late_sender);
    tcase_add_test(tests, a_send_that_was_over_before_the_receive_waited_for_nobody);
    tcase_add_test(tests, late_receiver);
    tcase_add_test(tests, non_blocking_operations_wait_where_they_are_completed);
    tcase_add_test(tests, all_members_of_a_barrier_wait_for_the_last);
    tcase_add_test(tests, late_broadcast_and_early_reduce);
    tcase_add_test(tests, a_prefix_waits_for_all_lower_ranks);
    tcase_add_test(tests, nobody_waits_longer_than_the_call_lasts);
    return tests;
}
