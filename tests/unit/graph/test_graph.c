/* Hierarchy edges of the graph, and walks. */
#include "harness/harness.h"
#include "suites.h"
#include <string.h>

#define REGION(name, first, last, inner)                                                                               \
    "<hieraRegion level=\"app\" operation=\"" name "\" file=\"t.c\" line=\"1\" start_time=\"" #first                   \
    "\" finish_time=\"" #last "\">" inner "</hieraRegion>\n"

/* Vertices: 1 P0 { 2 step { 3 barrier, 4 solve { 5 barrier } }, 6 barrier } */
static Harness load_tree(void)
{
#define BARRIER(time) CALL(time, "barrier", WORLD)
    return HARNESS(REGION("step", 1, 9, BARRIER(2) REGION("solve", 4, 8, BARRIER(5))) BARRIER(10));
}

START_TEST(edges_lead_from_parents_to_children)
{
    Harness h = load_tree();
    harness_expect_edges(&h, HIERA_EDGE_CHILD, "1>2 1>6 2>3 2>4 4>5");
    ck_assert_int_eq(h.trace->depth[3], 2);
    harness_clear(&h);
}
END_TEST

START_TEST(edges_lead_from_siblings_to_the_next)
{
    Harness h = load_tree();
    harness_expect_edges(&h, HIERA_EDGE_NEXT, "2>6 3>4");
    harness_clear(&h);
}
END_TEST

START_TEST(threads_add_no_depth_and_no_siblings)
{
    Harness h = HARNESS(BARRIER(1) "<hieraThread id=\"3\">" BARRIER(2) BARRIER(3) "</hieraThread>");
    harness_expect_edges(&h, HIERA_EDGE_CHILD, "1>2 1>3 1>4");
    harness_expect_edges(&h, HIERA_EDGE_NEXT, "3>4");
    ck_assert_int_eq(h.trace->depth[1], 0);
    ck_assert_int_eq(h.trace->thread[1], 3);
    harness_clear(&h);
}
END_TEST

START_TEST(vertices_and_rows_map_to_each_other)
{
    Harness h = HARNESS(BARRIER(1) BARRIER(2), "", BARRIER(1));
    for (guint32 row = 0; row < h.trace->n_operations; row++)
        ck_assert_int_eq(hiera_graph_vertex_row(h.graph, hiera_graph_operation_vertex(h.graph, row)), row);
    for (guint32 i = 0; i < h.trace->n_processors; i++)
        ck_assert_int_eq(hiera_graph_vertex_row(h.graph, hiera_graph_processor_vertex(h.graph, i)), HIERA_NONE);
    ck_assert_int_eq(hiera_graph_processor_vertex(h.graph, 1), 3);
    ck_assert_int_eq(hiera_graph_processor_vertex(h.graph, 2), 4);
    harness_clear(&h);
}
END_TEST

static gboolean append_vertex(igraph_integer_t vertex, gpointer user)
{
    GString *text = user;
    g_string_append_printf(text, "%s%" IGRAPH_PRId, text->len ? " " : "", vertex + 1);
    return text->len < 100;
}

typedef struct {
    const HieraGraph *graph;
    GString *text;
} Steps;

static gboolean append_step(guint32 processor, guint32 row, gpointer user)
{
    const Steps *steps = user;
    if (row == HIERA_NONE)
        return append_vertex(hiera_graph_processor_vertex(steps->graph, processor), steps->text);
    igraph_integer_t vertex = hiera_graph_operation_vertex(steps->graph, row);
    ck_assert_int_eq(vertex, row + processor + 1);
    return append_vertex(vertex, steps->text);
}

static void expect_walk_without_graph(const Harness *h, const HieraScope *scope, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    Steps steps = {h->graph, text};
    hiera_walk_match(hiera_graph_peek_match(h->graph), scope, append_step, &steps);
    ck_assert_str_eq(text->str, expected);
}

static void expect_walk(const Harness *h, const HieraScope *scope, gboolean partners, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    if (partners)
        expect_walk_without_graph(h, scope, expected);
    if (partners)
        hiera_walk_partners(h->graph, scope, append_vertex, text);
    else
        hiera_walk_operations(h->graph, scope, append_vertex, text);
    ck_assert_str_eq(text->str, expected);
}

/* Figures 3 and 4 of the paper. */
START_TEST(walks_give_the_figures_of_the_paper)
{
#define BROADCAST               CALL(2, "broadcast", "root=\"0\"" WORLD)
#define EXCHANGE(time, out, in) CALL(time, "sendrecv", "dest=\"" #out "\" stag=\"0\" rem=\"" #in "\" rtag=\"0\"" WORLD)
    Harness h = HARNESS(SEND(1, 1, 0) BROADCAST SEND(3, 1, 0), RECEIVE(1, 0, 0) BROADCAST EXCHANGE(3, 2, 0),
                        EXCHANGE(1, 3, 3) BROADCAST RECEIVE(3, 1, 0), EXCHANGE(1, 2, 2) BROADCAST);
    expect_walk(&h, NULL, FALSE, "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15");
    expect_walk(&h, NULL, TRUE, "1 2 6 3 7 11 15 4 8 5 6 2 7 8 4 12 9 10 14 11 12 8 13 14 10 15");
    harness_clear(&h);
}
END_TEST

static guint count(const char *text, const char *what)
{
    guint n = 0;
    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        n++;
    return n;
}

