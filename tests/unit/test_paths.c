/* Critical path, slack and efficiencies (analyses/) of small graphs, worked out by hand, and what must hold for all. */
#include "harness.h"
#include "measures.h"
#include "paths/dependences.h"
#include "paths/replay.h"
#include "search/identities.h"
#include "suites.h"
#include <string.h>

#define SEND_AT(start, finish, to)      SPAN(start, finish, "send", "dest=\"" #to "\" tag=\"0\"" WORLD)
#define RECEIVE_AT(start, finish, from) SPAN(start, finish, "receive", "rem=\"" #from "\" tag=\"0\"" WORLD)
#define BARRIER_AT(start, finish)       SPAN(start, finish, "barrier", WORLD)

/* Return the answer of a measure; to be freed with hiera_table_free. */
static HieraTable *answer(const HieraMatch *match, const HieraMeasure *measure, const char *by)
{
    HieraScope scope = HIERA_SCOPE_ALL;
    scope.by = by;
    HieraTable *table = hiera_table_new(measure->name, measure->columns, measure->n_columns);
    ck_assert(measure->find(match, &scope, table, NULL));
    return table;
}

static guint column_of(const HieraMeasure *measure, const char *name)
{
    for (guint i = 0; i < measure->n_columns; i++) {
        if (strcmp(measure->columns[i].name, name) == 0)
            return i;
    }
    ck_abort_msg("no column %s", name);
}

static gint64 number_at(const HieraTable *table, const HieraMeasure *measure, guint row, const char *column)
{
    return hiera_table_peek_row(table, row)[column_of(measure, column)].number;
}

/* --- the critical path --- */

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

/* --- slack --- */

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

/* --- efficiencies --- */

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

/* --- what holds for all traces --- */

static void check_path(const HieraMatch *match, gint64 run_ns, const char *by)
{
    g_autoptr(HieraTable) table = answer(match, &hiera_measure_critical_path, by);
    gint64 sum_ns = 0;
    for (guint row = 0; row < hiera_table_count(table); row++) {
        gint64 time_ns = number_at(table, &hiera_measure_critical_path, row, "time");
        ck_assert_int_gt(time_ns, 0);
        sum_ns += time_ns;
    }
    ck_assert_int_eq(sum_ns, run_ns);
}

static void check_slack(const HieraMatch *match)
{
    g_autoptr(HieraTable) table = answer(match, &hiera_measure_slack, NULL);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        gint64 least_ns = number_at(table, &hiera_measure_slack, row, "least");
        ck_assert_int_ge(least_ns, 0);
        ck_assert_int_ge(number_at(table, &hiera_measure_slack, row, "mean"), least_ns);
    }
}

/* Each moment of each rank is in one row of imbalance. */
static void check_imbalance(const HieraMatch *match, const HieraTrace *trace)
{
    const HieraMeasure *measure = hiera_measure_imbalance.forms[2];
    g_autoptr(HieraTable) table = answer(match, measure, "table");
    gint64 left_ns = 0;
    for (guint32 i = 0; i < trace->n_processors; i++)
        left_ns += MAX(trace->processors[i].finalize_ns - trace->processors[i].init_ns, 0);
    for (guint row = 0; row < hiera_table_count(table); row++)
        left_ns -= number_at(table, measure, row, "time");
    ck_assert_int_eq(left_ns, 0);
}

static void check_efficiency(const HieraMatch *match, const char *by)
{
    static const char *const factors[] = {"load-balance", "communication", "serialisation", "transfer", "efficiency"};
    const HieraMeasure *measure = &hiera_measure_efficiency;
    g_autoptr(HieraTable) table = answer(match, measure, by);
    for (guint row = 0; row < hiera_table_count(table); row++) {
        for (guint i = 0; i < G_N_ELEMENTS(factors); i++) {
            ck_assert_int_ge(number_at(table, measure, row, factors[i]), 0);
            ck_assert_int_le(number_at(table, measure, row, factors[i]), 10000);
        }
        ck_assert_int_le(number_at(table, measure, row, "useful-max"), number_at(table, measure, row, "time"));
    }
}

/* Forward through the order, the recorded times come out; in the ideal run no rank ends later. */
static void check_passes(const HieraMatch *match, const HieraTrace *trace)
{
    const HieraDependences *of = hiera_dependences_find(match);
    g_autofree gboolean *met = g_new0(gboolean, (gsize)of->n_calls + of->n_joins + 1);
    HieraIdealRun ideal;
    for (guint32 i = 0; i < of->n_calls + of->n_joins; i++) {
        guint32 node = of->order[i];
        ck_assert(!met[node]);
        met[node] = TRUE;
        ck_assert(node >= of->n_calls || hiera_dependences_release(of, node) <= of->finish_ns[node]);
    }
    hiera_ideal_run_init(&ideal, of);
    for (guint32 i = 0; i < trace->n_processors; i++) {
        ck_assert_int_le(ideal.finalize_ns[i], trace->processors[i].finalize_ns);
        ck_assert_int_ge(ideal.finalize_ns[i], trace->processors[i].init_ns);
    }
    hiera_ideal_run_clear(&ideal);
}

static void fail_test(const char *broken, gpointer user)
{
    (void)user;
    ck_abort_msg("%s", broken);
}

