/* Delay costs (analyses/causes/delays.h): what is explained adds up to what was waited. */
#include "causes/delays.h"
#include "harness/harness.h"
#include "suites.h"

#define SEND_AT(start, finish, to)      SPAN(start, finish, "send", "dest=\"" #to "\" tag=\"0\"" WORLD)
#define RECEIVE_AT(start, finish, from) SPAN(start, finish, "receive", "rem=\"" #from "\" tag=\"0\"" WORLD)
#define BARRIER_AT(start, finish)       SPAN(start, finish, "barrier", WORLD)

/* Check the sums of all waits, and of their causes: "waits 7 direct 4 indirect 3 unexplained 0", in seconds. */
static void expect_sums(Harness h, const char *expected)
{
    const HieraMatch *match = hiera_graph_peek_match(h.graph);
    const HieraScope all = HIERA_SCOPE_ALL;
    HieraCallPaths paths;
    hiera_call_paths_init(&paths, h.trace, &all);
    g_autoptr(GArray) waits = hiera_waits_find(match);
    g_autoptr(HieraDelays) delays = hiera_delays_find(match, &paths, waits, &all);
    gint64 waited = 0, direct = 0, indirect = 0, unexplained = 0;
    for (guint i = 0; i < waits->len; i++)
        waited += g_array_index(waits, HieraWait, i).end_ns - g_array_index(waits, HieraWait, i).begin_ns;
    for (guint i = 0; i < delays->list->len; i++) {
        const HieraDelay *delay = &g_array_index(delays->list, HieraDelay, i);
        gboolean explained = delay->node != HIERA_NONE;
        direct += explained ? delay->direct_ns : 0;
        indirect += explained ? delay->indirect_ns : 0;
        unexplained += explained ? 0 : delay->direct_ns + delay->indirect_ns;
    }
    g_autofree char *actual = g_strdup_printf("waits %g direct %g indirect %g unexplained %g", (double)waited / 1e9,
                                              (double)direct / 1e9, (double)indirect / 1e9, (double)unexplained / 1e9);
    ck_assert_int_eq(waited, direct + indirect + unexplained);
    ck_assert_str_eq(actual, expected);
    hiera_call_paths_clear(&paths);
    harness_clear(&h);
}

/* P2 waits 4 s for P1; of P1's time 3 s is waiting for P0, and 1 s is its receive. */
START_TEST(a_wait_for_a_rank_that_waits_is_handed_back)
{
    expect_sums(
        HARNESS(SEND_AT("4", "4.1", 1), RECEIVE_AT("1", "5", 0) SEND_AT("5", "5.1", 2), RECEIVE_AT("1", "6", 1)),
        "waits 7 direct 4 indirect 3 unexplained 0");
}
END_TEST

/* The barrier begins at 5 s, and P0 leaves it first: P1 completes it for 2 s, which nobody has caused. */
START_TEST(completion_is_unexplained)
{
    expect_sums(HARNESS(BARRIER_AT("1", "6"), BARRIER_AT("5", "8")), "waits 6 direct 4 indirect 0 unexplained 2");
}
END_TEST

/* P0 leaves the barrier last, and sends at once: nothing that P0 did since then has caused the 0.5 s of P1. */
START_TEST(a_delay_without_excess_is_unexplained)
{
    expect_sums(HARNESS(BARRIER_AT("0", "2") SEND_AT("2", "2.5", 1), BARRIER_AT("0", "1") RECEIVE_AT("1.5", "3", 0)),
                "waits 1.5 direct 0 indirect 0 unexplained 1.5");
}
END_TEST

/* P0 leaves the reduction when P2 has come, at 5 s, and tells all the result. P1 waits for it since 1.2 s, because of
 * P2: the reduction, which P1 left at once, did not bring the two together. */
#define ROOTED_AT(start, finish, what) SPAN(start, finish, what, "root=\"0\"" WORLD)
START_TEST(a_root_that_waits_for_a_member_hands_back_what_the_others_wait)
{
    expect_sums(HARNESS(BARRIER_AT("0", "1") ROOTED_AT("1", "5", "reduce") ROOTED_AT("5", "5.2", "broadcast"),
                        BARRIER_AT("0", "1") ROOTED_AT("1", "1.2", "reduce") ROOTED_AT("1.2", "5.2", "broadcast"),
                        BARRIER_AT("0", "1") SPAN("1", "5", "comm_rank", WORLD) ROOTED_AT("5", "5", "reduce")
                            ROOTED_AT("5", "5.2", "broadcast")),
                "waits 7.8 direct 4 indirect 3.8 unexplained 0");
}
END_TEST

/* Three ranks hand messages round at the same instant; nothing is handed in a circle for ever. */
#define PERSISTENT(init, start, finish)                                                                                \
    SPAN(init, init ".1", "barrier_init", WORLD " request=\"1\"")                                                      \
    SPAN(start, start ".1", "start", "requests=\"1\"") SPAN(start ".2", finish, "wait", "requests=\"1\"")

