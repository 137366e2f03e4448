/* Dominators and loops of graphs that are written by hand. A graph is a list of edges, "0>1 1>2 2>1"; node 0 is
 * entered. */
#include "image/graph/flow_graph.h"
#include <check.h>
#include <stdlib.h>

static HieraFlowGraph *make_graph(guint n_nodes, const char *text)
{
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(HieraFlowEdge));
    g_auto(GStrv) words = g_strsplit(text, " ", -1);
    for (char **word = words; *word; word++) {
        char *end;
        HieraFlowEdge edge = {.from = (guint)strtoul(*word, &end, 10)};
        edge.to = (guint)strtoul(end + 1, NULL, 10);
        if (**word)
            g_array_append_val(edges, edge);
    }
    return hiera_flow_graph_new(n_nodes, (const HieraFlowEdge *)edges->data, edges->len);
}

static void expect_dominators(guint n_nodes, const char *edges, const char *expected)
{
    g_autoptr(HieraFlowGraph) graph = make_graph(n_nodes, edges);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 1; i < n_nodes; i++) {
        if (graph->dominator[i] == HIERA_NO_NODE)
            g_string_append(text, "- ");
        else
            g_string_append_printf(text, "%u ", graph->dominator[i]);
    }
    ck_assert_str_eq(g_strchomp(text->str), expected);
}

static void append_nodes(GString *text, const char *before, const GArray *nodes)
{
    for (guint i = 0; i < nodes->len; i++)
        g_string_append_printf(text, "%s%u", i == 0 ? before : ",", g_array_index(nodes, guint, i));
}

/* A loop is "header:nodes<latches", with its depth as dots before; of a region "?header:nodes^entries". Exits are
 * "/from>to". */
static void expect_loops(guint n_nodes, const char *edges, const char *expected)
{
    g_autoptr(HieraFlowGraph) graph = make_graph(n_nodes, edges);
    g_autoptr(GPtrArray) loops = hiera_loops_find(graph);
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < loops->len; i++) {
        const HieraLoop *loop = loops->pdata[i];
        guint depth = 1;
        for (guint parent = loop->parent; parent != HIERA_NO_NODE; depth++)
            parent = ((const HieraLoop *)loops->pdata[parent])->parent;
        ck_assert_uint_eq(depth, loop->depth);
        for (guint n = 1; n < depth; n++)
            g_string_append_c(text, '.');
        g_string_append_printf(text, "%s%u", loop->irreducible ? "?" : "", loop->header);
        append_nodes(text, ":", loop->nodes);
        append_nodes(text, "<", loop->latches);
        if (loop->irreducible || loop->entries->len > 1)
            append_nodes(text, "^", loop->entries);
        for (guint n = 0; n < loop->exits->len; n++) {
            const HieraFlowEdge *exit = &g_array_index(loop->exits, HieraFlowEdge, n);
            g_string_append_printf(text, "/%u>%u", exit->from, exit->to);
        }
        g_string_append_c(text, ' ');
    }
    ck_assert_str_eq(g_strchomp(text->str), expected);
}

START_TEST(a_node_after_a_branch_is_dominated_by_the_branch)
{
    expect_dominators(4, "0>1 0>2 1>3 2>3", "0 0 0");
}
END_TEST

START_TEST(nodes_that_are_not_reached_have_no_dominator)
{
    expect_dominators(4, "0>1 2>1 2>3", "0 - -");
}
END_TEST

/* Figure 4 of Cooper, Harvey and Kennedy: no node dominates another one but the entry. */
START_TEST(dominators_of_an_irreducible_graph_are_found)
{
    expect_dominators(6, "0>1 0>2 1>3 2>4 2>5 3>4 4>3 4>5 5>4", "0 0 0 0 0");
}
END_TEST

START_TEST(a_graph_without_nodes_has_no_loops)
{
    expect_loops(0, "", "");
    expect_loops(1, "", "");
}
END_TEST

START_TEST(one_block_is_a_loop)
{
    expect_loops(3, "0>1 1>1 1>2", "1:1<1/1>2");
}
END_TEST

START_TEST(the_first_block_is_the_header_of_a_loop)
{
    expect_loops(2, "0>0 0>1", "0:0<0/0>1");
}
END_TEST

START_TEST(loops_nest)
{
    expect_loops(6, "0>1 1>2 2>3 3>3 3>2 3>4 4>1 4>5", "1:1,2,3,4<4/4>5 .2:2,3<3/3>4 ..3:3<3/3>2/3>4");
}
END_TEST

