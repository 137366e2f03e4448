/* Slack (analyses/paths/slack.c) of the calls of small traces, worked out by hand. */
#include "harness/answers.h"
#include "paths/replay.h"
#include "suites.h"

/* Check the slack of the starts of all calls in seconds, and how many dependences were left out: "r0: 0 3; r1: 1; 0".
 */
static void expect_slack(Harness h, const char *expected)
{
    const HieraDependences *of = hiera_dependences_find(hiera_graph_peek_match(h.graph));
    g_autofree gint64 *slack = hiera_slack_find(of);
    g_autoptr(GString) text = g_string_new(NULL);
    guint unsure = 0;
    for (guint32 i = 0; i < h.trace->n_processors; i++) {
        g_string_append_printf(text, "r%u:", h.trace->processors[i].rank);
        for (guint32 call = of->first_call[i]; call < of->first_call[i + 1]; call++) {
            g_string_append_printf(text, " %g", (double)slack[call] / 1e9);
            unsure += hiera_dependences_is_unsure(of, call);
        }
        g_string_append(text, "; ");
    }
    g_string_append_printf(text, "%u", unsure);
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* P1 waits 3 s. P0's barrier waits 1 s; so its send could not be later, since it holds up P1. */
START_TEST(who_waits_has_slack)
{
    expect_slack(HARNESS(SEND_AT("5", "6", 1) BARRIER_AT("7", "9"), RECEIVE_AT("2", "7", 0) BARRIER_AT("8", "9")),
                 "r0: 0 1; r1: 3 0; 0");
}
END_TEST

/* The message of P0 is there 3 s before P1 takes it, so P0 has 3 s, and P1 none. */
START_TEST(an_early_message_may_come_later)
{
    expect_slack(HARNESS(SEND_AT("1", "2", 1), RECEIVE_AT("4", "5", 0)), "r0: 0; r1: 0; 0");
    expect_slack(HARNESS(SEND_AT("1", "2", 1) BARRIER_AT("5", "9"), RECEIVE_AT("4", "5", 0) BARRIER_AT("8", "9")),
                 "r0: 3 3; r1: 0 0; 0");
}
END_TEST

/* Each member of a prefix waits for those below it; all but the last one that comes could come later. */
START_TEST(a_prefix_depends_on_all_lower_ranks)
{
    expect_slack(HARNESS(SPAN("1", "9", "scan", WORLD) BARRIER_AT("10", "11"),
                         SPAN("4", "9", "scan", WORLD) BARRIER_AT("10", "11"),
                         SPAN("2", "9", "scan", WORLD) BARRIER_AT("10", "11")),
                 "r0: 0 0; r1: 0 0; r2: 2 0; 0");
}
END_TEST

START_TEST(requests_bind_the_call_that_completes_them)
{
    expect_slack(HARNESS(SEND_AT("6", "7", 1) BARRIER_AT("8", "9"),
                         SPAN("1", "1.5", "irecv", "rem=\"0\" tag=\"0\" request=\"1\"" WORLD)
                             SPAN("2", "7", "wait", "requests=\"1\"") BARRIER_AT("8", "9")),
                 "r0: 0 0; r1: 4 4 0; 0");
}
END_TEST

START_TEST(what_contradicts_the_clocks_is_left_out_and_counted)
{
    expect_slack(HARNESS(SEND_AT("50", "60", 1), RECEIVE_AT("1", "2", 0)), "r0: 0; r1: 0; 1");
    expect_slack(HARNESS(RECEIVE_AT("1", "4", 1) SEND_AT("5", "6", 1), RECEIVE_AT("1", "4", 0) SEND_AT("4", "6", 0)),
                 "r0: 3 0; r1: 0 0; 1");
}
END_TEST

TCase *slack_tests(void)
{
    TCase *tests = tcase_create("slack");
    tcase_add_test(tests, who_waits_has_slack);
    tcase_add_test(tests, an_early_message_may_come_later);
    tcase_add_test(tests, a_prefix_depends_on_all_lower_ranks);
    tcase_add_test(tests, requests_bind_the_call_that_completes_them);
    tcase_add_test(tests, what_contradicts_the_clocks_is_left_out_and_counted);
    return tests;
}