/* P1 is late already when it makes the request of the barrier, which P0 has made without waiting. */
START_TEST(making_a_persistent_collective_synchronizes_nobody)
{
    expect_sums(HARNESS(PERSISTENT("1", "2", "8"), PERSISTENT("6", "7", "8")),
                "waits 4.8 direct 4.8 indirect 0 unexplained 0");
}
END_TEST

#define IBARRIER(time, finish) SPAN(time, finish, "ibarrier", WORLD " request=\"1\"")
#define WAIT_AT(start, finish) SPAN(start, finish, "wait", "requests=\"1\"")
#define COMPUTE(start, finish)                                                                                         \
    "<hieraRegion level=\"app\" operation=\"work\" file=\"t.c\" line=\"9\" start_time=\"" start                        \
    "\" finish_time=\"" finish "\"/>"

/* Posting the barrier lets nobody wait: P1 waits for the message because P0 computed for 6 s since the begin, 4 s
 * longer than P1; 2 s of P0 before its post count like the 4 s behind it. */
START_TEST(posting_a_nonblocking_collective_synchronizes_nobody)
{
    expect_sums(HARNESS(COMPUTE("0", "2") IBARRIER("2", "2") COMPUTE("2", "6") SEND_AT("6", "6", 1) WAIT_AT("6", "6"),
                        IBARRIER("0", "0") COMPUTE("0", "2") RECEIVE_AT("2", "6", 0) WAIT_AT("6", "6")),
                "waits 4 direct 4 indirect 0 unexplained 0");
    expect_sums(HARNESS(COMPUTE("0", "4") IBARRIER("4", "4") SEND_AT("4", "4", 1) WAIT_AT("4", "4"),
                        IBARRIER("0", "0") COMPUTE("0", "1") RECEIVE_AT("1", "4", 0) WAIT_AT("4", "4")),
                "waits 3 direct 3 indirect 0 unexplained 0");
}
END_TEST

/* P1 has completed the barrier, which P0 posted at 4 s: what P0 computed before that has not caused the second second
 * of P1. Of the computation behind a post all has, also what comes before the end of the barrier. */
START_TEST(completing_a_nonblocking_collective_synchronizes)
{
    expect_sums(HARNESS(COMPUTE("0", "4") IBARRIER("4", "4") WAIT_AT("4", "4") SEND_AT("4", "5", 1),
                        IBARRIER("0", "0") WAIT_AT("3", "3.5") RECEIVE_AT("3.5", "5", 0)),
                "waits 1 direct 0.5 indirect 0 unexplained 0.5");
    expect_sums(HARNESS(IBARRIER("0", "0") COMPUTE("0", "5") WAIT_AT("5", "5") SEND_AT("5", "6", 1),
                        IBARRIER("0", "0") WAIT_AT("4", "4") RECEIVE_AT("4", "6", 0)),
                "waits 1 direct 1 indirect 0 unexplained 0");
}
END_TEST

/* P1 starts three messages in one call, and P0 receives them at 1, 2 and 6 s. P1 tests in vain for the message of 5 s,
 * then waits for the one of 4 s. Since 2 s P0 has computed for 1.5 s until the end of the test, and for 2 s until it
 * sends at 4 s; P1 for 2.5 s since the start of the messages: nobody has caused these waits of 0.5 s each. That of 1 s
 * for the message of 5 s is all P0's. The search for the test ends between the three messages; the one for the second
 * wait must not see the message of 1 s alone. */
#define START_SEND(request, in_tag)                                                                                    \
    SPAN("0", "0", "send_init", "dest=\"0\" tag=\"" in_tag "\" request=\"" request "\"" WORLD)
#define TAKE(time, in_tag) SPAN(time, time, "receive", "rem=\"1\" tag=\"" in_tag "\"" WORLD)
START_TEST(a_call_that_starts_several_messages_synchronizes_with_the_last_one_received)
{
    expect_sums(HARNESS(COMPUTE("0", "1") TAKE("1", "3") COMPUTE("1", "2") TAKE("2", "1") COMPUTE("2", "4")
                            SEND_AT("4", "4", 1) COMPUTE("4", "5") SPAN("5", "5", "send", "dest=\"1\" tag=\"9\"" WORLD)
                                TAKE("6", "2"),
                        START_SEND("1", "1") START_SEND("2", "2") START_SEND("3", "3")
                            SPAN("0", "0.5", "startall", "requests=\"1 2 3\"") COMPUTE("0.5", "3")
                                SPAN("3", "3", "irecv", "rem=\"0\" tag=\"9\" request=\"4\"" WORLD)
                                    SPAN("3", "3.5", "test", "pending=\"4\"") RECEIVE_AT("3.5", "4", 0)
                                        SPAN("4", "5", "wait", "requests=\"4\"")
                                            SPAN("6.5", "6.5", "waitall", "requests=\"1 2 3\"")),
                "waits 2 direct 1 indirect 0 unexplained 1");
}
END_TEST

