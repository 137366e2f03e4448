/* Why runs hang (analyses/hang/hanging.h): small traces whose cause is known. */
#include "hang/hanging.h"
#include "harness/harness.h"
#include "suites.h"

/* Return the verdict and the causes, one a line: "deadlock\n…". Free with g_free. */
static char *describe(const HieraMatch *match)
{
    HieraHangVerdict verdict;
    g_autoptr(HieraHang) hang = hiera_hang_find(match);
    g_autoptr(GPtrArray) causes = hiera_hang_causes(hang, &verdict);
    GString *text = g_string_new(hiera_hang_verdict_name(verdict));
    for (guint i = 0; i < causes->len; i++)
        g_string_append_printf(text, "\n%s", (const char *)g_ptr_array_index(causes, i));
    return g_string_free(text, FALSE);
}

static void expect_hang(Harness h, const char *expected)
{
    g_autofree char *text = describe(hiera_graph_peek_match(h.graph));
    ck_assert_str_eq(text, expected);
    harness_clear(&h);
}

#define ENDED_BY(cause, value, name)                                                                                   \
    "<hieraEnd cause=\"" cause "\" value=\"" value "\" name=\"" name "\" time=\"90\"/>\n"
#define TERM                  ENDED_BY("signal", "15", "SIGTERM")
#define OPEN(operation, more) SPAN("50", "", operation, more) TERM
#define OPEN_RECEIVE(from, t) OPEN("receive", "rem=\"" #from "\" tag=\"" #t "\"" WORLD)
#define OPEN_SSEND(to, t)     OPEN("ssend", "dest=\"" #to "\" tag=\"" #t "\" bytes=\"4\"" WORLD)
#define OPEN_BARRIER          OPEN("barrier", WORLD)
#define IRECV(time, from, t, request)                                                                                  \
    CALL(time, "irecv", "rem=\"" #from "\" tag=\"" #t "\" request=\"" #request "\"" WORLD)
#define ISEND(time, to, t, request)                                                                                    \
    CALL(time, "isend", "dest=\"" #to "\" tag=\"" #t "\" bytes=\"4\" request=\"" #request "\"" WORLD)
#define WORKS                                                                                                          \
    TERM "<hieraRegion level=\"app\" operation=\"f\" file=\"t.c\" line=\"2\" start_time=\"80\" finish_time=\"\"/>\n"

START_TEST(a_run_that_ended_has_no_cause)
{
    expect_hang(HARNESS(SEND(1, 1, 0), RECEIVE(2, 0, 0)), "ended normally\nall ranks called MPI_Finalize and ended");
}
END_TEST

START_TEST(two_receives_wait_for_each_other)
{
    expect_hang(HARNESS(OPEN_RECEIVE(1, 7), OPEN_RECEIVE(0, 7)),
                "deadlock\neach waits for the next: rank 0 in MPI_Recv (t.c:1) → rank 1 in MPI_Recv (t.c:1) → rank 0");
}
END_TEST

/* Rank 2 computes, and would come to the barrier; it is not gone. The cycle is what does not end. */
START_TEST(a_rank_that_computes_is_not_gone)
{
    expect_hang(
        HARNESS(OPEN_BARRIER, OPEN_RECEIVE(0, 7), WORKS),
        "deadlock\neach waits for the next: rank 0 in MPI_Barrier (t.c:1) → rank 1 in MPI_Recv (t.c:1) → rank 0\n"
        "ranks 1-2 are missing at MPI_Barrier (t.c:1) on MPI_COMM_WORLD, where rank 0 waits: rank 1 is in MPI_Recv "
        "(t.c:1), rank 2 has not called MPI since MPI_Init");
}
END_TEST

/* Both sends have a receive that may take any tag, and are on their way. With an earlier message for it, rank 1's has
 * none; rank 0's never had one. */
START_TEST(a_posted_receive_of_any_tag_may_take_a_send)
{
    expect_hang(HARNESS(IRECV(1, 1, MPI_ANY_TAG, 1) OPEN_SSEND(1, 0), IRECV(1, 0, MPI_ANY_TAG, 1) OPEN_SSEND(0, 0)),
                "stopped\n"
                "rank 0 is in MPI_Ssend (t.c:1): what it waited for had come, and MPI had not yet ended the call (do "
                "counts and types fit?)\n"
                "rank 1 is in MPI_Ssend (t.c:1): what it waited for had come, and MPI had not yet ended the call (do "
                "counts and types fit?)");
    expect_hang(
        HARNESS(IRECV(1, 1, MPI_ANY_TAG, 1) OPEN_SSEND(1, 0), ISEND(2, 0, 5, 1) OPEN_SSEND(0, 6)),
        "deadlock\neach waits for the next: rank 0 in MPI_Ssend (t.c:1) → rank 1 in MPI_Ssend (t.c:1) → rank 0");
}
END_TEST

START_TEST(a_rank_waits_for_itself)
{
    expect_hang(HARNESS(OPEN_RECEIVE(0, 7), ""), "deadlock\nit waits for itself: rank 0 in MPI_Recv (t.c:1) → rank 0");
}
END_TEST

START_TEST(a_message_that_nearly_fits_is_told_once)
{
    expect_hang(HARNESS(OPEN_RECEIVE(1, 7), SEND(1, 0, 8) TERM),
                "deadlock\nrank 0 waits in MPI_Recv (t.c:1) for a message from rank 1, tag 7, on MPI_COMM_WORLD; "
                "nearly fits: MPI_Send (t.c:1) of rank 1 to rank 0, tag 8, on MPI_COMM_WORLD: the tag differs");
    expect_hang(
        HARNESS(OPEN_SSEND(1, 1), OPEN_RECEIVE(0, 2)),
        "deadlock\nrank 0 waits in MPI_Ssend (t.c:1) for rank 1 to receive its message, tag 1, on MPI_COMM_WORLD; "
        "nearly fits: MPI_Recv (t.c:1) of rank 1 from rank 0, tag 2, on MPI_COMM_WORLD: the tag differs\neach waits "
        "for the next: rank 0 in MPI_Ssend (t.c:1) → rank 1 in MPI_Recv (t.c:1) → rank 0");
}
END_TEST

START_TEST(a_message_to_another_rank_nearly_fits_only_if_it_is_lost)
{
    expect_hang(HARNESS(OPEN_RECEIVE(1, 7), SEND(1, 2, 7) TERM, TERM),
                "deadlock\nrank 0 waits in MPI_Recv (t.c:1) for a message from rank 1, tag 7, on MPI_COMM_WORLD; "
                "nearly fits: MPI_Send (t.c:1) of rank 1 to rank 2, tag 7, on MPI_COMM_WORLD: the rank differs");
    expect_hang(HARNESS(OPEN_RECEIVE(1, 7), SEND(1, 2, 7) TERM, OPEN_RECEIVE(0, 3)),
                "deadlock\nrank 0 waits in MPI_Recv (t.c:1) for a message from rank 1, tag 7, on MPI_COMM_WORLD; rank "
                "1 is in MPI_Finalize");
}
END_TEST

#define TURNED "<hieraComm id=\"P0_comm1\" ranks=\"1 0\"/>\n"

START_TEST(on_another_communicator_the_rank_that_was_written_counts)
{
    expect_hang(HARNESS(TURNED SEND(1, 1, 0) TERM, TURNED OPEN("receive", "rem=\"0\" tag=\"0\" comm=\"P0_comm1\"")),
                "deadlock\nrank 1 waits in MPI_Recv (t.c:1) for a message from rank 1, tag 0, on P0_comm1; nearly "
                "fits: MPI_Send (t.c:1) of rank 0 to rank 1, tag 0, on MPI_COMM_WORLD: the communicator differs\nit "
                "waits for itself: rank 1 in MPI_Recv (t.c:1) → rank 1");
    expect_hang(HARNESS(TURNED OPEN_BARRIER, TURNED OPEN("barrier", "comm=\"P0_comm1\"")),
                "deadlock\nrank 0 waits in MPI_Barrier (t.c:1) for rank 1 to call MPI_Barrier on MPI_COMM_WORLD; "
                "nearly fits: MPI_Barrier (t.c:1) of rank 1, on P0_comm1: the communicator differs\neach waits for the "
                "next: rank 0 in MPI_Barrier (t.c:1) → rank 1 in MPI_Barrier (t.c:1) → rank 0");
}
END_TEST

START_TEST(a_rank_that_has_ended_sends_no_more)
{
    expect_hang(HARNESS(OPEN("receive", "rem=\"MPI_ANY_SOURCE\" tag=\"0\"" WORLD), "", ""),
                "deadlock\nrank 0 waits in MPI_Recv (t.c:1) for a message from any rank, tag 0, on MPI_COMM_WORLD; "
                "each of ranks 1-2 has ended");
    expect_hang(HARNESS(OPEN_BARRIER, TERM, OPEN_BARRIER),
                "deadlock\nrank 1 is missing at MPI_Barrier (t.c:1) on MPI_COMM_WORLD, where rank 0 waits: rank 1 is "
                "in MPI_Finalize");
}
END_TEST

START_TEST(any_source_is_in_vain_only_if_nobody_can_send)
{
    expect_hang(HARNESS(OPEN("receive", "rem=\"MPI_ANY_SOURCE\" tag=\"0\"" WORLD), OPEN_RECEIVE(0, 1), WORKS),
                "stopped\nrank 2 has not called MPI since MPI_Init");
    expect_hang(HARNESS(OPEN("receive", "rem=\"MPI_ANY_SOURCE\" tag=\"0\"" WORLD), OPEN_RECEIVE(0, 1), TERM),
                "deadlock\neach waits for the next: rank 0 in MPI_Recv (t.c:1) → rank 1 in MPI_Recv (t.c:1) → rank 0");
}
END_TEST

START_TEST(collectives_differ)
{
    expect_hang(HARNESS(OPEN_BARRIER, OPEN("broadcast", "root=\"0\"" WORLD)),
                "deadlock\ncollective 1 on MPI_COMM_WORLD differs: rank 0 calls MPI_Barrier (t.c:1), rank 1 calls "
                "MPI_Bcast (t.c:1)");
    expect_hang(HARNESS(OPEN("gather", "root=\"0\"" WORLD), OPEN("gather", "root=\"1\"" WORLD)),
                "deadlock\ncollective 1 on MPI_COMM_WORLD differs: rank 0 calls MPI_Gather (t.c:1) with root 0, rank 1 "
                "calls MPI_Gather (t.c:1) with root 1");
}
END_TEST

START_TEST(a_member_of_a_collective_is_elsewhere)
{
    expect_hang(
        HARNESS(OPEN_BARRIER, OPEN_RECEIVE(2, 0), OPEN_BARRIER),
        "deadlock\neach waits for the next: rank 1 in MPI_Recv (t.c:1) → rank 2 in MPI_Barrier (t.c:1) → rank 1\nrank "
        "1 is missing at MPI_Barrier (t.c:1) on MPI_COMM_WORLD, where rank 0 waits: rank 1 is in MPI_Recv (t.c:1)");
}
END_TEST

START_TEST(waitall_needs_all_and_waitany_one)
{
    expect_hang(HARNESS(IRECV(1, 1, 0, 1) IRECV(2, 1, 5, 2) OPEN("waitall", "requests=\"1 2\""), SEND(1, 0, 0) TERM),
                "deadlock\nrank 0 waits in MPI_Waitall (t.c:1), whose MPI_Irecv (t.c:1) needs a message from rank 1, "
                "tag 5, on MPI_COMM_WORLD; rank 1 is in MPI_Finalize");
    expect_hang(HARNESS(IRECV(1, 1, 4, 1) IRECV(2, 2, 5, 2) OPEN("waitany", "requests=\"1 2\""), TERM, WORKS),
                "stopped\nrank 2 has not called MPI since MPI_Init");
}
END_TEST

START_TEST(a_short_message_in_a_waitall_is_not_the_reason)
{
    expect_hang(HARNESS(ISEND(1, 1, 0, 1) IRECV(2, 1, 5, 2) OPEN("waitall", "requests=\"1 2\""), TERM),
                "deadlock\nrank 0 waits in MPI_Waitall (t.c:1), whose MPI_Irecv (t.c:1) needs a message from rank 1, "
                "tag 5, on MPI_COMM_WORLD; rank 1 is in MPI_Finalize");
}
END_TEST

START_TEST(an_earlier_receive_took_the_message)
{
    expect_hang(HARNESS(IRECV(1, MPI_ANY_SOURCE, 0, 1) OPEN_RECEIVE(1, 0), SEND(2, 0, 0) TERM),
                "deadlock\nrank 0 waits in MPI_Recv (t.c:1) for a message from rank 1, tag 0, on MPI_COMM_WORLD; its "
                "message was taken by the earlier MPI_Irecv (t.c:1) of this rank, which was still open");
}
END_TEST

#define SEND_INIT(time) CALL(time, "send_init", "dest=\"0\" tag=\"3\" bytes=\"4\" request=\"1\"" WORLD)

START_TEST(persistent_requests)
{
    expect_hang(
        HARNESS(OPEN_RECEIVE(1, 3), SEND_INIT(1) TERM),
        "deadlock\nrank 0 waits in MPI_Recv (t.c:1) for a message from rank 1, tag 3, on MPI_COMM_WORLD; nearly fits: "
        "MPI_Send_init (t.c:1) of rank 1 to rank 0, tag 3, on MPI_COMM_WORLD: it was never started");
    expect_hang(HARNESS(TERM, CALL(1, "recv_init", "rem=\"0\" tag=\"4\" request=\"2\"" WORLD) SEND_INIT(2)
                                  CALL(3, "startall", "requests=\"1 2\"") OPEN("waitall", "requests=\"1 2\"")),
                "deadlock\nrank 1 waits in MPI_Waitall (t.c:1), whose MPI_Recv_init (t.c:1) needs a message from rank "
                "0, tag 4, on MPI_COMM_WORLD; rank 0 is in MPI_Finalize");
    expect_hang(HARNESS(TERM, SEND_INIT(1) CALL(2, "start", "requests=\"1\"") CALL(3, "request_free", "requests=\"1\"")
                                  OPEN("wait", "requests=\"0\"")),
                "deadlock\nrank 1 waits in MPI_Wait (t.c:1) for a request that MPI_Request_free (t.c:1) freed while it "
                "was active");
}
END_TEST

START_TEST(a_request_that_another_thread_completed)
{
    expect_hang(
        HARNESS(IRECV(1, 1, 0, 1) SPAN("50", "", "wait", "requests=\"1\"")
                    THREAD(1, CALL(2, "wait", "requests=\"1\" sources=\"1\" tags=\"0\" sizes=\"4\"")) TERM,
                SEND(1, 0, 0) TERM),
        "deadlock\nrank 0 waits in MPI_Wait (t.c:1) for a request that MPI_Wait (t.c:1) of this rank had completed");
}
END_TEST

START_TEST(a_rank_that_works_or_tests_lets_others_wait)
{
    expect_hang(HARNESS(OPEN_RECEIVE(1, 0), SEND(1, 0, 5) WORKS),
                "stopped\nrank 1 is in no MPI call since its MPI_Send (t.c:1)");
    expect_hang(HARNESS(OPEN_RECEIVE(1, 0), IRECV(1, 0, 5, 1) CALL(2, "test", "flag=\"0\"") WORKS),
                "deadlock\neach waits for the next: rank 0 in MPI_Recv (t.c:1) → rank 1 in MPI_Test (t.c:1), for its "
                "MPI_Irecv (t.c:1) → rank 0");
}
END_TEST

START_TEST(a_rank_that_failed_is_the_cause)
{
    expect_hang(HARNESS(OPEN_RECEIVE(1, 0), SPAN("50", "", "send", "dest=\"9\" tag=\"0\"" WORLD)
                                                ENDED_BY("MPI error", "6", "MPI_ERR_RANK")),
                "failed\nrank 1 was ended by MPI error 6 (MPI_ERR_RANK) in MPI_Send (t.c:1)");
}
END_TEST

START_TEST(all_are_in_finalize)
{
    expect_hang(HARNESS(ISEND(1, 1, 0, 1) TERM, TERM),
                "stopped\nMPI_Isend (t.c:1) of rank 0 to rank 1, tag 0, on MPI_COMM_WORLD was never received\nall "
                "ranks are in MPI_Finalize");
}
END_TEST

#define WINDOW(win)        SPAN("0.1", "0.2", "win_create", "win=\"" win "\"" WORLD)
#define GROUP(id, ranks)   "<hieraGroup id=\"" id "\" ranks=\"" ranks "\"/>\n"
#define LOCK_OF(win, type) "lock_type=\"" #type "\" rank=\"0\" assert=\"0\" win=\"" win "\""

START_TEST(windows)
{
    expect_hang(
        HARNESS(WINDOW("a") GROUP("g", "1") OPEN("win_start", "group=\"g\" assert=\"0\" win=\"a\""), WINDOW("b") TERM),
        "deadlock\nrank 0 waits in MPI_Win_start (t.c:1) for rank 1 to call MPI_Win_post; rank 1 is in MPI_Finalize");
    expect_hang(
        HARNESS(WINDOW("a") CALL(1, "win_lock", LOCK_OF("a", 1)) OPEN_RECEIVE(1, 0),
                WINDOW("b") OPEN("win_lock", LOCK_OF("b", 1))),
        "deadlock\neach waits for the next: rank 0 in MPI_Recv (t.c:1) → rank 1 in MPI_Win_lock (t.c:1) → rank 0");
    expect_hang(HARNESS(WINDOW("a") CALL(1, "win_lock", LOCK_OF("a", 302)) OPEN_RECEIVE(1, 0),
                        WINDOW("b") OPEN("win_lock", LOCK_OF("b", 2))),
                "stopped\nrank 1 is in MPI_Win_lock (t.c:1): what it waited for had come, and MPI had not yet ended "
                "the call (do counts and types fit?)");
}
END_TEST

TCase *hang_tests(void)
{
    TCase *tests = tcase_create("hang");
    tcase_add_test(tests, a_run_that_ended_has_no_cause);
    tcase_add_test(tests, two_receives_wait_for_each_other);
    tcase_add_test(tests, a_rank_that_computes_is_not_gone);
    tcase_add_test(tests, a_posted_receive_of_any_tag_may_take_a_send);
    tcase_add_test(tests, a_rank_waits_for_itself);
    tcase_add_test(tests, a_message_that_nearly_fits_is_told_once);
    tcase_add_test(tests, a_message_to_another_rank_nearly_fits_only_if_it_is_lost);
    tcase_add_test(tests, on_another_communicator_the_rank_that_was_written_counts);
    tcase_add_test(tests, a_rank_that_has_ended_sends_no_more);
    tcase_add_test(tests, any_source_is_in_vain_only_if_nobody_can_send);
    tcase_add_test(tests, collectives_differ);
    tcase_add_test(tests, a_member_of_a_collective_is_elsewhere);
    tcase_add_test(tests, waitall_needs_all_and_waitany_one);
    tcase_add_test(tests, a_short_message_in_a_waitall_is_not_the_reason);
    tcase_add_test(tests, an_earlier_receive_took_the_message);
    tcase_add_test(tests, persistent_requests);
    tcase_add_test(tests, a_request_that_another_thread_completed);
    tcase_add_test(tests, a_rank_that_works_or_tests_lets_others_wait);
    tcase_add_test(tests, a_rank_that_failed_is_the_cause);
    tcase_add_test(tests, all_are_in_finalize);
    tcase_add_test(tests, windows);
    return tests;
}
