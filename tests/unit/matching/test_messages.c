/* Matching of messages; expected edges were worked out by hand. Vertex 1 is P0; its operations follow, then P1, … */
#include "harness/harness.h"
#include "suites.h"

START_TEST(a_send_matches_its_receive)
{
    Harness h = HARNESS(SEND(1, 1, 0), RECEIVE(1, 0, 0));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>4");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 1, 0, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

START_TEST(messages_of_one_tag_do_not_overtake)
{
    Harness h = HARNESS(SEND(1, 1, 0) SEND(2, 1, 0) SEND(3, 1, 0), RECEIVE(1, 0, 0) RECEIVE(2, 0, 0) RECEIVE(3, 0, 0));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>7 4>8");
    harness_clear(&h);
}
END_TEST

START_TEST(tags_choose_among_messages)
{
    Harness h = HARNESS(SEND(1, 1, 5) SEND(2, 1, 6), RECEIVE(1, 0, 6) RECEIVE(2, 0, 5));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>5");
    harness_clear(&h);
}
END_TEST

/* Vertices: 1 P0, 2 send; 3 P1, 4 send; 5 P2, 6 and 7 receives from any source; 6 got the message of P1. */
START_TEST(a_wildcard_takes_the_source_of_the_status)
{
    Harness h = HARNESS(SEND(1, 2, 0), SEND(1, 2, 0),
                        CALL(1, "receive", "rem=\"1\" posted=\"any\" tag=\"0\"" WORLD)
                            CALL(2, "receive", "rem=\"0\" posted=\"any\" tag=\"0\" posted_tag=\"any\"" WORLD));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>7 4>6");
    harness_clear(&h);
}
END_TEST

/* P1 posts a wildcard receive (request 1), then a receive from P0 (request 2), and completes both in one call. The
 * wildcard was posted first and got the first message of P0. */
START_TEST(a_nonblocking_wildcard_takes_source_and_tag_of_its_completion)
{
    Harness h =
        HARNESS(SEND(1, 1, 3) SEND(2, 1, 3),
                CALL(1, "irecv", "rem=\"MPI_ANY_SOURCE\" tag=\"MPI_ANY_TAG\" request=\"1\"" WORLD)
                    CALL(2, "irecv", "rem=\"0\" tag=\"3\" request=\"2\"" WORLD)
                        CALL(3, "waitall", "count=\"2\" requests=\"2 1\" sources=\"0 0\" tags=\"3 3\" sizes=\"4 4\""));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "5>7 6>7");
    harness_clear(&h);
}
END_TEST

START_TEST(uncompleted_requests_keep_their_place_in_the_order)
{
    Harness h = HARNESS(SEND(1, 1, 0) SEND(2, 1, 0),
                        CALL(1, "irecv", "rem=\"0\" tag=\"0\" request=\"1\"" WORLD) RECEIVE(2, 0, 0));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "");
    harness_clear(&h);
}
END_TEST

/* A persistent receive has request 7 and is started twice; each start receives a message. */
START_TEST(each_start_of_a_persistent_request_is_a_message)
{
    Harness h = HARNESS(
        SEND(1, 1, 0) SEND(2, 1, 0),
        CALL(1, "recv_init", "rem=\"0\" tag=\"0\" request=\"7\"" WORLD) CALL(2, "start", "request=\"7\"")
            CALL(3, "wait", "requests=\"7\" sources=\"0\" tags=\"0\" sizes=\"4\"") CALL(4, "start", "request=\"7\"")
                CALL(5, "wait", "requests=\"7\" sources=\"0\" tags=\"0\" sizes=\"4\""));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>8");
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "6>7 8>9");
    harness_expect_reason(&h, 1, 0, HIERA_REASON_NOT_COMMUNICATING);
    harness_clear(&h);
}
END_TEST