START_TEST(waits_that_end_at_one_instant_are_explained_once)
{
    expect_sums(HARNESS(RECEIVE_AT("1", "5", 2) SEND_AT("5", "6", 1), RECEIVE_AT("1", "5", 0) SEND_AT("5", "6", 2),
                        RECEIVE_AT("1", "5", 1) SEND_AT("5", "6", 0)),
                "waits 12 direct 0 indirect 0 unexplained 12");
}
END_TEST

/* --- nodes get other numbers --- */

typedef struct {
    gint64 ns[16];
} Sums;

static void add_sum(guint32 node, gint64 time_ns, gpointer sums)
{
    ((Sums *)sums)->ns[node] += time_ns;
}

static Sums sums_of(const HieraRankTimes *times, gint64 from_ns, gint64 to_ns)
{
    Sums sums = {{0}};
    hiera_rank_times_visit(times, from_ns, to_ns, add_sum, &sums);
    return sums;
}

/* A rank computes and sends 200 times: its segments fill several blocks. */
static char *write_steps(void)
{
    GString *body = g_string_new(NULL);
    for (guint i = 1; i <= 200; i++)
        g_string_append_printf(
            body,
            "<hieraRegion level=\"app\" operation=\"work\" file=\"t.c\" line=\"9\" start_time=\"%u\" "
            "finish_time=\"%u.%u\"/>"
            "<hieraMPI operation=\"barrier\" file=\"t.c\" line=\"1\" start_time=\"%u.95\" "
            "finish_time=\"%u.97\" comm=\"MPI_COMM_SELF\"/>",
            i, i, i % 9 + 1, i, i);
    return g_string_free(body, FALSE);
}

START_TEST(times_stay_the_same_if_nodes_get_other_numbers)
{
    g_autofree char *body = write_steps();
    Harness h = HARNESS(body);
    const HieraScope all = HIERA_SCOPE_ALL;
    HieraCallPaths paths;
    HieraRankTimes times;
    guint at = 0;
    guint32 to[16];
    g_autoptr(GArray) waits = g_array_new(FALSE, FALSE, sizeof(HieraWait));
    hiera_call_paths_init(&paths, h.trace, &all);
    hiera_rank_times_init(&times, hiera_graph_peek_match(h.graph), &paths, 0, waits, &at);
    guint32 n = paths.tree->nodes->len;
    ck_assert_uint_gt(times.n_nodes, 2);
    ck_assert_uint_gt(times.n_blocks, 2);
    const Sums few = sums_of(&times, 3300000000, 5100000000), many = sums_of(&times, 3300000000, 190600000000);
    for (guint32 i = 0; i < n; i++)
        to[i] = (i * 5 + 3) % 16;
    g_autofree gint64 *whole = g_new(gint64, n);
    for (guint32 i = 0; i < n; i++)
        whole[i] = hiera_rank_times_of(&times, i);
    hiera_rank_times_move(&times, to);
    const Sums few_then = sums_of(&times, 3300000000, 5100000000),
               many_then = sums_of(&times, 3300000000, 190600000000);
    for (guint32 i = 0; i < n; i++) {
        ck_assert_int_eq(hiera_rank_times_of(&times, to[i]), whole[i]);
        ck_assert_int_eq(few_then.ns[to[i]], few.ns[i]);
        ck_assert_int_eq(many_then.ns[to[i]], many.ns[i]);
    }
    hiera_rank_times_clear(&times);
    hiera_call_paths_clear(&paths);
    harness_clear(&h);
}
END_TEST

TCase *delay_tests(void)
{
    TCase *tests = tcase_create("delays");
    tcase_add_test(tests, a_wait_for_a_rank_that_waits_is_handed_back);
    tcase_add_test(tests, completion_is_unexplained);
    tcase_add_test(tests, a_delay_without_excess_is_unexplained);
    tcase_add_test(tests, a_root_that_waits_for_a_member_hands_back_what_the_others_wait);
    tcase_add_test(tests, making_a_persistent_collective_synchronizes_nobody);
    tcase_add_test(tests, posting_a_nonblocking_collective_synchronizes_nobody);
    tcase_add_test(tests, completing_a_nonblocking_collective_synchronizes);
    tcase_add_test(tests, a_call_that_starts_several_messages_synchronizes_with_the_last_one_received);
    tcase_add_test(tests, waits_that_end_at_one_instant_are_explained_once);
    tcase_add_test(tests, times_stay_the_same_if_nodes_get_other_numbers);
    return tests;
}
