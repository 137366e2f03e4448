/* Efficiencies (analyses/efficiency/efficiency.c) of small traces, worked out by hand. */
#include "harness/answers.h"
#include "suites.h"

/* Check time, useful time (mean, greatest) in seconds and the factors in percent of each row. */
static void expect_efficiency(Harness h, const char *by, const char *expected)
{
    static const char *const seconds[] = {"time", "useful-mean", "useful-max"};
    static const char *const factors[] = {"load-balance", "communication", "serialisation", "transfer", "efficiency"};
    const HieraMeasure *measure = &hiera_measure_efficiency;
    g_autoptr(HieraTable) table = answer(hiera_graph_peek_match(h.graph), measure, by);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        const HieraCell *cells = hiera_table_peek_row(table, row);
        g_string_append_printf(text, "%s%s:", row ? "; " : "", cells[0].text);
        for (guint i = 0; i < G_N_ELEMENTS(seconds); i++)
            g_string_append_printf(text, " %g", (double)number_at(table, measure, row, seconds[i]) / 1e9);
        for (guint i = 0; i < G_N_ELEMENTS(factors); i++)
            g_string_append_printf(text, " %g%%", (double)number_at(table, measure, row, factors[i]) / 100);
        g_string_append(text, hiera_table_peek_row(table, row)[column_of(measure, "remark")].text);
    }
    ck_assert_str_eq(text->str, expected);
    harness_clear(&h);
}

/* P0 computes 90 s and P1 70 s. In the ideal run P1 waits from 65 until P0 comes at 80; both end at 90. */
START_TEST(the_ideal_run_keeps_waiting_and_drops_transfer)
{
    expect_efficiency(HARNESS(BARRIER_AT("80", "90"), BARRIER_AT("60", "90")), NULL,
                      ": 100 80 90 88.89% 90% 100% 90% 80%");
}
END_TEST

/* Ranks compute 50 s each, one after the other. */
START_TEST(ranks_that_take_turns_are_serial)
{
    expect_efficiency(
        HARNESS(SEND_AT("50", "50", 1) RECEIVE_AT("50", "100", 1), RECEIVE_AT("0", "50", 0) SEND_AT("100", "100", 0)),
        NULL, ": 100 50 50 100% 50% 50% 100% 50%");
}
END_TEST

/* The receiver comes at 40 while the sender is in its call: in the ideal run the sender waits, too. */
START_TEST(a_late_receiver_is_kept)
{
    expect_efficiency(HARNESS(SEND_AT("10", "50", 1), RECEIVE_AT("40", "50", 0)), NULL,
                      ": 100 75 90 83.33% 90% 100% 90% 75%");
}
END_TEST

START_TEST(io_takes_its_time_and_is_not_useful)
{
    expect_efficiency(HARNESS(SPAN("10", "60", "file_write", "")), NULL, ": 100 50 50 100% 50% 50% 100% 50%");
}
END_TEST

START_TEST(flushes_are_not_useful)
{
    expect_efficiency(HARNESS("<hieraFlush start_time=\"10\" finish_time=\"20\"/>\n"), NULL,
                      ": 100 90 90 100% 90% 90% 100% 90%");
}
END_TEST

/* Of rank 0: what is outside of init and finalize (0 and 100), in an MPI call, and in a further thread. Of rank 1 one
 * of 10 s that begins before init. */
START_TEST(flushes_elsewhere_take_nothing_of_the_computation)
{
#define FLUSH(start, finish) "<hieraFlush start_time=\"" start "\" finish_time=\"" finish "\"/>\n"
    expect_efficiency(
        HARNESS(FLUSH("100", "110") "<hieraMPI operation=\"barrier\" file=\"t.c\" line=\"1\" start_time=\"80\""
                                    " finish_time=\"90\"" WORLD
                                    ">" FLUSH("82", "85") "</hieraMPI>\n" THREAD(1, FLUSH("20", "70")),
                BARRIER_AT("80", "90") FLUSH("95", "105")),
        NULL, ": 100 87.5 90 97.22% 90% 100% 90% 87.5%of the main threads");
}
END_TEST

#define REGION(name, start, finish, content)                                                                           \
    "<hieraRegion level=\"app\" operation=\"" name "\" file=\"t.c\" line=\"2\" start_time=\"" start                    \
    "\" finish_time=\"" finish "\">\n" content "</hieraRegion>\n"

/* The second step of P0 takes 6 s, 2 of them in the barrier, in which P1 waits for P0 1 s and then has 2 s. */
START_TEST(regions_and_iterations_have_their_own)
{
#define TWO_STEPS                                                                                                      \
    HARNESS(REGION("step", "0", "4", "") REGION("step", "10", "16", BARRIER_AT("14", "16")),                           \
            REGION("step", "0", "2", "") REGION("step", "10", "16", BARRIER_AT("13", "16")))
    expect_efficiency(TWO_STEPS, "region", "step: 10 6.5 8 81.25% 80% 100% 80% 65%");
    expect_efficiency(TWO_STEPS, "iteration",
                      "step: 4 3 4 75% 100% 100% 100% 75%; step: 6 3.5 4 87.5% 66.67% 100% 66.67% 58.33%");
}
END_TEST

TCase *efficiency_tests(void)
{
    TCase *tests = tcase_create("efficiency");
    tcase_add_test(tests, the_ideal_run_keeps_waiting_and_drops_transfer);
    tcase_add_test(tests, ranks_that_take_turns_are_serial);
    tcase_add_test(tests, a_late_receiver_is_kept);
    tcase_add_test(tests, io_takes_its_time_and_is_not_useful);
    tcase_add_test(tests, flushes_are_not_useful);
    tcase_add_test(tests, flushes_elsewhere_take_nothing_of_the_computation);
    tcase_add_test(tests, regions_and_iterations_have_their_own);
    return tests;
}
