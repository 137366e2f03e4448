/* What must hold for the measures of any trace: their numbers add up. */
#include "harness/answers.h"
#include "paths/replay.h"
#include "search/identities.h"
#include "suites.h"
#include <string.h>

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
    const HieraMeasure *measure = hiera_measure_imbalance.forms[4];
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
            gint64 factor = number_at(table, measure, row, factors[i]);
            ck_assert(factor == HIERA_UNKNOWN || (factor >= 0 && factor <= 10000));
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
        if (met[node] || (node < of->n_calls && hiera_dependences_release(of, node) > of->finish_ns[node]))
            ck_abort_msg("node %u: met before, or released after its end", node);
        met[node] = TRUE;
    }
    hiera_ideal_run_init(&ideal, of, NULL);
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
    const HieraScope all = HIERA_SCOPE_ALL;
    hiera_identities_check(match, &all, fail_test, NULL);
}

static void check_folder(const char *path)
{
    const char *arguments[] = {path, NULL};
    g_autoptr(HieraGraph) graph = hiera_graph_load(arguments, NULL, NULL);
    if (graph)
        check_all(hiera_graph_peek_trace(graph), hiera_graph_peek_match(graph));
}

/* Check all traces below a folder, alone and with the others of their folder, but for profiles: they have no order of
 * calls. Return their number. */
static guint check_folders(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (strcmp(name, "profiles") == 0)
            continue;
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

TCase *sums_tests(void)
{
    TCase *tests = tcase_create("sums");
    tcase_add_test(tests, sums_hold_for_all_golden_traces);
    tcase_add_loop_test(tests, sums_hold_for_ranks_that_fit_neither_in_time_nor_in_order, 0, 50);
    return tests;
}
