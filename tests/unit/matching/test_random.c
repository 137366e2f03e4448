/* Matching of random programs (random_program.h), of which it is known which receive got which message. Seeds are
 * fixed. */
#include "graph/graph_private.h"
#include "harness/harness.h"
#include "harness/random_program.h"
#include "suites.h"
#include <string.h>

static Harness load(const RandomProgram *program)
{
    char *bodies[RANDOM_RANKS];
    for (int rank = 0; rank < RANDOM_RANKS; rank++)
        bodies[rank] = random_program_trace(program, rank);
    Harness harness = harness_load((const char *const *)bodies, RANDOM_RANKS);
    for (int rank = 0; rank < RANDOM_RANKS; rank++)
        g_free(bodies[rank]);
    return harness;
}

static int call_of(const Harness *h, guint32 row)
{
    return (int)hiera_trace_peek_site(h->trace, row)->line;
}

static void expect_reasons(const HieraTrace *trace, const HieraGraph *graph)
{
    for (guint32 row = 0; row < trace->n_operations; row++) {
        const HieraSite *site = hiera_trace_peek_site(trace, row);
        gboolean communicates = site->kind == HIERA_KIND_SEND || site->kind == HIERA_KIND_RECEIVE ||
                                site->kind == HIERA_KIND_SEND_RECEIVE || site->kind == HIERA_KIND_GROUP ||
                                (site->kind >= HIERA_KIND_ALL_TO_ALL && site->kind <= HIERA_KIND_NEIGHBOR);
        if (communicates)
            ck_assert_msg(hiera_match_reason(hiera_graph_peek_match(graph), row) != HIERA_REASON_NOT_COMMUNICATING,
                          "%s (%s:%u): neither a partner nor a reason", site->operation, site->file, site->line);
    }
}

/* Check that each receive is matched with the message that it got, and that receives without a message have the right
 * reason. */
static void expect_truth(const Harness *h, const RandomProgram *program)
{
    const GArray *messages = h->graph->match->messages;
    ck_assert_uint_gt(messages->len, RANDOM_STEPS / 20);
    ck_assert_uint_eq(messages->len, random_program_count_messages(program));
    for (guint i = 0; i < messages->len; i++) {
        const HieraMessage *message = &g_array_index(messages, HieraMessage, i);
        int from = call_of(h, message->from), to = call_of(h, message->to);
        ck_assert_int_eq(message->doubt, HIERA_DOUBT_NONE);
        ck_assert_msg(random_program_find_send(program, to) == from, "receive %d got the message of call %d", to, from);
    }
    for (guint32 row = 0; row < h->trace->n_operations; row++) {
        int reason = random_program_find_reason(program, call_of(h, row));
        if (reason)
            ck_assert_int_eq((int)hiera_match_reason(hiera_graph_peek_match(h->graph), row), reason);
    }
}

START_TEST(random_programs_are_matched_as_they_ran)
{
    RandomProgram *program = random_program_run((guint32)_i, FALSE);
    Harness h = load(program);
    expect_truth(&h, program);
    expect_reasons(h.trace, h.graph);
    harness_clear(&h);
    random_program_free(program);
}
END_TEST

/* If calls of threads overlap, pairs may differ from the simulation, but such pairs must be marked as doubtful. The
 * number of pairs must be the same, and no message may be received before it was sent. */
START_TEST(random_threads_are_matched_in_a_possible_way)
{
    RandomProgram *program = random_program_run((guint32)_i, TRUE);
    Harness h = load(program);
    const GArray *messages = h.graph->match->messages;
    ck_assert_uint_eq(messages->len, random_program_count_messages(program));
    for (guint i = 0; i < messages->len; i++) {
        const HieraMessage *message = &g_array_index(messages, HieraMessage, i);
        int from = call_of(&h, message->from), to = call_of(&h, message->to);
        ck_assert_msg(message->doubt || random_program_find_send(program, to) == from,
                      "receive %d certainly got the message of call %d", to, from);
        ck_assert_int_ge(hiera_match_end_ns(h.trace, message->ended_by), h.trace->start_ns[message->from]);
    }
    expect_reasons(h.trace, h.graph);
    harness_clear(&h);
    random_program_free(program);
}
END_TEST

static void check_folder(const char *path)
{
    const char *arguments[] = {path, NULL};
    g_autoptr(HieraGraph) graph = hiera_graph_load(arguments, NULL, NULL);
    if (graph)
        expect_reasons(hiera_graph_peek_trace(graph), graph);
}

/* Check all folders with traces below a path. Return their number. */
static guint check_folders(const char *path)
{
    g_autoptr(GDir) folder = g_dir_open(path, 0, NULL);
    const char *name;
    guint n = 0;
    gboolean traces = FALSE;
    while (folder && (name = g_dir_read_name(folder))) {
        g_autofree char *below = g_build_filename(path, name, NULL);
        if (g_file_test(below, G_FILE_TEST_IS_DIR))
            n += check_folders(below);
        traces = traces || strcmp(name, "trace0.xml") == 0;
    }
    if (traces)
        check_folder(path);
    return n + traces;
}

START_TEST(all_golden_traces_have_reasons)
{
    ck_assert_uint_gt(check_folders(GOLDEN), 10);
}
END_TEST

TCase *random_tests(void)
{
    TCase *tests = tcase_create("random");
    tcase_set_timeout(tests, 60);
    tcase_add_loop_test(tests, random_programs_are_matched_as_they_ran, 1, 21);
    tcase_add_loop_test(tests, random_threads_are_matched_in_a_possible_way, 1, 21);
    tcase_add_test(tests, all_golden_traces_have_reasons);
    return tests;
}