static void check_all(const HieraTrace *trace, const HieraMatch *match)
{
    gint64 first_ns = G_MAXINT64;
    for (guint32 i = 0; i < trace->n_processors; i++)
        first_ns = MIN(first_ns, trace->processors[i].init_ns);
    gint64 run_ns = hiera_last_finalize(trace) - first_ns;
    check_path(match, run_ns, "path");
    check_path(match, run_ns, "rank");
    check_path(match, run_ns, "level");
    check_path(match, run_ns, "kind");
    check_slack(match);
    check_imbalance(match, trace);
    check_efficiency(match, "run");
    check_efficiency(match, "region");
    check_efficiency(match, "iteration");
    check_passes(match, trace);
    hiera_identities_check(match, fail_test, NULL);
}

static void check_folder(const char *path)
{
    const char *arguments[] = {path, NULL};
    g_autoptr(HieraCatalog) catalog = hiera_catalog_new();
    g_autoptr(HieraFindings) findings = hiera_findings_new();
    g_autoptr(GPtrArray) paths = hiera_trace_paths_expand(arguments, findings);
    g_autoptr(HieraBuilder) builder = hiera_builder_new(catalog, FALSE);
    HieraSink sink = hiera_builder_sink(builder);
    g_autoptr(GArray) processors = hiera_load(paths, NULL, &sink, 1, catalog, findings);
    g_autoptr(HieraTrace) trace = hiera_builder_take_trace(builder, processors, NULL);
    g_autoptr(HieraMatch) match = hiera_match_build(trace);
    if (trace->n_processors > 0)
        check_all(trace, match);
}

/* Check all traces below a folder, alone and with the others of their folder. Return their number. */
static guint check_folders(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (g_file_test(below, G_FILE_TEST_IS_DIR)) {
            n += check_folders(below);
            check_folder(below);
        } else if (g_str_has_suffix(name, ".xml")) {
            check_folder(below);
            n++;
        }
    }
    return n;
}

START_TEST(sums_hold_for_all_golden_traces)
{
    ck_assert_uint_gt(check_folders(GOLDEN), 50);
}
END_TEST

/* Return calls with random partners at random times that only rise; to be freed with g_free. */
static char *make_calls(GRand *random, guint rank, guint n)
{
    static const char *const operations[] = {"send", "receive", "barrier", "allreduce", "scan", "file_write"};
    g_autoptr(GString) body = g_string_new(NULL);
    gint64 at_ms = g_rand_int_range(random, -5000, 5000);
    for (guint i = 0; i < 30; i++) {
        gint64 start_ms = at_ms + g_rand_int_range(random, 0, 3) * 1000;
        at_ms = start_ms + g_rand_int_range(random, 0, 3) * 1000;
        g_string_append_printf(
            body,
            "<hieraMPI operation=\"%s\" file=\"t.c\" line=\"1\" start_time=\"%g\" finish_time=\"%g\" "
            "dest=\"%u\" rem=\"%u\" tag=\"0\"" WORLD "/>\n",
            operations[g_rand_int_range(random, 0, G_N_ELEMENTS(operations))], (double)start_ms / 1000,
            (double)at_ms / 1000, (rank + 1) % n, (rank + n - 1) % n);
    }
    return g_string_free(g_steal_pointer(&body), FALSE);
}

START_TEST(sums_hold_for_ranks_that_fit_neither_in_time_nor_in_order)
{
    enum { RANKS = 5 };
    g_autoptr(GRand) random = g_rand_new_with_seed((guint32)_i);
    char *bodies[RANKS];
    for (guint i = 0; i < RANKS; i++)
        bodies[i] = make_calls(random, i, RANKS);
    Harness h = harness_load((const char *const *)bodies, RANKS);
    check_all(h.trace, hiera_graph_peek_match(h.graph));
    harness_clear(&h);
    for (guint i = 0; i < RANKS; i++)
        g_free(bodies[i]);
}
END_TEST

TCase *paths_tests(void)
{
    TCase *tests = tcase_create("paths");
    tcase_add_test(tests, without_waits_the_path_stays_on_the_rank_that_ends_last);
    tcase_add_test(tests, a_late_sender_takes_the_path_to_its_rank);
    tcase_add_test(tests, a_chain_of_waits_is_followed);
    tcase_add_test(tests, wrong_clocks_keep_the_time_of_the_path);
    tcase_add_test(tests, a_circle_of_waits_ends);
    tcase_add_test(tests, who_waits_has_slack);
    tcase_add_test(tests, an_early_message_may_come_later);
    tcase_add_test(tests, a_prefix_depends_on_all_lower_ranks);
    tcase_add_test(tests, requests_bind_the_call_that_completes_them);
    tcase_add_test(tests, what_contradicts_the_clocks_is_left_out_and_counted);
    tcase_add_test(tests, the_ideal_run_keeps_waiting_and_drops_transfer);
    tcase_add_test(tests, ranks_that_take_turns_are_serial);
    tcase_add_test(tests, a_late_receiver_is_kept);
    tcase_add_test(tests, io_takes_its_time_and_is_not_useful);
    tcase_add_test(tests, flushes_are_not_useful);
    tcase_add_test(tests, regions_and_iterations_have_their_own);
    tcase_add_test(tests, sums_hold_for_all_golden_traces);
    tcase_add_loop_test(tests, sums_hold_for_ranks_that_fit_neither_in_time_nor_in_order, 0, 50);
    return tests;
}