/* One startall starts both sends of P0. */
START_TEST(one_call_may_start_several_messages)
{
    Harness h = HARNESS(CALL(1, "send_init", "dest=\"1\" tag=\"1\" request=\"1\"" WORLD)
                            CALL(2, "send_init", "dest=\"1\" tag=\"2\" request=\"2\"" WORLD)
                                CALL(3, "startall", "count=\"2\" requests=\"1 2\""),
                        RECEIVE(4, 0, 1) RECEIVE(5, 0, 2));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "4>6 4>7");
    g_autoptr(GArray) rows = g_array_new(FALSE, FALSE, sizeof(guint32));
    hiera_graph_find_targets(h.graph, harness_row(&h, 0, 2), rows);
    hiera_graph_find_sources(h.graph, harness_row(&h, 1, 1), rows);
    ck_assert_uint_eq(rows->len, 3);
    ck_assert_uint_eq(g_array_index(rows, guint32, 0), harness_row(&h, 1, 0));
    ck_assert_uint_eq(g_array_index(rows, guint32, 1), harness_row(&h, 1, 1));
    ck_assert_uint_eq(g_array_index(rows, guint32, 2), harness_row(&h, 0, 2));
    guint n;
    const HieraMessage *messages = hiera_match_peek_messages(hiera_graph_peek_match(h.graph), &n);
    ck_assert_uint_eq(n, 2);
    for (guint i = 0; i < n; i++)
        ck_assert_int_eq(hiera_match_message_tag(hiera_graph_peek_match(h.graph), i),
                         messages[i].to == harness_row(&h, 1, 0) ? 1 : 2);
    harness_clear(&h);
}
END_TEST

/* An isend that failed sent nothing. It must not match an uncompleted receive, nor shift later messages. */
START_TEST(failed_sends_have_no_partner)
{
    Harness open = HARNESS(CALL(8, "isend", "dest=\"1\" tag=\"0\" error=\"2\"" WORLD),
                           SPAN("1", "", "receive", "rem=\"0\" tag=\"0\"" WORLD));
    harness_expect_edges(&open, HIERA_EDGE_MESSAGE, "");
    harness_expect_reason(&open, 0, 0, HIERA_REASON_FAILED);
    harness_expect_reason(&open, 1, 0, HIERA_REASON_CUT);
    harness_clear(&open);
    Harness again = HARNESS(CALL(1, "isend", "dest=\"1\" tag=\"0\" error=\"2\"" WORLD) SEND(2, 1, 0), RECEIVE(3, 0, 0));
    harness_expect_edges(&again, HIERA_EDGE_MESSAGE, "3>5");
    harness_clear(&again);
    Harness arrived = HARNESS(CALL(1, "send", "dest=\"1\" tag=\"0\" error=\"2\"" WORLD), RECEIVE(3, 0, 0));
    harness_expect_edges(&arrived, HIERA_EDGE_MESSAGE, "2>4");
    harness_clear(&arrived);
}
END_TEST

/* A receive that failed because the message was too long took the message. A receive that failed because of an
 * argument left it to the next receive. */
START_TEST(failed_receives_take_a_message_if_they_received_it)
{
#define REFUSED CALL(3, "receive", "rem=\"0\" tag=\"0\" error=\"15\"" WORLD)
    Harness taken = HARNESS(SEND(1, 1, 0) SEND(2, 1, 0), REFUSED RECEIVE(4, 0, 0));
    harness_expect_edges(&taken, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_clear(&taken);
    Harness refused = HARNESS(SEND(1, 1, 0), REFUSED RECEIVE(4, 0, 0));
#undef REFUSED
    harness_expect_edges(&refused, HIERA_EDGE_MESSAGE, "2>5");
    harness_expect_reason(&refused, 1, 0, HIERA_REASON_FAILED);
    harness_clear(&refused);
}
END_TEST

START_TEST(a_send_receive_has_two_partners)
{
    Harness h = HARNESS(SEND(1, 1, 1), CALL(1, "sendrecv", "dest=\"2\" stag=\"2\" rem=\"0\" rtag=\"1\"" WORLD),
                        RECEIVE(1, 1, 2));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>4 4>6");
    harness_expect_reason(&h, 1, 0, HIERA_REASON_MATCHED);
    harness_clear(&h);
}
END_TEST

START_TEST(a_message_to_oneself)
{
    Harness h = HARNESS(CALL(1, "isend", "dest=\"0\" tag=\"0\" request=\"1\" comm=\"MPI_COMM_SELF\"")
                            CALL(2, "receive", "rem=\"0\" tag=\"0\" comm=\"MPI_COMM_SELF\""),
                        CALL(1, "isend", "dest=\"0\" tag=\"0\" request=\"1\" comm=\"MPI_COMM_SELF\"")
                            CALL(2, "receive", "rem=\"0\" tag=\"0\" comm=\"MPI_COMM_SELF\""));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>3 5>6");
    harness_clear(&h);
}
END_TEST

/* Ranks 0 and 1 of c are P2 and P0. P2 sends to P0 on c, independently of P1's call with the same ranks on
 * MPI_COMM_WORLD. */
START_TEST(ranks_are_those_of_the_communicator)
{
#define C "<hieraComm id=\"c\" ranks=\"2 0\"/>\n"
    Harness h = HARNESS(C CALL(1, "receive", "rem=\"0\" tag=\"0\" comm=\"c\"") RECEIVE(2, 1, 0), SEND(1, 0, 0),
                        C CALL(1, "send", "dest=\"1\" tag=\"0\" comm=\"c\""));
#undef C
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "5>3 7>2");
    harness_clear(&h);
}
END_TEST

