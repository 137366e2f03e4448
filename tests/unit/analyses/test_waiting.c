/* Waiting times (analyses/waiting/waiting.h) of small traces, worked out by hand. */
#include "harness/harness.h"
#include "paths/dependences.h"
#include "suites.h"
#include "waiting/waiting.h"

/* Check the waiting times of all operations, in seconds by rank: "r0: 0 3; r1: 1". */
static void expect_waiting(Harness h, const char *expected)
{
    const HieraScope all = HIERA_SCOPE_ALL;
    g_autoptr(GArray) waits = hiera_waits_find(hiera_graph_peek_match(h.graph));
    guint at = 0;
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint32 i = 0; i < h.trace->n_processors; i++) {
        const HieraProcessor *processor = &h.trace->processors[i];
        g_string_append_printf(text, "%sr%u:", i ? "; " : "", processor->rank);
        for (guint64 row = processor->first; row < processor->first + processor->n_operations; row++)
            g_string_append_printf(text, " %g", (double)hiera_waits_clip(waits, &at, (guint32)row, &all) / 1e9);
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

START_TEST(waits_are_found_once)
{
    Harness h = HARNESS(SEND_AT("5", "6", 1), RECEIVE_AT("2", "7", 0));
    const HieraMatch *match = hiera_graph_peek_match(h.graph);
    g_autoptr(GArray) first = hiera_waits_find(match), second = hiera_waits_find(match);
    ck_assert_ptr_eq(first, second);
    ck_assert_ptr_eq(hiera_dependences_find(match), hiera_dependences_find(match));
    harness_clear(&h); /* the waits stay until the last user has freed them */
    ck_assert_uint_eq(first->len, 1);
}
END_TEST

/* Each call of it gives another result. */
static gpointer count(const HieraMatch *match)
{
    static guint n;
    (void)match;
    return GUINT_TO_POINTER(++n);
}

static guint n_freed;

static void count_freed(gpointer result)
{
    n_freed += GPOINTER_TO_UINT(result);
}

START_TEST(a_match_keeps_what_was_found_and_frees_it_once)
{
    Harness h = HARNESS(SEND_AT("1", "2", 1), RECEIVE_AT("2", "3", 0));
    const HieraMatch *match = hiera_graph_peek_match(h.graph);
    for (guint i = 0; i < 3; i++)
        ck_assert_uint_eq(GPOINTER_TO_UINT(hiera_match_find_once(match, count, count_freed)), 1);
    n_freed = 0;
    harness_clear(&h);
    ck_assert_uint_eq(n_freed, 1);
}
END_TEST

START_TEST(sends_that_end_before_the_receive_do_not_wait)
{
    expect_waiting(HARNESS(SEND_AT("1", "2", 1), RECEIVE_AT("5", "6", 0)), "r0: 0; r1: 0");
}
END_TEST

START_TEST(late_receiver)
{
    expect_waiting(HARNESS(SEND_AT("1", "6", 1), RECEIVE_AT("4", "6", 0)), "r0: 3; r1: 0");
}
END_TEST

START_TEST(non_blocking_operations_wait_in_their_completion)
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

/* --- classes and causers --- */

/* Check the waits of all ranks, in seconds: "P1 late sender 2-5 by P0". */
static void expect_waits(Harness h, const char *expected)
{
    g_autoptr(GArray) waits = hiera_waits_find(hiera_graph_peek_match(h.graph));
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < waits->len; i++) {
        const HieraWait *wait = &g_array_index(waits, HieraWait, i);
        g_string_append_printf(text, "%sP%u %s %g-%g", i ? "; " : "", hiera_trace_find_processor(h.trace, wait->row),
                               hiera_wait_name((HieraWaitClass)wait->class), (double)wait->begin_ns / 1e9,
                               (double)wait->end_ns / 1e9);
        if (wait->causer != HIERA_NONE)
            g_string_append_printf(text, " by P%u", hiera_trace_find_processor(h.trace, wait->causer));
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

START_TEST(messages_have_classes_and_causers)
{
    expect_waits(HARNESS(SEND_AT("5", "6", 1), RECEIVE_AT("2", "7", 0)), "P1 late sender 2-5 by P0");
    expect_waits(HARNESS(SEND_AT("1", "6", 1), RECEIVE_AT("4", "6", 0)), "P0 late receiver 1-4 by P1");
    expect_waits(HARNESS(ISEND_AT("1", "1.5", 1) WAIT_AT("2", "6"), RECEIVE_AT("4", "6", 0)),
                 "P0 late receiver 2-4 by P1");
}
END_TEST

/* P0 sends tag 1 at 1 s and tag 2 at 5 s; P1 receives tag 2 first, at 2 s. */
START_TEST(a_late_sender_is_in_wrong_order_if_an_earlier_message_is_received_later)
{
    expect_waits(HARNESS(SPAN("1", "1.5", "send", "dest=\"1\" tag=\"1\"" WORLD)
                             SPAN("5", "5.5", "send", "dest=\"1\" tag=\"2\"" WORLD),
                         SPAN("2", "6", "receive", "rem=\"0\" tag=\"2\"" WORLD)
                             SPAN("6", "7", "receive", "rem=\"0\" tag=\"1\"" WORLD)),
                 "P1 late sender, wrong order 2-5 by P0");
    expect_waits(HARNESS(SPAN("1", "1.5", "send", "dest=\"1\" tag=\"1\"" WORLD)
                             SPAN("5", "5.5", "send", "dest=\"1\" tag=\"2\"" WORLD),
                         SPAN("0.5", "2", "receive", "rem=\"0\" tag=\"1\"" WORLD)
                             SPAN("2", "6", "receive", "rem=\"0\" tag=\"2\"" WORLD)),
                 "P1 late sender 0.5-1 by P0; P1 late sender 2-5 by P0");
}
END_TEST

/* P1 sends at 3 s and takes P0's message of 6 s: until 6 s it cannot end, and the receiver came at 4 s. */
START_TEST(the_dependence_that_ends_last_gives_the_class)
{
    expect_waits(HARNESS(SEND_AT("6", "6.5", 1),
                         SPAN("3", "7", "sendrecv", "dest=\"2\" stag=\"0\" rem=\"0\" rtag=\"0\"" WORLD),
                         RECEIVE_AT("4", "7", 1)),
                 "P1 late sender 3-6 by P0");
    expect_waits(HARNESS(SEND_AT("4", "4.5", 1),
                         SPAN("3", "7", "sendrecv", "dest=\"2\" stag=\"0\" rem=\"0\" rtag=\"0\"" WORLD),
                         RECEIVE_AT("5", "7", 1)),
                 "P1 late receiver 3-5 by P2");
}
END_TEST

#define TWO_RECEIVES(call)                                                                                             \
    HARNESS(SPAN("4", "4.5", "send", "dest=\"2\" tag=\"0\"" WORLD),                                                    \
            SPAN("6", "6.5", "send", "dest=\"2\" tag=\"0\"" WORLD),                                                    \
            SPAN("1", "1.1", "irecv", "rem=\"0\" tag=\"0\" request=\"1\"" WORLD)                                       \
                SPAN("1.2", "1.3", "irecv", "rem=\"1\" tag=\"0\" request=\"2\"" WORLD)                                 \
                    SPAN("2", "7", call, "requests=\"1 2\""))

START_TEST(waitall_waits_for_the_last_request_and_waitsome_for_the_first)
{
    expect_waits(TWO_RECEIVES("waitall"), "P2 late sender 2-6 by P1");
    expect_waits(TWO_RECEIVES("waitsome"), "P2 late sender 2-4 by P0");
}
END_TEST

/* All have come at 5 s; the first leaves at 6 s. */
START_TEST(completion_begins_when_the_first_member_leaves)
{
    expect_waits(HARNESS(BARRIER_AT("1", "6"), BARRIER_AT("5", "8")),
                 "P0 wait at barrier 1-5 by P1; P1 barrier completion 6-8");
    expect_waits(HARNESS(SPAN("1", "6", "allreduce", WORLD), SPAN("5", "8", "allreduce", WORLD)),
                 "P0 wait at N x N 1-5 by P1; P1 N x N completion 6-8");
}
END_TEST

/* P2 comes last, but P1 needs data from P0 only. */
START_TEST(a_member_of_an_intercommunicator_waits_for_the_other_group)
{
#define ONE "<hieraComm id=\"i\" ranks=\"0\" remote=\"1-2\"/>\n"
#define TWO "<hieraComm id=\"i\" ranks=\"1-2\" remote=\"0\"/>\n"
    expect_waits(HARNESS(ONE SPAN("3", "9", "allgather", "comm=\"i\""), TWO SPAN("1", "9", "allgather", "comm=\"i\""),
                         TWO SPAN("7", "9", "allgather", "comm=\"i\"")),
                 "P0 wait at N x N 3-7 by P2; P1 wait at N x N 1-3 by P0");
    expect_waits(HARNESS(ONE SPAN("3", "9", "broadcast", "root=\"MPI_ROOT\" comm=\"i\""),
                         TWO SPAN("1", "9", "broadcast", "root=\"0\" comm=\"i\""),
                         TWO SPAN("7", "9", "broadcast", "root=\"0\" comm=\"i\"")),
                 "P1 late broadcast 1-3 by P0");
}
END_TEST

#define IN_LINE(out, start, finish)                                                                                    \
    "<hieraComm id=\"c\" ranks=\"0-2\" neighbors_in=\"" out "\" neighbors_out=\"" out                                  \
    "\"/>\n" SPAN(start, finish, "neighbor_allgather", "comm=\"c\"")

/* A line of three: P0 has the neighbor P1 only. */
START_TEST(a_neighborhood_collective_waits_for_neighbors_only)
{
    expect_waits(HARNESS(IN_LINE("1", "1", "9"), IN_LINE("0 2", "4", "9"), IN_LINE("1", "8", "9")),
                 "P0 wait at neighbors 1-4 by P1; P1 wait at neighbors 4-8 by P2");
}
END_TEST

#define WINDOW(win)                            SPAN("0.1", "0.2", "win_create", "win=\"" win "\"" WORLD)
#define IN_WINDOW(start, finish, op, win)      SPAN(start, finish, op, "win=\"" win "\"")
#define OF_GROUP(id, ranks)                    "<hieraGroup id=\"" id "\" ranks=\"" ranks "\"/>\n"
#define WITH_GROUP(start, finish, op, win, id) SPAN(start, finish, op, "group=\"" id "\" assert=\"0\" win=\"" win "\"")

START_TEST(fences_and_epochs_wait)
{
    expect_waits(
        HARNESS(WINDOW("a") IN_WINDOW("1", "5", "win_fence", "a"), WINDOW("b") IN_WINDOW("4", "5", "win_fence", "b")),
        "P0 wait at fence 1-4 by P1");
    expect_waits(HARNESS(WINDOW("a") OF_GROUP("g", "1") WITH_GROUP("1", "4", "win_start", "a", "g")
                             IN_WINDOW("5", "6", "win_complete", "a"),
                         WINDOW("b") OF_GROUP("h", "0") WITH_GROUP("3", "3.1", "win_post", "b", "h")
                             IN_WINDOW("4", "7", "win_wait", "b")),
                 "P0 late post 1-3 by P1; P1 late complete 4-5 by P0");
    /* This MPI does not wait in win_start, but in win_complete. */
    expect_waits(HARNESS(WINDOW("a") OF_GROUP("g", "1") WITH_GROUP("1", "1.1", "win_start", "a", "g")
                             IN_WINDOW("2", "6", "win_complete", "a"),
                         WINDOW("b") OF_GROUP("h", "0") WITH_GROUP("5", "5.1", "win_post", "b", "h")
                             IN_WINDOW("5.2", "7", "win_wait", "b")),
                 "P0 late post 2-5 by P1");
}
END_TEST

#define LOCK_AT(start, finish, win, type)                                                                              \
    SPAN(start, finish, "win_lock", "lock_type=\"" #type "\" rank=\"0\" assert=\"0\" win=\"" win "\"")
#define UNLOCK_AT(start, finish, win) SPAN(start, finish, "win_unlock", "rank=\"0\" win=\"" win "\"")

START_TEST(a_lock_waits_for_the_unlock_of_another_rank_unless_both_are_shared)
{
    expect_waits(HARNESS(WINDOW("a") LOCK_AT("1", "1.5", "a", 1) UNLOCK_AT("4", "5", "a"),
                         WINDOW("b") LOCK_AT("2", "6", "b", 2) UNLOCK_AT("7", "8", "b")),
                 "P1 lock contention 2-5 by P0");
    expect_waits(HARNESS(WINDOW("a") LOCK_AT("1", "1.5", "a", 2) UNLOCK_AT("4", "5", "a"),
                         WINDOW("b") LOCK_AT("2", "6", "b", 235) UNLOCK_AT("7", "8", "b")),
                 "");
    expect_waits(HARNESS(WINDOW("a") LOCK_AT("1", "1.5", "a", 302) UNLOCK_AT("4", "5", "a"),
                         WINDOW("b") LOCK_AT("2", "6", "b", 302) UNLOCK_AT("7", "8", "b")),
                 "");
}
END_TEST

TCase *waiting_tests(void)
{
    TCase *tests = tcase_create("waiting");
    tcase_add_test(tests, late_sender);
    tcase_add_test(tests, waits_are_found_once);
    tcase_add_test(tests, a_match_keeps_what_was_found_and_frees_it_once);
    tcase_add_test(tests, sends_that_end_before_the_receive_do_not_wait);
    tcase_add_test(tests, late_receiver);
    tcase_add_test(tests, non_blocking_operations_wait_in_their_completion);
    tcase_add_test(tests, all_members_of_a_barrier_wait_for_the_last);
    tcase_add_test(tests, late_broadcast_and_early_reduce);
    tcase_add_test(tests, a_prefix_waits_for_all_lower_ranks);
    tcase_add_test(tests, nobody_waits_longer_than_the_call_lasts);
    tcase_add_test(tests, messages_have_classes_and_causers);
    tcase_add_test(tests, a_late_sender_is_in_wrong_order_if_an_earlier_message_is_received_later);
    tcase_add_test(tests, the_dependence_that_ends_last_gives_the_class);
    tcase_add_test(tests, waitall_waits_for_the_last_request_and_waitsome_for_the_first);
    tcase_add_test(tests, completion_begins_when_the_first_member_leaves);
    tcase_add_test(tests, a_member_of_an_intercommunicator_waits_for_the_other_group);
    tcase_add_test(tests, a_neighborhood_collective_waits_for_neighbors_only);
    tcase_add_test(tests, fences_and_epochs_wait);
    tcase_add_test(tests, a_lock_waits_for_the_unlock_of_another_rank_unless_both_are_shared);
    return tests;
}