START_TEST(back_edges_to_one_header_are_one_loop)
{
    expect_loops(5, "0>1 1>2 1>3 2>1 3>1 3>4", "1:1,3,2<2,3/3>4");
}
END_TEST

START_TEST(a_loop_has_all_its_exits)
{
    expect_loops(6, "0>1 1>2 2>3 3>1 1>4 2>5 3>5", "1:1,2,3<3/1>4/2>5/3>5");
}
END_TEST

START_TEST(siblings_are_in_program_order)
{
    expect_loops(4, "0>1 1>1 1>2 2>2 2>3", "1:1<1/1>2 2:2<2/2>3");
}
END_TEST

/* Also if the way out of the first loop is followed first. */
START_TEST(inner_loops_are_right_behind_their_loop)
{
    expect_loops(6, "0>1 1>2 1>4 2>2 2>3 3>3 3>1 4>4 4>5", "1:1,2,3<3/1>4 .2:2<2/2>3 .3:3<3/3>1 4:4<4/4>5");
    expect_loops(6, "0>1 1>4 1>2 2>2 2>3 3>3 3>1 4>4 4>5", "1:1,2,3<3/1>4 .2:2<2/2>3 .3:3<3/3>1 4:4<4/4>5");
}
END_TEST

START_TEST(a_cycle_with_two_entries_is_irreducible)
{
    expect_loops(4, "0>1 0>2 1>2 2>1 2>3", "?1:1,2^1,2/2>3");
}
END_TEST

START_TEST(an_irreducible_region_is_inside_a_loop_and_has_loops_inside)
{
    /* 1 is a loop around {2, 3}, which is entered at both; 3 has a loop of its own with 4. */
    expect_loops(7, "0>1 1>2 1>3 2>3 3>2 3>4 4>3 3>5 5>1 5>6", "1:1,2,3,5,4<5/5>6 .?2:2,3,4^2,3/3>5 ..3:3,4<4/3>2/3>5");
}
END_TEST

START_TEST(loops_that_are_not_reached_are_not_found)
{
    expect_loops(4, "0>1 2>3 3>2", "");
}
END_TEST

START_TEST(edges_that_occur_twice_count_once)
{
    expect_loops(3, "0>1 0>1 1>1 1>1 1>2", "1:1<1/1>2");
}
END_TEST

/* Longer than any stack would bear if the search were recursive. */
START_TEST(a_long_chain_of_nested_loops_is_no_problem)
{
    const guint n = 3000;
    g_autoptr(GArray) edges = g_array_new(FALSE, FALSE, sizeof(HieraFlowEdge));
    for (guint i = 0; i + 1 < n; i++) {
        const HieraFlowEdge forward = {i, i + 1};
        g_array_append_val(edges, forward);
    }
    for (guint i = 0; i < n / 2; i++) {
        const HieraFlowEdge back = {n - 1 - i, i};
        g_array_append_val(edges, back);
    }
    g_autoptr(HieraFlowGraph) graph = hiera_flow_graph_new(n, (const HieraFlowEdge *)edges->data, edges->len);
    g_autoptr(GPtrArray) loops = hiera_loops_find(graph);
    ck_assert_uint_eq(loops->len, n / 2);
    ck_assert_uint_eq(((const HieraLoop *)loops->pdata[n / 2 - 1])->depth, n / 2);
}
END_TEST

int main(void)
{
    TCase *tests = tcase_create("loops");
    const TTest *const all[] = {a_node_after_a_branch_is_dominated_by_the_branch,
                                nodes_that_are_not_reached_have_no_dominator,
                                dominators_of_an_irreducible_graph_are_found,
                                a_graph_without_nodes_has_no_loops,
                                one_block_is_a_loop,
                                the_first_block_is_the_header_of_a_loop,
                                loops_nest,
                                back_edges_to_one_header_are_one_loop,
                                a_loop_has_all_its_exits,
                                siblings_are_in_program_order,
                                inner_loops_are_right_behind_their_loop,
                                a_cycle_with_two_entries_is_irreducible,
                                an_irreducible_region_is_inside_a_loop_and_has_loops_inside,
                                loops_that_are_not_reached_are_not_found,
                                edges_that_occur_twice_count_once,
                                a_long_chain_of_nested_loops_is_no_problem};
    for (guint i = 0; i < G_N_ELEMENTS(all); i++)
        tcase_add_test(tests, all[i]);
    Suite *suite = suite_create("image");
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