/* The groups of the intercommunicator are {0} and {1, 2}. For P0, rank 1 is P2; for P2, rank 0 is P0. */
START_TEST(an_intercommunicator_addresses_the_other_group)
{
    Harness h = HARNESS(
        "<hieraComm id=\"i\" ranks=\"0\" remote=\"1-2\"/>\n" CALL(1, "send", "dest=\"1\" tag=\"0\" comm=\"i\""),
        "<hieraComm id=\"i\" ranks=\"1-2\" remote=\"0\"/>\n",
        "<hieraComm id=\"i\" ranks=\"1-2\" remote=\"0\"/>\n" CALL(1, "receive", "rem=\"0\" tag=\"0\" comm=\"i\""));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5");
    harness_clear(&h);
}
END_TEST

/* The section of the thread is after that of the main thread, but its send is between the two others in time. */
START_TEST(threads_are_ordered_by_time)
{
    Harness h = HARNESS(SEND(1, 1, 0) SEND(3, 1, 0) "<hieraThread id=\"1\">" SEND(2, 1, 0) "</hieraThread>",
                        RECEIVE(1, 0, 0) RECEIVE(2, 0, 0) RECEIVE(3, 0, 0));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>8 4>7");
    harness_clear(&h);
}
END_TEST

START_TEST(every_operation_without_a_partner_has_a_reason)
{
    Harness h = HARNESS(CALL(1, "send", "dest=\"MPI_PROC_NULL\" tag=\"0\"" WORLD) SEND(2, 1, 0) SEND(3, 7, 0)
                            CALL(4, "send", "dest=\"1\" tag=\"0\" comm=\"P5_comm\"")
                                CALL(5, "receive", "rem=\"MPI_ANY_SOURCE\" tag=\"0\"" WORLD) SEND(6, 2, 0)
                                    CALL(7, "irecv", "rem=\"1\" tag=\"9\" request=\"3\"" WORLD)
                                        CALL(8, "cancel", "request=\"3\"") CALL(9, "wtime", ""),
                        "", NULL);
    static const HieraReason expected[] = {
        HIERA_REASON_PROC_NULL,  HIERA_REASON_NO_PARTNER,        HIERA_REASON_BAD_RANK,
        HIERA_REASON_UNDECLARED, HIERA_REASON_UNKNOWN_PEER,      HIERA_REASON_NOT_TRACED,
        HIERA_REASON_CANCELLED,  HIERA_REASON_NOT_COMMUNICATING, HIERA_REASON_NOT_COMMUNICATING};
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++)
        harness_expect_reason(&h, 0, i, expected[i]);
    harness_clear(&h);
}
END_TEST

START_TEST(framework_methods_are_not_matched)
{
#define METHOD                                                                                                         \
    "<hieraOOPS class=\"Group\" method=\"send\" file=\"t.c\" line=\"1\" start_time=\"1\" finish_time=\"3\" dest=\"1\""
    Harness h = HARNESS(METHOD ">" SEND(2, 1, 0) "</hieraOOPS>", RECEIVE(2, 0, 0));
#undef METHOD
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "3>5");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_NOT_COMMUNICATING);
    harness_clear(&h);
}
END_TEST

/* P1 takes the first message with a matched probe, receives the second message, then the first: the position of the
 * probe counts, not that of its receive. The second case uses a wildcard and a request. */
START_TEST(a_matched_probe_takes_the_message_that_its_receive_gets)
{
    Harness h = HARNESS(
        SEND(1, 1, 0) SEND(2, 1, 0) SEND(3, 1, 4),
        CALL(1, "mprobe", "rem=\"0\" tag=\"0\" message=\"P1_message1\"" WORLD) RECEIVE(2, 0, 0)
            CALL(3, "mrecv", "message=\"P1_message1\" bytes=\"4\"")
                CALL(4, "improbe", "rem=\"0\" posted=\"any\" tag=\"4\" flag=\"1\" message=\"P1_message2\"" WORLD)
                    CALL(5, "imrecv", "message=\"P1_message2\" request=\"1\"")
                        CALL(6, "wait", "requests=\"1\" sources=\"0\" tags=\"4\" sizes=\"4\""));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>8 3>7 4>10");
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "10>11");
    harness_expect_reason(&h, 1, 2, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 1, 0, HIERA_REASON_NOT_COMMUNICATING);
    harness_clear(&h);
}
END_TEST