START_TEST(graphml_has_the_numbers_of_the_graph)
{
    char *text;
    size_t n;
    Harness h = HARNESS(SEND(1, 1, 0) BARRIER(2), RECEIVE(1, 0, 0) BARRIER(2), BARRIER(2));
    FILE *stream = open_memstream(&text, &n);
    ck_assert(hiera_graph_write_graphml(h.graph, stream, NULL));
    fclose(stream);
    const igraph_t *graph = hiera_graph_peek_igraph(h.graph);
    ck_assert_int_eq(count(text, "<node "), igraph_vcount(graph));
    ck_assert_int_eq(count(text, "<edge "), igraph_ecount(graph));
    ck_assert_ptr_nonnull(strstr(text, "<node id=\"n9\"><data key=\"kind\">collective</data></node>"));
    ck_assert_ptr_nonnull(strstr(text, "<edge source=\"n2\" target=\"n5\"><data key=\"edge\">message</data></edge>"));
    ck_assert_ptr_nonnull(
        strstr(text, "<edge source=\"n9\" target=\"n8\"><data key=\"edge\">collective</data></edge>"));
    free(text);
    harness_clear(&h);
}
END_TEST

START_TEST(a_walk_can_be_narrowed)
{
    Harness h = load_tree();
    HieraScope inner = HIERA_SCOPE_ALL;
    inner.level = "mpi";
    inner.from_ns = G_GINT64_CONSTANT(5000000000);
    expect_walk(&h, &inner, FALSE, "1 5 6");
    harness_clear(&h);
}
END_TEST

START_TEST(the_root_of_an_all_to_one_has_all_others_as_partners)
{
    Harness h = HARNESS(CALL(1, "reduce", "root=\"1\"" WORLD), CALL(1, "reduce", "root=\"1\"" WORLD),
                        CALL(1, "reduce", "root=\"1\"" WORLD));
    expect_walk(&h, NULL, TRUE, "1 2 3 4 2 6 5 6");
    harness_clear(&h);
}
END_TEST

START_TEST(an_empty_trace_is_a_graph_of_processors)
{
    Harness h = HARNESS("", "");
    expect_walk(&h, NULL, TRUE, "1 2");
    harness_clear(&h);
}
END_TEST

START_TEST(one_call_reads_traces_and_builds_the_graph)
{
    Harness h = HARNESS(SEND(1, 1, 0), RECEIVE(1, 0, 0));
    const char *const whole[] = {h.folder, NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraGraph) graph = hiera_graph_load(whole, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error ? error->message : "no error");
    ck_assert_uint_eq(hiera_graph_peek_trace(graph)->n_operations, 2);
    ck_assert_uint_eq(hiera_match_reason(hiera_graph_peek_match(graph), 0), HIERA_REASON_MATCHED);
    ck_assert_uint_eq(hiera_findings_count(hiera_graph_peek_findings(graph)), 0);
    ck_assert_ptr_null(hiera_graph_peek_findings(h.graph));
    harness_clear(&h);
}
END_TEST

START_TEST(mistakes_in_a_file_are_findings_and_no_error)
{
    Harness h = HARNESS(BARRIER(1), BARRIER(1));
    const char *const first[] = {g_ptr_array_index(h.paths, 0), "/nowhere/trace1.xml", NULL};
    g_autoptr(GError) error = NULL;
    g_autoptr(HieraGraph) graph = hiera_graph_load(first, NULL, &error);
    ck_assert_msg(graph != NULL, "%s", error ? error->message : "no error");
    ck_assert_uint_eq(hiera_match_reason(hiera_graph_peek_match(graph), 0), HIERA_REASON_NOT_TRACED);
    ck_assert(hiera_findings_unreadable(hiera_graph_peek_findings(graph)));
    harness_clear(&h);
}
END_TEST

START_TEST(no_graph_without_a_trace)
{
    const char *const nowhere[] = {"/nowhere/trace0.xml", NULL}, *const none[] = {NULL};
    g_autoptr(GError) error = NULL;
    ck_assert_ptr_null(hiera_graph_load(nowhere, NULL, &error));
    ck_assert(g_error_matches(error, HIERA_GRAPH_ERROR, HIERA_GRAPH_ERROR_READ));
    ck_assert_msg(g_str_has_prefix(error->message, nowhere[0]), "%s", error->message);
    g_clear_error(&error);
    ck_assert_ptr_null(hiera_graph_load(none, NULL, &error));
    ck_assert_str_eq(error->message, "no trace was named");
}
END_TEST

TCase *graph_tests(void)
{
    TCase *tests = tcase_create("graph");
    tcase_add_test(tests, edges_lead_from_parents_to_children);
    tcase_add_test(tests, edges_lead_from_siblings_to_the_next);
    tcase_add_test(tests, threads_add_no_depth_and_no_siblings);
    tcase_add_test(tests, vertices_and_rows_map_to_each_other);
    tcase_add_test(tests, walks_give_the_figures_of_the_paper);
    tcase_add_test(tests, graphml_has_the_numbers_of_the_graph);
    tcase_add_test(tests, a_walk_can_be_narrowed);
    tcase_add_test(tests, the_root_of_an_all_to_one_has_all_others_as_partners);
    tcase_add_test(tests, an_empty_trace_is_a_graph_of_processors);
    tcase_add_test(tests, one_call_reads_traces_and_builds_the_graph);
    tcase_add_test(tests, mistakes_in_a_file_are_findings_and_no_error);
    tcase_add_test(tests, no_graph_without_a_trace);
    return tests;
}
