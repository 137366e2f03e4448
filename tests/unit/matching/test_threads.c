/* Matching of messages that threads send or receive at the same time; expected edges were worked out by hand. */
#include "harness/harness.h"
#include "suites.h"

#define TO(start, finish, rank, bytes)                                                                                 \
    SPAN(start, finish, "send", "dest=\"" #rank "\" tag=\"0\" bytes=\"" #bytes "\"" WORLD)
#define FROM(start, finish, rank, bytes)                                                                               \
    SPAN(start, finish, "receive", "rem=\"" #rank "\" tag=\"0\" bytes=\"" #bytes "\"" WORLD)

static guint64 count_errors(const Harness *h)
{
    hiera_match_check(hiera_graph_peek_match(h->graph), h->findings);
    return hiera_findings_count_severity(h->findings, HIERA_SEVERITY_ERROR);
}

static guint64 count_notes(const Harness *h)
{
    return hiera_findings_count_severity(h->findings, HIERA_SEVERITY_NOTE);
}

/* Vertices: 1 P0, 2 and 3 sends; 4 P1, 5 receive of the main thread, 6 of the other thread. Receive 5 was posted
 * first and ends last: the message sent at 15 cannot be that of receive 6, which ended at 10. */
START_TEST(nothing_is_received_before_it_was_sent)
{
    Harness h =
        HARNESS(TO("8", "9", 1, 4) TO("15", "16", 1, 4), FROM("1", "20", 0, 4) THREAD(1, FROM("2", "10", 0, 4)));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>5");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "");
    ck_assert_uint_eq(count_errors(&h), 0);
    ck_assert_uint_eq(count_notes(&h), 0);
    harness_clear(&h);
}
END_TEST

/* Both messages were sent before either receive ended: both pairings are possible. */
START_TEST(messages_without_an_order_are_ambiguous)
{
    Harness h = HARNESS(TO("3", "4", 1, 4) TO("5", "6", 1, 4), FROM("1", "20", 0, 4) THREAD(1, FROM("2", "10", 0, 4)));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>5");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "2>6 3>5");
    ck_assert_uint_eq(count_errors(&h), 0);
    ck_assert_uint_eq(count_notes(&h), 1);
    harness_clear(&h);
}
END_TEST

START_TEST(sizes_distinguish_messages)
{
    Harness h = HARNESS(TO("3", "4", 1, 8) TO("5", "6", 1, 4), FROM("1", "20", 0, 8) THREAD(1, FROM("2", "10", 0, 4)));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "");
    ck_assert_uint_eq(count_errors(&h), 0);
    harness_clear(&h);
}
END_TEST

/* The sizes that were sent differ from those received. Pairs are uncertain, but the sums prove the error. */
START_TEST(different_sizes_show_in_their_sums)
{
    Harness h = HARNESS(TO("3", "4", 1, 8) TO("5", "6", 1, 4), FROM("1", "20", 0, 4) THREAD(1, FROM("2", "10", 0, 4)));
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "2>6 3>5");
    ck_assert_uint_eq(count_errors(&h), 1);
    harness_clear(&h);
}
END_TEST

/* Vertices: 2 send of the main thread, 3 of the other thread; 4 P1, whose receives follow each other. */
START_TEST(concurrent_sends_are_ambiguous)
{
    Harness h = HARNESS(TO("1", "5", 1, 4) THREAD(1, TO("2", "3", 1, 4)), FROM("6", "7", 0, 4) FROM("8", "9", 0, 4));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "2>5 3>6");
    harness_clear(&h);
}
END_TEST

START_TEST(successive_calls_of_threads_have_an_order)
{
    Harness h = HARNESS(TO("1", "2", 1, 4) TO("5", "6", 1, 4) THREAD(1, TO("3", "4", 1, 4)),
                        FROM("1", "7", 0, 4) FROM("8", "9", 0, 4) FROM("9", "10", 0, 4));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>8 4>7");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "");
    harness_clear(&h);
}
END_TEST

/* The main thread of P1 posts receives 6 and 7 and completes them in the opposite order, while the other thread
 * receives (10). Of 6 and 7, the first posted gets the message that was sent first, whenever it is completed. */
START_TEST(a_thread_keeps_its_own_order)
{
#define IRECV(start, finish, request) SPAN(start, finish, "irecv", "rem=\"0\" tag=\"0\" request=\"" #request "\"" WORLD)
#define WAIT(start, finish, request)                                                                                   \
    SPAN(start, finish, "wait", "requests=\"" #request "\" sources=\"0\" tags=\"0\" sizes=\"4\"")
    Harness h = HARNESS(TO("3", "3.1", 1, 4) TO("4", "4.1", 1, 4) TO("4.5", "4.6", 1, 4),
                        IRECV("1", "1.5", 1) IRECV("2", "2.5", 2) WAIT("4.8", "5", 2) WAIT("19", "20", 1)
                            THREAD(1, FROM("1.2", "9", 0, 4)));
#undef WAIT
#undef IRECV
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>7 4>10");
    harness_expect_ambiguous(&h, HIERA_EDGE_MESSAGE, "2>6 3>7 4>10");
    harness_clear(&h);
}
END_TEST

/* The main thread of P1 waits from 1 to 6, for a request that the other thread started at 2. */
START_TEST(a_wait_may_begin_before_what_it_completes)
{
    Harness h =
        HARNESS(TO("3", "4", 1, 4),
                SPAN("1", "6", "waitall", "count=\"1\" requests=\"5\" sources=\"0\" tags=\"0\" sizes=\"4\"")
                    THREAD(1, SPAN("2", "2.1", "irecv", "rem=\"MPI_ANY_SOURCE\" tag=\"0\" request=\"5\"" WORLD)));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5");
    harness_expect_edges(&h, HIERA_EDGE_REQUEST, "5>4");
    harness_clear(&h);
}
END_TEST

/* Both receives ended before both messages were sent: no pairing is possible without an error. */
START_TEST(impossible_orders_are_errors)
{
    Harness h =
        HARNESS(TO("30", "31", 1, 4) TO("32", "33", 1, 4), FROM("1", "20", 0, 4) THREAD(1, FROM("2", "10", 0, 4)));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>6 3>5");
    ck_assert_uint_eq(count_errors(&h), 2);
    harness_clear(&h);
}
END_TEST

/* Two receives overlap, but only one message was sent. */
START_TEST(one_of_two_receives_has_no_partner)
{
    Harness h = HARNESS(TO("3", "4", 1, 4), FROM("1", "100", 0, 4) THREAD(1, FROM("2", "10", 0, 4)));
    harness_expect_edges(&h, HIERA_EDGE_MESSAGE, "2>5");
    harness_expect_reason(&h, 1, 0, HIERA_REASON_NO_PARTNER);
    harness_clear(&h);
}
END_TEST

TCase *threads_tests(void)
{
    TCase *tests = tcase_create("threads");
    tcase_add_test(tests, nothing_is_received_before_it_was_sent);
    tcase_add_test(tests, messages_without_an_order_are_ambiguous);
    tcase_add_test(tests, sizes_distinguish_messages);
    tcase_add_test(tests, different_sizes_show_in_their_sums);
    tcase_add_test(tests, concurrent_sends_are_ambiguous);
    tcase_add_test(tests, successive_calls_of_threads_have_an_order);
    tcase_add_test(tests, a_thread_keeps_its_own_order);
    tcase_add_test(tests, a_wait_may_begin_before_what_it_completes);
    tcase_add_test(tests, impossible_orders_are_errors);
    tcase_add_test(tests, one_of_two_receives_has_no_partner);
    return tests;
}