START_TEST(a_matched_receive_without_its_probe_has_a_reason)
{
    Harness h = HARNESS(SEND(1, 1, 0),
                        CALL(1, "mrecv", "message=\"MPI_MESSAGE_NO_PROC\"") CALL(2, "mrecv", "message=\"P1_message7\"")
                            CALL(3, "mprobe", "rem=\"0\" tag=\"0\" message=\"P1_message1\"" WORLD));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6");
    harness_expect_reason(&h, 0, 0, HIERA_REASON_MATCHED);
    harness_expect_reason(&h, 1, 0, HIERA_REASON_PROC_NULL);
    harness_expect_reason(&h, 1, 1, HIERA_REASON_UNDECLARED);
    harness_clear(&h);
}
END_TEST

/* A matched probe took the first message, which was never received. The receive got the second message. */
START_TEST(a_matched_probe_without_its_receive_keeps_its_place)
{
    Harness h = HARNESS(SEND(1, 1, 0) SEND(2, 1, 0),
                        CALL(1, "mprobe", "rem=\"0\" tag=\"0\" message=\"P1_message1\"" WORLD) RECEIVE(2, 0, 0)
                            CALL(3, "improbe", "rem=\"MPI_ANY_SOURCE\" tag=\"0\" flag=\"0\"" WORLD));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_clear(&h);
}
END_TEST

/* P1 made two receives, of which one was only counted. It is unknown which of the two messages the recorded receive
 * got, so different sizes are no error. */
START_TEST(messages_beside_filtered_calls_are_ambiguous)
{
    Harness h = HARNESS(CALL(1, "send", "dest=\"1\" tag=\"0\" bytes=\"8\"" WORLD) SEND(2, 1, 0),
                        RECEIVE(3, 0, 0) "<hieraFiltered operation=\"receive\" level=\"mpi\" count=\"1\"" WORLD "/>\n");
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "2>5");
    harness_expect_reason(&h, 0, 1, HIERA_REASON_FILTERED);
    hiera_match_check(hiera_graph_peek_match(h.graph), h.findings);
    ck_assert_uint_eq(hiera_findings_count_severity(h.findings, HIERA_SEVERITY_ERROR), 0);
    ck_assert_uint_eq(hiera_findings_count_severity(h.findings, HIERA_SEVERITY_NOTE), 1);
    harness_clear(&h);
}
END_TEST

TCase *messages_tests(void)
{
    TCase *tests = tcase_create("messages");
    tcase_add_test(tests, a_send_matches_its_receive);
    tcase_add_test(tests, messages_of_one_tag_do_not_overtake);
    tcase_add_test(tests, tags_choose_among_messages);
    tcase_add_test(tests, a_wildcard_takes_the_source_of_the_status);
    tcase_add_test(tests, a_nonblocking_wildcard_takes_source_and_tag_of_its_completion);
    tcase_add_test(tests, uncompleted_requests_keep_their_place_in_the_order);
    tcase_add_test(tests, each_start_of_a_persistent_request_is_a_message);
    tcase_add_test(tests, one_call_may_start_several_messages);
    tcase_add_test(tests, failed_sends_have_no_partner);
    tcase_add_test(tests, failed_receives_take_a_message_if_they_received_it);
    tcase_add_test(tests, a_send_receive_has_two_partners);
    tcase_add_test(tests, a_message_to_oneself);
    tcase_add_test(tests, ranks_are_those_of_the_communicator);
    tcase_add_test(tests, an_intercommunicator_addresses_the_other_group);
    tcase_add_test(tests, threads_are_ordered_by_time);
    tcase_add_test(tests, every_operation_without_a_partner_has_a_reason);
    tcase_add_test(tests, framework_methods_are_not_matched);
    tcase_add_test(tests, a_matched_probe_takes_the_message_that_its_receive_gets);
    tcase_add_test(tests, a_matched_receive_without_its_probe_has_a_reason);
    tcase_add_test(tests, a_matched_probe_without_its_receive_keeps_its_place);
    tcase_add_test(tests, messages_beside_filtered_calls_are_ambiguous);
    return tests;
}
