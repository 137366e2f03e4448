/* Probes and the messages that they found (transform/matching/match_probes.h); expected messages were worked out by
 * hand. */
#include "harness/harness.h"
#include "suites.h"

#define PROBE_AT(start, finish, from, in_tag)                                                                          \
    SPAN(start, finish, "probe", "rem=\"" #from "\" tag=\"" #in_tag "\"" WORLD)
#define IPROBE_AT(start, finish, found) SPAN(start, finish, "iprobe", "rem=\"0\" tag=\"0\" flag=\"" #found "\"" WORLD)

/* Check which row a probe found the message of: "3<1" if row 3 found the one that row 1 sent, as numbers from 0 over
 * all ranks. */
static void expect_probes(Harness h, const char *expected)
{
    const HieraMatch *match = hiera_graph_peek_match(h.graph);
    guint n, n_messages;
    const HieraProbe *probes = hiera_match_peek_probes(match, &n);
    const HieraMessage *messages = hiera_match_peek_messages(match, &n_messages);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s%u<%u", i > 0 ? " " : "", probes[i].row, messages[probes[i].message].from);
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

START_TEST(a_probe_finds_the_message_that_is_received_next)
{
    expect_probes(HARNESS(SEND(1, 1, 0) SEND(2, 1, 0), PROBE_AT("3", "4", 0, 0) RECEIVE(5, 0, 0) RECEIVE(6, 0, 0)),
                  "2<0");
    expect_probes(HARNESS(SEND(1, 1, 0) SEND(2, 1, 0), RECEIVE(3, 0, 0) PROBE_AT("4", "5", 0, 0) RECEIVE(6, 0, 0)),
                  "3<1");
}
END_TEST

/* The receive that was posted before the probe takes the first message, also if it ends later. */
START_TEST(a_receive_that_was_posted_before_has_its_message)
{
    expect_probes(HARNESS(SEND(1, 1, 0) SEND(2, 1, 0),
                          SPAN("0", "0.5", "irecv", "rem=\"0\" tag=\"0\" request=\"1\"" WORLD) PROBE_AT("3", "4", 0, 0)
                              SPAN("5", "6", "wait", "requests=\"1\"") RECEIVE(7, 0, 0)),
                  "3<1");
}
END_TEST

START_TEST(tags_and_senders_are_told_apart)
{
    expect_probes(HARNESS(SEND(1, 2, 0) SEND(2, 2, 9), SEND(1, 2, 0),
                          PROBE_AT("3", "4", 1, 0) PROBE_AT("4", "5", 0, 9) RECEIVE(6, 0, 9) RECEIVE(7, 0, 0)
                              RECEIVE(8, 1, 0)),
                  "3<2 4<1");
}
END_TEST

/* One that found nothing, one whose message is never received, one with an error, one that never ended. */
START_TEST(some_probes_find_nothing)
{
    expect_probes(HARNESS(SEND(5, 1, 0), IPROBE_AT("1", "2", 0) IPROBE_AT("6", "7", 1) RECEIVE(8, 0, 0)), "2<0");
    expect_probes(HARNESS(SEND(1, 1, 0), PROBE_AT("3", "4", 0, 0)), "");
    expect_probes(HARNESS(SEND(1, 1, 0), PROBE_AT("3", "", 0, 0)), "");
}
END_TEST

/* A matched probe takes its message away from others. */
START_TEST(a_matched_probe_names_its_message)
{
    expect_probes(HARNESS(SEND(1, 1, 0) SEND(2, 1, 0),
                          CALL(3, "mprobe", "rem=\"0\" tag=\"0\" message=\"P1_message1\"" WORLD)
                              PROBE_AT("4", "5", 0, 0) RECEIVE(6, 0, 0) CALL(7, "mrecv", "message=\"P1_message1\"")),
                  "2<0 3<1");
}
END_TEST

TCase *probes_tests(void)
{
    TCase *tests = tcase_create("probes");
    tcase_add_test(tests, a_probe_finds_the_message_that_is_received_next);
    tcase_add_test(tests, a_receive_that_was_posted_before_has_its_message);
    tcase_add_test(tests, tags_and_senders_are_told_apart);
    tcase_add_test(tests, some_probes_find_nothing);
    tcase_add_test(tests, a_matched_probe_names_its_message);
    return tests;
}
